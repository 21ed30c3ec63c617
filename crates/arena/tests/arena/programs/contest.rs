//! Programs that play by the lines of a contest.

use std::ops::ControlFlow;
use std::time::Duration;

use boughs::notation::play_moves;
use boughs::{Position as _, StopFlag, Turn};
use boughs_arena::{Conditions, Contest, Ending, Fault, Limit, Openings, Record};
use boughs_games::photosynthesis::{Action, Answer, Map, Photosynthesis, Position};

use crate::process::side_by_side;

/// Script that reads one question of Photosynthesis after the other, with the ground before the first, and evaluates
/// `$1` for each. `$turn` counts the questions.
const LISTENER: &str = r#"
skip() { read n; while [ "$n" -gt 0 ]; do read line; n=$((n-1)); done; }
skip
turn=0
while read day; do
    read nutrients; read own; read other; skip; skip
    turn=$((turn+1))
    eval "$1"
done
"#;

/// Plays a round of a script against an agent, with `time` milliseconds a move.
fn play(game: &str, script: [&str; 2], time: u64) -> Vec<Record> {
    let program = shlex::try_join(["sh", "-c", script[0], "sh", script[1]]).unwrap();
    matched(game, [&format!("cmd:{program}"), "flat"], time)
}

/// Plays a round of two contestants.
pub(crate) fn matched(game: &str, contestants: [&str; 2], time: u64) -> Vec<Record> {
    matched_with_grace(game, contestants, time, 200)
}

/// Plays a round of two contestants, with `grace` milliseconds of grace.
fn matched_with_grace(game: &str, contestants: [&str; 2], time: u64, grace: u64) -> Vec<Record> {
    let conditions = Conditions {
        game: game.to_string(),
        contestants: contestants.map(|text| text.parse().unwrap()).to_vec(),
        pairings: vec![[0, 1]],
        limit: Limit::Time(Duration::from_millis(time)),
        grace: Duration::from_millis(grace),
        openings: Openings::Start,
        seed: 5,
    };
    let mut records = Vec::new();
    let mut contest = Contest::new(conditions).unwrap();
    let played = contest.play(1, 1, &StopFlag::default(), &mut |news| {
        records.push(news.record.clone());
        ControlFlow::Continue(())
    });
    assert_eq!(played.unwrap().games, 2);
    records.sort_by_key(|record| record.number);
    records
}

fn photosynthesis(does: &str, time: u64) -> Vec<Record> {
    play("photosynthesis:seed=any", [LISTENER, does], time)
}

#[test]
fn a_program_that_always_waits_plays_to_the_end_by_the_official_rules() {
    for record in photosynthesis("echo WAIT for better days", 1) {
        assert_eq!(record.ending, Ending::Over);
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!(record.clocks[program].moves, 24, "it is asked once a day");
        assert!(record.moves[0].starts_with("map:"), "{:?}", record.moves);
        assert_eq!(record.notes[program].matches("says 'for better days'").count(), 24, "{}", record.notes[program]);
        assert_eq!(record.rewards[program], 0.0);
        let [own, other] = [program, 1 - program].map(|seat| &record.columns[seat]);
        assert!(
            own["points"] < other["points"] && own["refused"] == 0.0 && !other.contains_key("refused"),
            "{own:?} {other:?}"
        );
    }
}

#[test]
fn a_refused_answer_is_sleep_and_is_told() {
    for record in photosynthesis("echo GROW 37", 1) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!((&record.ending, record.clocks[program].moves), (&Ending::Over, 24));
        assert_eq!(record.columns[program]["refused"], 24.0);
        assert!(
            record.notes[program].contains("is put to sleep, because 'GROW 37' is not legal"),
            "{}",
            record.notes[program]
        );
    }
}

#[test]
fn an_answer_that_is_no_command_loses_when_the_turn_is_complete() {
    for record in photosynthesis("if [ $turn = 3 ]; then echo wait; else echo WAIT; fi", 1) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        let fault = Fault::Illegal("wait".to_string());
        assert_eq!(record.ending, Ending::Forfeit(vec![(program, fault)]));
        assert_eq!((record.rewards[program], record.clocks[program].moves), (0.0, 2));
        assert!(record.moves.contains(&"disqualified".to_string()), "{:?}", record.moves);
        assert!(!record.columns[program].contains_key("points"), "{:?}", record.columns);
    }
}

#[test]
fn the_other_command_of_the_last_turn_counts_and_two_that_lose_in_it_draw() {
    let [loses, waits] =
        ["echo wait", "echo WAIT"].map(|does| shlex::try_join(["sh", "-c", LISTENER, "sh", does]).unwrap());
    for record in matched("photosynthesis", [&format!("cmd:{loses}"), &format!("cmd:{waits}")], 1) {
        let loser = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!(record.ending, Ending::Forfeit(vec![(loser, Fault::Illegal("wait".to_string()))]));
        let moves = if loser == 0 { ["disqualified", "wait"] } else { ["wait", "disqualified"] };
        assert_eq!((record.moves.as_slice(), record.clocks[1 - loser].moves), (&moves.map(String::from)[..], 1));
        assert_eq!((record.rewards[loser], record.rewards[1 - loser]), (0.0, 1.0));
    }
    for record in matched("photosynthesis", [&format!("cmd:{loses}"), &format!("cmd:{loses} ")], 1) {
        let fault = || Fault::Illegal("wait".to_string());
        assert_eq!(record.ending, Ending::Forfeit(vec![(0, fault()), (1, fault())]));
        assert_eq!((record.rewards, record.moves), (vec![0.5, 0.5], vec!["disqualified".to_string(); 2]));
    }
}

/// Plays the first game of two programs that give these answers, one in each turn.
fn dictated(map: i64, answers: [Vec<Action>; 2]) -> Record {
    let contestants = answers.map(|answers| {
        let lines: String = answers.iter().map(|action| format!("{action}\n")).collect();
        let words = ["sh", "-c", LISTENER, "sh", r#"echo "$2" | sed -n "${turn}p""#, &lines];
        format!("cmd:{}", shlex::try_join(words).unwrap())
    });
    matched(&format!("photosynthesis:seed={map}"), [&contestants[0], &contestants[1]], 1).remove(0)
}

#[test]
fn two_seeds_on_one_cell_take_their_trees_and_nothing_else() {
    let mut start = Photosynthesis::new(1);
    let mut answers = [Vec::new(), Vec::new()];
    let moves = "wait wait grow:21 grow:35 wait wait seed:21-7 seed:35-7";
    for (number, action) in play_moves(&mut start, moves).unwrap().into_iter().enumerate() {
        answers[number % 2].push(action);
    }
    let days = || vec![Action::Wait; 24];
    let record = dictated(1, answers.map(|answers| [answers, days()].concat()));
    assert_eq!(record.ending, Ending::Over);
    assert!(record.moves.join(" ").starts_with(&format!("{moves} wait wait ")), "{:?}", record.moves);
    let mut before = Photosynthesis::new(1);
    play_moves(&mut before, &record.moves[..6].join(" ")).unwrap();
    let (before, after) = (before.position(), start.position());
    for player in 0..2 {
        assert!(!after.is_asleep(player));
        assert_eq!((before.trees(player), before.sun(player)), (after.trees(player), after.sun(player)));
    }
    assert_eq!((before.dormant().count_ones(), after.dormant().count_ones()), (0, 2));
    // Both were asked once more on that day.
    assert_eq!(record.clocks.iter().map(|clock| clock.moves).collect::<Vec<_>>(), [26, 26]);
}

/// Returns the answers of two players that stretch the game: they let many trees grow, and throw seeds at each other's.
fn stalling(map: i64) -> [Vec<Action>; 2] {
    let mut position = Position::start(&Map::from_seed(map));
    let mut answers = [Vec::new(), Vec::new()];
    while !position.is_over() {
        let legal = [0, 1].map(|player| {
            let mut list = Vec::new();
            if !position.is_asleep(player) {
                position.legal_actions(player, &mut list);
            }
            list
        });
        let is_seed = |action: &&Action| matches!(action, Action::Seed { .. });
        let mut turn = [0, 1].map(|player| {
            let has_room = position.trees(player).count_ones() < 11 && position.cost(player, 0) <= 1;
            let seed = legal[player].iter().find(is_seed).filter(|_| has_room);
            let grow = || legal[player].iter().find(|action| matches!(action, Action::Grow(_)));
            seed.or_else(grow).copied().unwrap_or(Action::Wait)
        });
        if turn.contains(&Action::Wait) {
            let targets = |action: Action| if let Action::Seed { to, .. } = action { Some(to) } else { None };
            for &first in legal[0].iter().filter(is_seed) {
                let same = legal[1].iter().find(|&&second| targets(second) == targets(first));
                turn = same.map_or(turn, |&second| [first, second]);
            }
        }
        for player in (0..2).filter(|&player| !position.is_asleep(player)) {
            answers[player].push(turn[player]);
        }
        position.resolve(turn.map(|action| Some(Answer::Act(action))));
    }
    answers
}

#[test]
fn after_three_hundred_questions_the_turn_is_completed_and_the_player_ahead_wins() {
    let answers = stalling(49);
    assert!(answers.iter().map(Vec::len).sum::<usize>() > 301);
    let record = dictated(49, answers);
    let asked: Vec<u64> = record.clocks.iter().map(|clock| clock.moves).collect();
    // The 300th question is to the first of two players that are awake.
    assert_eq!((&record.ending, asked.iter().sum::<u64>(), record.columns[0]["refused"]), (&Ending::Cut, 301, 0.0));
    let mut game = Photosynthesis::new(49);
    play_moves(&mut game, &record.moves.join(" ")).unwrap();
    assert!(game.turn() != Turn::Over && game.chosen().is_none());
    assert_eq!(record.rewards, [game.cut_reward(0), game.cut_reward(1)]);
}

#[test]
fn a_line_too_many_is_the_next_answer() {
    let does = "if [ $turn = 1 ]; then echo WAIT one; echo WAIT two; echo wait; fi";
    for record in photosynthesis(does, 1) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!(record.ending, Ending::Forfeit(vec![(program, Fault::Illegal("wait".to_string()))]));
        let notes = &record.notes[program];
        assert!(notes.contains("says 'one'") && notes.contains("says 'two'"), "{notes}");
        assert_eq!(record.clocks[program].moves, 2);
    }
}

#[test]
fn late_answers_within_the_grace_are_counted_and_without_one_they_lose() {
    for record in photosynthesis("if [ $turn = 2 ]; then sleep 0.05; fi; echo WAIT", 20) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!((&record.ending, record.columns[program]["late"] >= 1.0), (&Ending::Over, true));
    }
    let program =
        shlex::try_join(["sh", "-c", LISTENER, "sh", "if [ $turn = 2 ]; then sleep 0.3; fi; echo WAIT"]).unwrap();
    for record in matched_with_grace("photosynthesis", [&format!("cmd:{program}"), "random"], 150, 0) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        let [(seat, Fault::Late { allowed, .. })] = record.ending.faults() else { panic!("{:?}", record.ending) };
        assert_eq!((*seat, *allowed), (program, Duration::from_millis(150)));
    }
}

#[test]
fn the_first_answer_has_a_second_and_the_others_have_not() {
    for record in photosynthesis("sleep 0.6; echo WAIT", 20) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        let [(seat, Fault::Late { allowed, .. })] = record.ending.faults() else { panic!("{:?}", record.ending) };
        assert_eq!((*seat, *allowed), (program, Duration::from_millis(220)));
        assert_eq!(record.clocks[program].moves, 1);
    }
}

#[test]
fn a_program_that_ends_before_the_first_answer_was_not_started() {
    for record in play("photosynthesis:seed=any", ["exit 3", ""], 1) {
        let [(_, Fault::NotStarted(why))] = record.ending.faults() else { panic!("{:?}", record.ending) };
        assert!(why.contains("before its first answer (exit status: 3)"), "{why}");
    }
}

#[test]
fn programs_are_told_their_time_by_their_environment() {
    for record in photosynthesis("echo WAIT $BOUGHS_TIME_MS", 37) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!(record.notes[program].matches("says '37'").count(), 24, "{}", record.notes[program]);
    }
}

#[test]
fn a_program_that_speaks_the_plain_lines_is_told_so() {
    let plain = "while read -r word rest; do case $word in ready) echo ready;; go) echo $word;; end) exit;; esac; done";
    let eager = "echo ready; sleep 5";
    side_by_side([("photosynthesis", plain), ("green-circle", plain), ("photosynthesis", eager)], |(game, script)| {
        for record in play(game, [script, ""], 1) {
            let [(_, Fault::NotStarted(why))] = record.ending.faults() else { panic!("{game}: {:?}", record.ending) };
            assert!(why.starts_with("it speaks the plain lines, and programs play") && why.contains(game), "{why}");
        }
    });
}

#[test]
fn a_program_that_is_slow_and_speaks_the_lines_of_the_contest_is_late() {
    for record in photosynthesis("sleep 1.3; echo WAIT", 1) {
        let [(_, Fault::Late { .. })] = record.ending.faults() else { panic!("{:?}", record.ending) };
    }
}

#[test]
fn a_thousand_lines_that_no_question_asked_for_are_a_flood() {
    let lines = |count| format!("i=0; while [ $i -lt {count} ]; do echo WAIT; i=$((i+1)); done; cat >/dev/null");
    for script in [lines(1_100), "while :; do echo WAIT; done".to_string()] {
        for record in play("photosynthesis:seed=any", [&script, ""], 200) {
            let [(_, fault)] = record.ending.faults() else { panic!("{script}: {:?}", record.ending) };
            assert_eq!(*fault, Fault::Flooded, "{script}");
        }
    }
    for record in play("photosynthesis:seed=any", [&lines(900), ""], 20) {
        assert_eq!(record.ending, Ending::Over, "each line is the answer to a question");
    }
}

#[test]
fn green_circle_is_played_by_its_lines_and_random_is_always_legal() {
    let script = r#"
while read phase; do
    skip() { read n; while [ "$n" -gt 0 ]; do read line; n=$((n-1)); done; }
    skip; read own; read other; skip; skip
    echo RANDOM
done
"#;
    for record in play("green-circle:seed=any", [script, ""], 1) {
        assert_eq!(record.ending, Ending::Over);
        assert!(record.moves[0].starts_with('s'), "{:?}", record.moves);
        assert!(boughs_arena::boards("green-circle:seed=any", &record.moves).is_ok());
    }
}
