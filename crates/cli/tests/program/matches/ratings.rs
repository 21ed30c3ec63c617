//! `boughs tournament`: all play all, and each contestant has a rating.

use tempfile::tempdir;

use crate::common::{json, run};

const TOURNAMENT: &str =
    "tournament tictactoe mcts:c=1000 mcts flat --iterations 60 --rounds 30 --openings random:2 --seed 3";

#[test]
fn ratings_follow_strength_and_every_pair_has_met() {
    let result = json(&run(&format!("{TOURNAMENT} --json")).expect());
    let meetings = result["meetings"].as_array().unwrap();
    assert_eq!(meetings.len(), 3);
    for meeting in meetings {
        let games: u64 = ["wins", "draws", "losses"].iter().map(|of| meeting[of].as_u64().unwrap()).sum();
        assert_eq!(games, 60, "{meeting}");
    }
    let text = run(TOURNAMENT).expect();
    let place = |agent: &str| text.lines().position(|line| line.contains(agent)).unwrap();
    assert!(place(" mcts ") < place(" mcts:c=1000"), "the stronger stands first: {text}");
}

#[test]
fn a_gauntlet_plays_the_first_against_each_other() {
    let result = json(&run(&format!("{TOURNAMENT} --gauntlet --json")).expect());
    let pairs: Vec<_> = result["meetings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|meeting| (meeting["first"].clone(), meeting["second"].clone()))
        .collect();
    assert_eq!(pairs, [(0.into(), 1.into()), (0.into(), 2.into())]);
}

#[test]
fn the_same_command_goes_on_from_its_store() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let play = |rounds: u32| {
        let args = TOURNAMENT.replace("--rounds 30", &format!("--rounds {rounds} --store {}", store.display()));
        json(&run(&format!("{args} --json")).expect())["meetings"].clone()
    };
    play(10);
    let [all, again] = [play(30), play(30)];
    assert_eq!(all, again, "nothing is left to play");
    let alone = json(&run(&format!("{TOURNAMENT} --json")).expect());
    for (kept, fresh) in all.as_array().unwrap().iter().zip(alone["meetings"].as_array().unwrap()) {
        assert_eq!(kept["pairs"], fresh["pairs"]);
    }
}

#[test]
fn a_game_for_three_is_refused_before_there_is_a_store() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let sentence = run(&format!("tournament nim:players=3 mcts flat --iterations 5 --store {}", store.display()));
    assert!(sentence.expect_failure(2).contains("'boughs match' compares two agents in it"));
    assert!(!store.exists());
}
