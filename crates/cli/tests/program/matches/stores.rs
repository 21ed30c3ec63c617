//! Games in a store: none is lost, none is played twice, and each can be played again.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use boughs::Rng;
use boughs_arena::Store;
use tempfile::tempdir;

use super::{games, moves, play, timeless};
use crate::common::{boughs, json, program, ran};
use crate::process::{PATIENCE, Running};

const MATCH: &str = "tictactoe mcts mcts:c=0.4 --iterations 300 --openings random:2 --concurrency 1 --seed 7";

fn in_store(args: &str, store: &Path) -> String {
    format!("{args} --store {}", store.display())
}

/// Starts a match whose result is not read.
fn start(args: &str) -> Running {
    let mut command = program();
    command.arg("match").args(args.split_whitespace());
    Running::start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Kills a match this many times, lets it end, and compares it with one that was never killed.
fn is_killed_and_goes_on(kills: u32, planned: u64) {
    let folder = tempdir().unwrap();
    let [killed, whole] = ["killed.db", "whole.db"].map(|name| folder.path().join(name));
    let args = format!("{MATCH} --games {planned}");
    let mut rng = Rng::new(1, 0);
    let mut been = 0;
    let mut cut_short = 0;
    for _ in 0..kills {
        let child = start(&in_store(&args, &killed));
        thread::sleep(Duration::from_micros(u64::from(rng.below(60_000))));
        cut_short += u32::from(!child.kill().success());
        // A match that is killed at once has not made its store yet.
        if killed.exists() && Store::open(&killed).unwrap().events().unwrap().len() == 1 {
            let kept = games(&killed).len();
            assert!(kept >= been, "games were lost: {been} before, {kept} now");
            been = kept;
        }
    }
    assert!(cut_short > kills / 2, "only {cut_short} of {kills} were under way: plan more games");
    let (resumed, untouched) = (play(&in_store(&args, &killed)), play(&in_store(&args, &whole)));
    assert_eq!(resumed["kept"], been as u64);
    assert_eq!(timeless(resumed), timeless(untouched));
    let (killed, whole) = (moves(&games(&killed)), moves(&games(&whole)));
    assert!(killed.iter().map(|(number, _)| *number).eq(0..planned), "exactly the planned games, each once");
    assert_eq!(killed, whole);
}

#[test]
fn a_match_that_was_killed_at_any_instant_goes_on_to_the_result_of_one_that_was_not() {
    is_killed_and_goes_on(20, 600);
}

/// `cargo test --release -p boughs-cli --test program -- --ignored killed_many_times`
#[test]
#[ignore = "takes a minute"]
fn a_match_that_was_killed_many_times_goes_on_to_the_result_of_one_that_was_not() {
    is_killed_and_goes_on(400, 12_000);
}

#[test]
fn more_games_go_on_from_those_there_are_and_fewer_play_none() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let result = |games: u32, concurrency: u32| {
        play(&in_store(
            &format!("{MATCH} --games {games}").replace("concurrency 1", &format!("concurrency {concurrency}")),
            &store,
        ))
    };
    assert_eq!(result(6, 1)["kept"], 0);
    let first = moves(&games(&store));
    let more = result(15, 2);
    assert_eq!((&more["kept"], games(&store).len()), (&6.into(), 16), "whole pairs");
    assert_eq!(moves(&games(&store))[..6], first);
    let fewer = result(2, 1);
    assert_eq!((&fewer["kept"], games(&store).len()), (&16.into(), 16));
    assert_eq!(timeless(fewer), timeless(more));
}

#[test]
fn other_conditions_are_another_match_in_the_same_store() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.db");
    let base = "tictactoe mcts flat --iterations 3 --games 2";
    let others = [
        "tictactoe mcts flat --iterations 3 --games 2 --seed 1",
        "tictactoe mcts flat --iterations 4 --games 2",
        "tictactoe flat mcts --iterations 3 --games 2",
        "tictactoe mcts flat --iterations 3 --games 2 --openings random:1",
        "tictactoe mcts flat --time 1ms --games 2",
        "connect4 mcts flat --iterations 3 --games 2",
    ];
    for args in [base].into_iter().chain(others) {
        assert_eq!(play(&in_store(args, &path))["kept"], 0, "{args}");
    }
    // The number of games at a time and the files do not change a game.
    assert_eq!(play(&in_store(&format!("{base} --concurrency 1"), &path))["kept"], 2);
    let events = Store::open(&path).unwrap().events().unwrap();
    assert_eq!(events.iter().map(|event| event.games).collect::<Vec<_>>(), [2; 7]);
}

#[test]
fn two_processes_on_one_match_end_with_its_games_and_one_result() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    // With a limit of time no two games are alike, so results would differ if each process counted its own.
    let args = in_store("connect4 mcts mcts:c=0.4 --time 1ms --games 40 --openings random:2 --concurrency 1", &store);
    let result = || json(&ran(boughs().arg("match").args(args.split_whitespace()).arg("--json")).expect());
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(result);
        (result(), one.join().unwrap())
    });
    assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..40));
    let untouched = result();
    assert_eq!((&untouched["kept"], &untouched["pairs"]), (&40.into(), &one["pairs"]));
    assert_eq!(timeless(one), timeless(other));
}

#[test]
fn the_command_a_store_has_of_a_game_plays_the_same_game() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("two openings");
    std::fs::write(&file, "5 1\n1 2 9\n").unwrap();
    for (number, args) in [
        "tictactoe mcts mcts:c=0.4 --iterations 60 --openings random:1-3 --games 12 --seed 3 --grace 20ms",
        "tictactoe mcts:parallel=batched,threads=2 flat --iterations 60 --openings FILE --games 6",
        "pig:goal=20 mcts flat --iterations 30 --games 4",
        "goofspiel:cards=4 mcts worlds --iterations 30 --games 4",
        "nim:heaps=1-2-3,players=3 mcts flat --iterations 30 --games 6",
    ]
    .iter()
    .enumerate()
    {
        let store = folder.path().join(format!("{number}.db"));
        let words = args.split(' ').map(|word| if word == "FILE" { file.to_str().unwrap() } else { word });
        ran(boughs().arg("match").args(words).arg("--store").arg(&store)).expect();
        let games = games(&store);
        for kept in games.iter().rev().step_by(3) {
            let words = shlex::split(&kept.replay).unwrap();
            assert_eq!((words[0].as_str(), words[1].as_str()), ("boughs", "match"));
            let again = json(&ran(boughs().args(&words[1..]).arg("--json")).expect());
            let record = &kept.record;
            assert_eq!(again["number"], record.number, "{}", kept.replay);
            assert_eq!(again["opening"], serde_json::json!(record.opening), "{}", kept.replay);
            assert_eq!(again["moves"], serde_json::json!(record.moves), "{}", kept.replay);
            assert_eq!(again["rewards"], serde_json::json!(record.rewards), "{}", kept.replay);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_with_a_sentence_and_the_match_goes_on_when_there_is_room() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let args = in_store(&format!("{MATCH} --games 3000").replace("300 ", "2 "), &store);
    let mut been = 0;
    for blocks in [200, 500] {
        // Without the trap the signal for a file too large would kill the process before it saw the error.
        let script = format!(r#"trap "" XFSZ; ulimit -f {blocks}; exec "$0" match "$@""#);
        let mut shell = assert_cmd::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_boughs")]).args(args.split_whitespace());
        let sentence = ran(shell.timeout(PATIENCE)).expect_failure(2);
        assert!(
            sentence.contains("the disk is full") && sentence.contains("give the same command again"),
            "{sentence}"
        );
        let kept = games(&store).len();
        assert!(kept > been, "{been} games before, and {kept} now");
        been = kept;
    }
    assert_eq!(play(&args)["kept"], been as u64);
    assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..3000));
}

#[test]
fn changed_weights_are_noticed() {
    let folder = tempdir().unwrap();
    let [weights, store] = ["w.json", "games.db"].map(|name| folder.path().join(name));
    let learn = |seed: u32| {
        let _ = std::fs::remove_file(&weights);
        let words = format!("learn green-circle --games 5 --round 5 --positions 20 --seed {seed} --out");
        ran(boughs().args(words.split(' ')).arg(&weights)).expect();
    };
    let agent = format!("foresight:width=1,positions=9,weights={}", weights.display());
    let contest = in_store(&format!("green-circle {agent} random --iterations 1 --games 2"), &store);
    learn(0);
    assert_eq!((play(&contest)["warnings"].to_string(), &play(&contest)["kept"]), ("[]".into(), &2.into()));
    learn(1);
    let anew = play(&contest);
    let warnings = anew["warnings"].to_string();
    assert!(anew["kept"] == 0 && warnings.contains("w.json' changed since"), "{anew}");
    let tune = in_store(
        &format!(
            "tune green-circle {agent} --param width=2|3 --candidates 2 --rounds 1 --most-rounds 1 --iterations 1"
        ),
        &store,
    );
    let tuned = || ran(boughs().args(tune.split(' '))).expect();
    assert!(!tuned().contains("changed since"));
    learn(0);
    assert!(tuned().contains("w.json' changed since"));
}
