//! `boughs bot` by the lines of contests of turns.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use boughs::{Rng, Turn};
use boughs_games::green_circle::{GreenCircle, Setup};
use boughs_games::photosynthesis::Photosynthesis;
use boughs_games::{Listed, Verdict};

use crate::common::run_with_input;

/// Lets a bot play a game as one player against chance, and gives the time of the first answer and the median of the others'.
fn play<G: Listed>(mut game: G, seat: usize, args: &str) -> [Duration; 2] {
    let began = Instant::now();
    let mut bot = Command::new(env!("CARGO_BIN_EXE_boughs"))
        .args(["bot", G::NAME])
        .args(args.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut asked = Some(began);
    let (mut input, mut output) = (bot.stdin.take().unwrap(), BufReader::new(bot.stdout.take().unwrap()));
    let mut official = game.official(Rng::new(1, 0)).unwrap();
    let (mut rng, mut scratch, mut times) = (Rng::new(1, 1), Vec::new(), Vec::new());
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Player(player) if player == seat => {
                // The start of the bot belongs to its first answer.
                let asked = asked.take().unwrap_or_else(Instant::now);
                input.write_all(official.question(&game, player).as_bytes()).unwrap();
                let mut answer = String::new();
                output.read_line(&mut answer).unwrap();
                times.push(asked.elapsed());
                match official.judge(&game, player, answer.trim_end()) {
                    Verdict::Done { action, remark } if remark.is_empty() => action,
                    other => panic!("'{answer}' comes to {other:?}"),
                }
            }
            Turn::Player(_) => game.random_action(&mut rng, &mut scratch).unwrap(),
            _ => game.chance(&mut rng, &mut scratch).unwrap(),
        };
        official.follow(&game, action);
        game.apply(action);
    }
    drop(input);
    let out = bot.wait_with_output().unwrap();
    assert!(out.status.success(), "{out:?}");
    let notes = String::from_utf8(out.stderr).unwrap();
    assert_eq!(notes.matches("[PDATA] rollouts = ").count(), times.len(), "{notes}");
    assert_eq!(notes.lines().count(), times.len(), "{notes}");
    let first = times.remove(0);
    times.sort();
    [first, times[times.len() / 2]]
}

const ARGS: &str = "--time 15ms --margin 10ms";

/// What a site allows for the first answer, and what half of the others at least need on a busy machine; without --time they would
/// take 42 or 90 ms.
const MOST: [Duration; 2] = [Duration::from_millis(1_000), Duration::from_millis(35)];

#[test]
fn a_bot_plays_photosynthesis_by_its_lines_and_in_time() {
    for seat in 0..2 {
        let [first, median] = play(Photosynthesis::new(9), seat, &format!("{ARGS} --threads 2"));
        assert!(first < MOST[0] && median < MOST[1], "{first:?} {median:?}");
    }
}

#[test]
fn a_bot_plays_green_circle_by_its_lines_and_in_time() {
    for seat in 0..2 {
        let [first, median] = play(GreenCircle::new(&Setup::of_seed(9)), seat, ARGS);
        assert!(first < MOST[0] && median < MOST[1], "{first:?} {median:?}");
    }
}

#[test]
fn a_bot_answers_whatever_it_is_told_and_says_what_was_wrong() {
    let game = Photosynthesis::new(9);
    let good = game.official(Rng::new(1, 0)).unwrap().question(&game, 0);
    let (ground, turn) = good.split_at(good.match_indices('\n').nth(37).unwrap().0 + 1);
    let bad = turn.replacen('\n', "\nmany\n", 1).replacen("\n20\n", "\n", 1);
    for (lines, answers, says) in [
        (
            format!("{ground}{bad}{turn}"),
            2,
            "line 40: there should be 1 whole numbers here, not 'many'; the answer is WAIT",
        ),
        (good.replacen("0 3 ", "0 9 ", 1), 1, "the ground is taken to have no holes"),
        (format!("{ground}{}", turn.replace("WAIT", "DANCE")), 1, "'DANCE' is not an action; the answer is WAIT"),
        (format!("{ground}{}", &turn[..40]), 0, ""),
    ] {
        let ran = run_with_input("bot photosynthesis --agent flat --time 1ms --margin 1s", lines);
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), answers), "{ran:?}");
        assert!(ran.err.contains(says), "{says}: {ran:?}");
        if answers > 0 && says.contains("WAIT") {
            assert_eq!(ran.out.lines().next(), Some("WAIT"));
        }
    }
    let game = GreenCircle::new(&Setup::of_seed(9));
    let good = game.official(Rng::new(1, 0)).unwrap().question(&game, 0);
    let ran = run_with_input("bot green-circle --agent flat", good.replacen("HAND", "FOOT", 1) + &good);
    let answers: Vec<&str> = ran.out.lines().collect();
    assert!(ran.code == Some(0) && matches!(answers[..], ["RANDOM", last] if last.starts_with("MOVE ")), "{ran:?}");
    assert!(ran.err.contains("should be a place with ten counts of cards; the answer is RANDOM"), "{ran:?}");
}
