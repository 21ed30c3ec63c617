//! Programs that play by the lines of a contest.

use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::{Conditions, Contest, Ending, Fault, Limit, Openings, Record};

/// Reads one question of Photosynthesis after the other, with the ground before the first, and does `$1` for each; `$turn` counts.
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

/// Plays a round of a program that does so against an agent, with so many milliseconds a move.
fn play(game: &str, script: [&str; 2], time: u64) -> Vec<Record> {
    let program = shlex::try_join(["sh", "-c", script[0], "sh", script[1]]).unwrap();
    matched(game, [&format!("cmd:{program}"), "flat"], time)
}

/// Plays a round of two contestants.
fn matched(game: &str, contestants: [&str; 2], time: u64) -> Vec<Record> {
    let conditions = Conditions {
        game: game.to_string(),
        contestants: contestants.map(|text| text.parse().unwrap()).to_vec(),
        pairings: vec![[0, 1]],
        limit: Limit::Time(Duration::from_millis(time)),
        grace: Duration::from_millis(200),
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
fn who_always_waits_plays_to_the_end_by_the_official_rules() {
    for record in photosynthesis("echo WAIT for better days", 1) {
        assert_eq!(record.ending, Ending::Over);
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!(record.clocks[program].moves, 24, "it is asked once a day");
        assert!(record.moves[0].starts_with("map:"), "{:?}", record.moves);
        assert_eq!(record.notes[program].matches("says 'for better days'").count(), 24, "{}", record.notes[program]);
        assert_eq!(record.rewards[program], 0.0);
    }
}

#[test]
fn what_is_refused_is_sleep_and_is_told() {
    for record in photosynthesis("echo GROW 37", 1) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        assert_eq!((&record.ending, record.clocks[program].moves), (&Ending::Over, 24));
        assert!(
            record.notes[program].contains("is put to sleep, because 'GROW 37' is not legal"),
            "{}",
            record.notes[program]
        );
    }
}

#[test]
fn what_is_no_command_loses_at_once() {
    for record in photosynthesis("if [ $turn = 3 ]; then echo wait; else echo WAIT; fi", 1) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        let fault = Fault::Illegal("wait".to_string());
        assert_eq!(record.ending, Ending::Forfeit { seat: program, fault });
        assert_eq!((record.rewards[program], record.clocks[program].moves), (0.0, 2));
    }
}

#[test]
fn the_first_answer_has_a_second_and_the_others_have_not() {
    for record in photosynthesis("sleep 0.6; echo WAIT", 20) {
        let program = record.seats.iter().position(|&seat| seat == 0).unwrap();
        let Ending::Forfeit { seat, fault: Fault::Late { allowed, .. } } = &record.ending else {
            panic!("{:?}", record.ending)
        };
        assert_eq!((*seat, *allowed), (program, Duration::from_millis(220)));
        assert_eq!(record.clocks[program].moves, 1);
    }
}

#[test]
fn who_ends_before_the_first_answer_was_not_started() {
    for record in play("photosynthesis:seed=any", ["exit 3", ""], 1) {
        let Ending::Forfeit { fault: Fault::NotStarted(why), .. } = &record.ending else {
            panic!("{:?}", record.ending)
        };
        assert!(why.contains("before its first answer (exit status: 3)"), "{why}");
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
