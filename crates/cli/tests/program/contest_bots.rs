//! `boughs bot` by the lines of contests of turns.

use std::time::{Duration, Instant};

use boughs::checksum::Checksum;
use boughs::{Rng, Turn};
use boughs_games::{StartedGame, Verdict, start};

use crate::common::{boughs, program, ran, run_with_input};
use crate::process::{Running, piped};

/// Returns true if a bot plays one of twenty games in time. A busy machine delays its answers; a bot that does not keep
/// its time is late in all games.
fn plays_in_time(game: &str, seat: usize, args: &str, told: &str) -> bool {
    (0..20).any(|_| {
        let (_, mut times) = answers(start(game).unwrap(), seat, args, told);
        let first = times.remove(0);
        times.sort();
        first < MOST[0] && times[times.len() / 2] < MOST[1]
    })
}

/// Lets a bot play a game as one player against chance, and gives its answers and the time of each.
fn answers(game: StartedGame, seat: usize, args: &str, told: &str) -> (Vec<String>, Vec<Duration>) {
    // The start of the bot belongs to its first answer.
    let mut asked = Some(Instant::now());
    let mut command = program();
    command.args(["bot", game.entry.name]).args(args.split_whitespace()).env("BOUGHS_TIME_MS", told);
    let mut bot = Running::start(piped(&mut command));
    let mut referee = game.entry.referee(&*game.position, Rng::new(1, 0)).unwrap();
    let mut game = game.position;
    let (mut rng, mut answers, mut times) = (Rng::new(1, 1), Vec::new(), Vec::new());
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Player(player) if player == seat => {
                let asked = asked.take().unwrap_or_else(Instant::now);
                bot.write(&referee.question(&*game, player));
                let answer = bot.line();
                times.push(asked.elapsed());
                answers.push(answer.clone());
                match referee.judge(&*game, player, &answer) {
                    Verdict::Done { action, remark } if remark.is_empty() => action,
                    other => panic!("'{answer}' comes to {other:?}"),
                }
            }
            Turn::Player(_) => game.random_action(&mut rng).unwrap(),
            _ => game.chance(&mut rng).unwrap(),
        };
        referee.follow(&*game, action);
        game.apply(action);
    }
    let out = bot.finish();
    assert!(out.status.success(), "{out:?}");
    let notes = String::from_utf8(out.stderr).unwrap();
    assert_eq!(notes.matches("[PDATA] rollouts = ").count(), times.len(), "{notes}");
    assert_eq!(notes.lines().count(), times.len(), "{notes}");
    (answers, times)
}

#[test]
fn answers_by_a_number_of_playouts_are_those_of_the_programs_for_the_contests() {
    // The checksums of crates/bots/tests/programs.rs.
    for (game, expected) in [("photosynthesis", 0x312a_d229_5887_9e55), ("green-circle", 0xb009_fa9a_b9a0_1f22)] {
        let game = start(&format!("{game}:seed=9")).unwrap();
        let mut checksum = Checksum::default();
        checksum.add(answers(game, 0, "--iterations 30", "100").0.join("\n").as_bytes());
        assert_eq!(checksum.value(), expected);
    }
}

const ARGS: &str = "--time 15ms --margin 10ms";

/// The time a site allows for the first answer, and the most that half of the others need. Without --time they would
/// take 42 or 90 ms.
const MOST: [Duration; 2] = [Duration::from_millis(1_000), Duration::from_millis(35)];

#[test]
fn a_bot_plays_photosynthesis_by_its_lines_and_in_time() {
    for seat in 0..2 {
        assert!(plays_in_time("photosynthesis:seed=9", seat, &format!("{ARGS} --threads 2"), "100"));
    }
}

#[test]
fn a_bot_plays_green_circle_by_its_lines_and_in_time() {
    for seat in 0..2 {
        assert!(plays_in_time("green-circle:seed=9", seat, ARGS, "100"));
    }
}

#[test]
fn a_bot_takes_the_time_that_the_arena_tells() {
    for game in ["photosynthesis:seed=9", "green-circle:seed=9"] {
        assert!(plays_in_time(game, 0, "", "15"), "{game}");
    }
    let mut command = boughs();
    let ran =
        ran(command.args(["bot", "photosynthesis"]).env("BOUGHS_TIME_MS", "soon").write_stdin(question().concat()));
    assert_eq!(
        ran.expect_failure(2),
        "BOUGHS_TIME_MS is 'soon', and should be a number of milliseconds above 0; correct it, or unset it"
    );
}

#[test]
fn a_bot_that_knows_its_time_otherwise_does_not_read_the_time_of_the_arena() {
    let plain = "game tictactoe\nplayouts 10\nready\nmoves\ngo\n";
    let contest = question().concat();
    for (line, input) in
        [("bot tictactoe", plain), ("bot ahc015", "game ahc015\nready\n"), ("bot photosynthesis --time 50ms", &contest)]
    {
        let mut command = boughs();
        let command = command.args(line.split(' ')).env("BOUGHS_TIME_MS", "soon").write_stdin(input);
        let ran = ran(command);
        assert!(ran.code == Some(0) && !ran.out.is_empty(), "{line}: {ran:?}");
    }
}

/// The first question of a game of a contest.
fn first_question(game: &str) -> String {
    let game = start(game).unwrap();
    game.entry.referee(&*game.position, Rng::new(1, 0)).unwrap().question(&*game.position, 0)
}

/// The first question of Photosynthesis: the ground, and the turn.
fn question() -> [String; 2] {
    let told = first_question("photosynthesis:seed=9");
    let (ground, turn) = told.split_at(told.match_indices('\n').nth(37).unwrap().0 + 1);
    [ground, turn].map(str::to_string)
}

#[test]
fn a_bot_answers_every_question_once_and_says_what_was_wrong() {
    let [ground, turn] = &question();
    let actions = turn.lines().skip(10).count();
    let few = turn.replacen(&format!("\n{actions}\nWAIT"), "\n2\nWAIT", 1);
    let bad = turn.replacen("\n20\n", "\nmany\n", 1);
    assert!(few != *turn && bad != *turn, "{turn}");
    let good = format!("{ground}{turn}");
    for (lines, answers, waits, says) in [
        (format!("{good}{turn}"), 2, 0, "[PDATA] rollouts = "),
        (
            format!("{ground}{bad}{turn}"),
            2,
            1,
            "line 40: there should be a whole number here, not 'many'; the answer is WAIT",
        ),
        (format!("{good}\n{turn} \n\n{turn}\n"), 3, 0, ""),
        (format!("{ground}{few}{turn}{few}"), 3, 0, ""),
        (format!("{good}{good}{good}"), 3, 0, ""),
        (
            good.replacen("0 3 ", "0 9 ", 1),
            1,
            0,
            "line 2: the richness of a cell cannot be 9; 3 is the most; cells that are",
        ),
        (good.replacen("0 3 ", "0 9 ", 1) + &bad + turn, 3, 1, "not 'many'; the answer is WAIT"),
        (
            good.replacen("0 3 ", "0 9 ", 1).replacen("\n20\n", "\nmany\n", 1) + turn,
            2,
            1,
            "not 'many'; the answer is WAIT",
        ),
        (format!("{ground}{}", turn.replace("WAIT", "DANCE")), 1, 1, "'DANCE' is not an action; the answer is WAIT"),
        (format!("{good}{}", &turn[..40]), 2, 1, "the input ended before all was told; the answer is WAIT"),
        (ground.clone(), 0, 0, ""),
    ] {
        let ran = run_with_input("bot photosynthesis --agent flat:threads=1 --time 1ms", lines);
        let said: Vec<&str> = ran.out.lines().collect();
        assert_eq!((ran.code, said.len()), (Some(0), answers), "{ran:?}");
        assert!(ran.err.contains(says), "{says}: {ran:?}");
        assert_eq!(ran.err.matches("; the answer is WAIT\n").count(), waits, "{ran:?}");
        assert_eq!(ran.err.matches("[PDATA] rollouts = ").count(), answers, "{ran:?}");
        assert!(waits == 0 || ran.err.contains("[PDATA] rollouts = 0\n") && said.contains(&"WAIT"), "{ran:?}");
    }
}

#[test]
fn a_bot_that_waits_for_the_rest_of_a_question_answers_in_time() {
    let decision = first_question("green-circle:seed=9");
    let offers = decision.lines().skip_while(|line| !line.starts_with("MOVE ")).count();
    let [ground, turn] = &question();
    let actions = turn.lines().skip(10).count();
    for (name, before, question, more, instead) in [
        ("photosynthesis", ground.as_str(), turn.clone(), format!("\n{actions}\nWAIT"), "WAIT"),
        ("green-circle", "", decision.clone(), format!("\n{offers}\n"), "RANDOM"),
    ] {
        let mut bot = crate::common::start(&format!("bot {name} --agent flat --time 50ms --margin 20ms"));
        let mut ask = |lines: &str| {
            bot.write(lines);
            bot.line()
        };
        let too_many = question.replacen(&more, &more.replacen('\n', "\n9", 1), 1);
        assert!(too_many != question, "{question}");
        ask(&format!("{before}{question}"));
        assert_eq!(ask(&too_many), instead, "{name}");
        ask(&question);
        let out = bot.finish();
        let notes = String::from_utf8(out.stderr).unwrap();
        assert_eq!(
            notes.matches("the lines that were announced did not come in time; the answer is").count(),
            1,
            "{notes}"
        );
        assert_eq!((notes.matches("[PDATA]").count(), out.stdout.len()), (3, 0), "{notes}");
    }
}

#[test]
fn what_is_between_decisions_of_green_circle_is_skipped_and_what_is_wrong_is_random() {
    let good = first_question("green-circle:seed=9");
    let cut: String = good.lines().take(4).map(|line| line.to_string() + "\n").collect();
    for (lines, answers, says) in [
        (format!("{good}\n{good}\n"), "MOVE MOVE", ""),
        (
            good.replacen("HAND", "FOOT", 1) + &good,
            "RANDOM MOVE",
            "should be a place with ten counts of cards; the answer is RANDOM",
        ),
        (
            good.replacen("MOVE", "DANCE", 1) + &good,
            "RANDOM MOVE",
            "'DANCE' should be a phase, MOVE for example; the answer is RANDOM",
        ),
        (good.clone() + &cut, "MOVE RANDOM", "the input ends where there should be"),
    ] {
        let ran = run_with_input("bot green-circle --agent flat:threads=1", lines);
        let said: Vec<&str> = ran.out.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!((ran.code, said.join(" ").as_str()), (Some(0), answers), "{ran:?}");
        assert!(ran.err.contains(says), "{says}: {ran:?}");
        assert_eq!(ran.err.matches("[PDATA] rollouts = ").count(), said.len(), "{ran:?}");
    }
}

#[test]
fn threads_and_memory_that_an_agent_does_not_have_are_left_out_and_a_margin_without_sense_is_refused() {
    let told = question().concat();
    for agent in ["greedy", "beam:layers=actions"] {
        let args = format!("bot photosynthesis --agent {agent} --threads 2 --memory 64M");
        let ran = run_with_input(&args, told.as_str());
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{ran:?}");
        assert!(ran.err.contains(", so --memory 64M is left out\n"), "{ran:?}");
    }
    let ran = run_with_input("bot photosynthesis --agent greedy --threads 2", told.as_str());
    assert!(
        ran.err.starts_with("agent greedy has no key 'threads', because it has none, so --threads 2 is left out\n"),
        "{ran:?}"
    );
    for (args, says) in [
        ("photosynthesis --margin 100ms", "--margin 100ms leaves nothing of a time of 100ms; give a smaller one"),
        ("green-circle --margin 1s --time 20ms", "--margin 1s leaves nothing of a time of 20ms; give a smaller one"),
    ] {
        assert_eq!(run_with_input(&format!("bot {args}"), told.as_str()).expect_failure(2), says);
    }
}
