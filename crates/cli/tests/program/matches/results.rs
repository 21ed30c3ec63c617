//! The result of a match: the same for the same seed, with any number of games at a time.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use super::{play, timeless};
use crate::common::{json, run};

#[test]
fn the_same_seed_and_playouts_give_the_same_result_one_or_several_games_at_a_time() {
    for (args, most) in [
        ("tictactoe mcts mcts:c=0.3 --iterations 50 --games 80 --openings random:2 --seed 4", 80),
        ("connect4 mcts mcts:c=1000 --iterations 40 --sprt 0,80 --openings random:2-4", u64::MAX),
        ("nim:heaps=1-2-3,players=3 mcts mcts:c=0.3 --iterations 20 --games 60 --seed 1", 60),
        ("2048 mcts:c=0.3 flat --iterations 3 --games 4", 4),
    ] {
        let [one, two, three, again] =
            [1, 2, 3, 3].map(|tables| timeless(play(&format!("{args} --concurrency {tables}"))));
        assert_eq!(one, two, "{args}");
        assert_eq!(one, three, "{args}");
        assert_eq!(three, again, "{args}");
        let games = &one["games"];
        let count: u64 = ["wins", "draws", "losses"].map(|result| games[result].as_u64().unwrap()).iter().sum();
        assert!((2..=most).contains(&count) && one["unpaired"] == 0, "{args}: {one}");
        assert_ne!(
            one,
            timeless(play(&format!("{args} --seed 99").replacen("--seed 4", "", 1).replacen("--seed 1 ", "", 1)))
        );
    }
}

#[test]
fn a_sequential_test_ends_by_itself_in_both_directions_and_says_so() {
    let args = "connect4 A B --iterations 200 --sprt 0,100 --openings random:2";
    for (a, b, decision, says) in [
        ("mcts", "mcts:c=0", "accept_h1", "A is stronger by Elo 100 at least"),
        ("mcts:c=0", "mcts", "accept_h0", "A is stronger by Elo 0 at most"),
    ] {
        let args = args.replace('A', a).replace('B', b);
        let result = play(&args);
        assert_eq!(
            (&result["sprt"]["decision"], &result["interrupted"]),
            (&decision.into(), &false.into()),
            "{result}"
        );
        let (llr, bound) = (result["sprt"]["llr"].as_f64().unwrap(), result["sprt"]["upper"].as_f64().unwrap());
        assert!(llr.abs() >= bound && llr.abs() < bound + 1.5, "it ends with the pair that decides: {llr}");
        assert!(run(&format!("match {args}")).expect().contains(says), "{args}");
    }
}

#[test]
fn a_test_that_games_cannot_decide_says_that_it_is_not_decided() {
    let result = play("tictactoe mcts mcts --iterations 20 --sprt 0,5 --games 6 --openings random:2");
    assert_eq!((&result["sprt"]["decision"], &result["pairs"].as_array().unwrap().len()), (&"continue".into(), &5));
    let text = run("match tictactoe mcts mcts --iterations 20 --sprt 0,5 --games 6 --openings random:2").expect();
    assert!(text.contains("not decided between Elo 0 and 5") && text.contains("6 in 3 pairs"), "{text}");
}

#[test]
fn openings_of_a_file_are_played_in_turn_by_both() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("openings");
    fs::write(&file, "# corners first\n1 9\n\n5 1 2\n").unwrap();
    let game = |number: u32| {
        let args = format!("tictactoe mcts flat --iterations 10 --openings {} --only {number}", file.display());
        let game = play(&args);
        (game["opening"].clone(), game["seats"][0].clone())
    };
    let expected = |opening: &[&str], seat: &str| (Value::from(opening), Value::from(seat));
    assert_eq!(game(0), expected(&["1", "9"], "mcts"));
    assert_eq!(game(1), expected(&["1", "9"], "flat"));
    assert_eq!(game(2), expected(&["5", "1", "2"], "mcts"));
    assert_eq!(game(5), expected(&["1", "9"], "flat"));
}

#[test]
fn no_count_makes_a_number_missing_or_infinite() {
    // One pair, won twice by the first player, or by A; and all alike.
    for args in ["tictactoe mcts mcts --iterations 1 --games 1", "tictactoe mcts mcts:c=1000 --iterations 9 --games 2"]
    {
        let text = run(&format!("match {args}")).expect();
        assert!(!text.contains("NaN") && !text.contains("inf") && text.contains("2 in 1 pair:"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn points_refused_commands_and_the_running_program_by_its_name() {
    use crate::common::{boughs, ran};

    let bot = "cmd:boughs bot photosynthesis --agent greedy --margin 1ms";
    let args = ["match", "photosynthesis:seed=1", "greedy", bot, "--games", "2", "--time", "1s"];
    let command = |last: &[&str]| ran(boughs().env("PATH", "/usr/bin:/bin").args(args).args(last)).expect();
    let report = crate::common::json(&command(&["--json"]));
    for side in 0..2 {
        let columns = &report["sides"][side]["columns"];
        assert!(columns["points"].as_f64().unwrap() > 20.0 && columns["late"] == 0.0, "{report}");
    }
    assert_eq!(report["sides"][1]["columns"]["refused"], 0.0, "{report}");
    assert!(report["sides"][0]["columns"]["refused"].is_null(), "{report}");
    let warnings = report["warnings"].as_array().unwrap();
    assert!(warnings.iter().all(|warning| warning.as_str().unwrap().contains("kept the machine busy")), "{report}");
    let text = command(&[]);
    assert!(text.matches("; points ").count() == 2 && !text.contains("refused"), "{text}");
}

#[test]
fn a_bound_that_tells_nothing_is_no_headline() {
    let elo = |games: u64| {
        let text = run(&format!("match connect4 mcts random --iterations 200 --games {games}")).expect();
        text.lines().find(|line| line.trim_start().starts_with("Elo ")).unwrap().trim().to_string()
    };
    assert_eq!(elo(2), "Elo        too few games to tell (all pairs were won twice; at least -511.5)");
    assert_eq!(elo(10), "Elo        at least +34.4 (all pairs were won twice)");
}

#[test]
fn a_side_that_does_not_suit_the_game_is_named_with_the_agent_that_does() {
    let warnings = |sides: &str| {
        json(&run(&format!("match {sides} --iterations 2 --games 2 --json")).expect())["warnings"].to_string()
    };
    let said = warnings("pig mcts flat");
    assert_eq!(
        said.matches("mcts is not the agent that suits pig; that is mcts:c=0.5,expand=300").count(),
        1,
        "{said}"
    );
    for sides in ["tictactoe mcts flat", "pig mcts mcts:c=0.5,expand=300", "pig mcts:c=0.7 flat"] {
        assert!(!warnings(sides).contains("suits"), "{sides}");
    }
}
