//! `boughs tournament`: all play all, and each contestant has a rating.

use std::fs;

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
fn places_with_the_same_bound_show_who_won_between_them() {
    let text = run("tournament connect4 mcts flat random --iterations 200 --rounds 2 --seed 3").expect();
    let row = |place: usize| text.lines().find(|line| line.starts_with(&format!(" {place}  "))).unwrap();
    for (place, agent) in [(2, " flat "), (3, " random ")] {
        let points = format!("0 of 4 against place {}", place - 1);
        let words = "too few games to tell (it lost every game against those on the scale; at most +216.2)";
        assert!([agent, words, &points].iter().all(|part| row(place).contains(part)), "{text}");
    }
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

#[test]
fn equal_contestants_are_named_in_a_warning() {
    let warnings = |contestants: &str| {
        let args = format!("tournament tictactoe {contestants} --iterations 5 --rounds 2 --openings random:2-4 --json");
        json(&run(&args).expect())["warnings"].to_string()
    };
    let equal = warnings("mcts flat mcts");
    assert!(equal.contains("contestants 1 and 3 are the same, mcts; between equals only luck"), "{equal}");
    assert!(!warnings("mcts flat mcts:c=0.3").contains("are the same"));
}

#[test]
fn a_game_outside_of_the_plan_is_refused() {
    let only = |number: u32| run(&format!("tournament tictactoe mcts flat random --iterations 5 --only {number}"));
    assert!(only(299).expect().starts_with("game 299 of tictactoe"));
    let sentence = only(300).expect_failure(2);
    assert!(sentence.contains("--only 300 is outside of the plan, which has 300 games"), "{sentence}");
}

#[test]
fn games_that_make_no_whole_pairs_are_announced() {
    let warnings = |games: &str| {
        let args = format!("match {games} --iterations 5 --openings random:1-3 --json");
        json(&run(&args).expect())["warnings"].to_string()
    };
    let pairs = warnings("tictactoe mcts flat --games 3");
    assert!(pairs.contains("--games 3 plays 4 games, because they come in whole pairs"), "{pairs}");
    let rounds = warnings("nim:players=3 mcts flat --games 4");
    assert!(rounds.contains("--games 4 plays 6 games, because they come in whole rounds"), "{rounds}");
    assert!(!warnings("tictactoe mcts flat --games 4").contains("--games"));
    let folder = tempdir().unwrap();
    let (plan, page) = (folder.path().join("plan"), folder.path().join("page"));
    let args = "match tictactoe mcts flat --games 7 --iterations 5 --openings random:2";
    let planned = run(&format!("{args} --plan {}", plan.display())).expect();
    let _ = run(&format!("{args} --html {}", page.display())).expect();
    for text in [planned, fs::read_to_string(page).unwrap()] {
        assert!(text.contains("--games 7 plays 8 games, because they come in whole pairs"), "{text}");
    }
}
