//! Engines that speak GTP, UGI or UAI: this program itself, and others where they are installed.

use serde_json::Value;

use super::play;
use crate::common::json;
use crate::common::{boughs, ran};

/// Plays a pair of games of an engine against an agent. Returns the result.
fn played(game: &str, engine: &str, agent: &str, limit: &str) -> Value {
    let args = ["match", game, engine, agent, "--games", "2", "--openings", "random:2", "--json"];
    let result = json(&ran(boughs().args(args).args(limit.split(' '))).expect());
    let counts = ["wins", "draws", "losses"].map(|name| result["games"][name].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 2, "{result}");
    result
}

fn faults(result: &Value, side: usize) -> &Value {
    &result["sides"][side]["faults"]
}

#[test]
fn the_program_plays_itself_by_gtp_in_every_kind_of_game() {
    let program = env!("CARGO_BIN_EXE_boughs");
    for game in [
        "tictactoe",
        "go:size=5,komi=-3.5",
        "go:size=10",
        "hex:size=10",
        "connect4",
        "othello",
        "breakthrough",
        "yavalath",
    ] {
        let name = game.split(':').next().unwrap();
        let engine = format!("gtp:'{program}' gtp {name} --agent random --time 1ms");
        let result = played(game, &engine, "random", "--iterations 1");
        assert_eq!(*faults(&result, 0), serde_json::json!({}), "{game}: {result}");
    }
}

#[test]
fn the_program_plays_itself_by_ugi_and_uai() {
    let program = env!("CARGO_BIN_EXE_boughs");
    for protocol in ["ugi", "uai"] {
        for (game, limit) in [
            ("breakthrough", "--iterations 5"),
            ("othello", "--iterations 5"),
            ("go:size=4", "--iterations 5"),
            ("yavalath", "--iterations 5"),
            // How a limit is told does not depend on the game.
            ("go:size=4", "--time 5ms --grace 1s"),
        ] {
            let engine = format!("{protocol}:'{program}' ugi {game} --agent mcts:c=0.7");
            let result = played(game, &engine, "random", limit);
            assert_eq!(*faults(&result, 0), serde_json::json!({}), "{game}: {result}");
        }
    }
}

#[test]
fn a_game_that_gtp_is_not_for_is_refused() {
    let sentence = ran(boughs().args(["match", "pig", "gtp:cat", "mcts", "--games", "2"])).expect_failure(2);
    assert!(sentence.starts_with("GTP is for two players who see everything"), "{sentence}");
    assert!(play("tictactoe mcts random --games 2 --iterations 10")["sides"][0]["faults"].is_object());
}

/// The command of an engine of another author, if it is installed.
fn installed(name: &str) -> Option<String> {
    let folders = std::env::var("PATH").unwrap_or_default();
    let found = folders.split(':').chain(["/usr/games"]).map(|folder| format!("{folder}/{name}"));
    let found = found.into_iter().find(|path| std::path::Path::new(path).is_file());
    if found.is_none() {
        eprintln!("not tested: {name} is not installed here");
    }
    found
}

#[test]
fn gnu_go_plays_go_by_the_rules_that_both_know() {
    let Some(engine) = installed("gnugo") else { return };
    let engine = format!("gtp:{engine} --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko");
    for game in ["go:size=7", "go:size=10"] {
        let result = played(game, &engine, "random", "--time 1s --grace 20s");
        assert_eq!(*faults(&result, 0), serde_json::json!({}), "{game}: {result}");
        assert_eq!(result["games"]["wins"].as_u64(), Some(2), "GNU Go beats random moves: {result}");
    }
}

#[test]
fn gtp_rhino_plays_othello_with_its_passes() {
    let Some(engine) = installed("gtp-rhino") else { return };
    let result = played("othello", &format!("gtp:{engine}"), "random", "--time 1s --grace 50s");
    assert_eq!(*faults(&result, 0), serde_json::json!({}), "{result}");
    assert_eq!(result["games"]["wins"].as_u64(), Some(2), "gtp-rhino beats random moves: {result}");
}
