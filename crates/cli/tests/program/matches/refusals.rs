//! Matches that cannot be played are refused in one sentence with its cure, and nothing is kept of them.

use std::fs;

use tempfile::tempdir;

use crate::common::run;

/// Arguments, and the words that the sentence must have. `DIR` is a folder with files of openings.
const FAULTS: &[(&str, &[&str])] = &[
    ("tictactoe mcts", &["a second side beside mcts", "as in tictactoe mcts flat"]),
    ("tictactoe", &["two sides", "as in tictactoe mcts flat"]),
    ("conect4 mcts mcts", &["no game 'conect4'", "did you mean connect4"]),
    ("tictactoe alpha mcts", &["unknown agent 'alpha'", "mcts, flat", "cmd:./bot --flag"]),
    ("tictactoe mcts mcts:x=1", &["no key 'x'", "policy"]),
    ("tictactoe cmd: mcts", &["no command after 'cmd:'", "cmd:./bot --flag"]),
    ("tictactoe cmd:'x mcts", &["a quote without its end", "close it"]),
    ("tictactoe worlds mcts", &["hidden information", "try mcts"]),
    ("kuhn mcts cmd:./bot", &["in kuhn", "in secret", "programs play games in which everything is open"]),
    ("tictactoe mcts mcts --time 0", &["'0'", "--time", "such as 500ms"]),
    ("tictactoe mcts mcts --time 0s", &["--time 0", "give at least 1ms"]),
    ("tictactoe mcts mcts --time 1s --iterations 5", &["--time", "--iterations"]),
    ("tictactoe mcts mcts --iterations 0", &["'0'", "--iterations", "1 or more"]),
    ("tictactoe mcts mcts --games 0", &["'0'", "--games", "1 or more"]),
    ("tictactoe mcts mcts --games 18446744073709551615", &["--games", "at most 281474976710656"]),
    ("tictactoe mcts mcts --only 18446744073709551615", &["--only", "at most 281474976710655"]),
    ("tictactoe mcts mcts --games 3 --only 4", &["--only 4", "4 games", "from 0 to 3"]),
    ("connect4 mtcs mcts", &["did you mean mcts?"]),
    ("connect4 mcts mcts:thread=2", &["did you mean threads?"]),
    ("connect4 mcts mcts --openings random:999", &["openings of 999 random moves leave no game", "none went on"]),
    ("tictactoe mcts mcts --sprt 5,0", &["from a lower Elo to a higher one"]),
    ("tictactoe mcts mcts --sprt 5", &["'5'", "write one as 0,5"]),
    ("nim:players=3 mcts mcts --sprt 0,5", &["--sprt", "3 players", "use --games"]),
    ("tictactoe mcts mcts --concurrency 0", &["'0'", "--concurrency", "from 1 to 1024"]),
    ("tictactoe mcts mcts --openings random:x", &["'x'", "random:4"]),
    ("tictactoe mcts mcts --openings DIR/none", &["none' cannot be read", "random:PLIES or a file of moves"]),
    ("tictactoe mcts mcts --openings DIR/empty", &["empty' has no opening", "one in each line"]),
    (
        "tictactoe mcts mcts --openings DIR/bad",
        &["opening 2, move 2, column 3", "'z' is not a legal move", "legal are 1 2"],
    ),
    ("tictactoe mcts mcts --openings DIR/over", &["opening 1", "the game is over", "leave some of them out"]),
];

#[test]
fn every_fault_is_one_sentence_with_its_cure_and_no_store_is_made() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, text) in [("empty", "# none\n"), ("bad", "5 9\n5 z\n"), ("over", "1 4 2 5 3\n")] {
        fs::write(path(name), text).unwrap();
    }
    let store = path("games.db");
    for (args, parts) in FAULTS {
        let args = args.replace("DIR", folder.path().to_str().unwrap());
        let store = if args.contains("--only") { String::new() } else { format!(" --store {}", store.display()) };
        let sentence = run(&format!("match {args}{store}")).expect_failure(2);
        for part in *parts {
            assert!(sentence.contains(part), "boughs match {args}: no '{part}' in '{sentence}'");
        }
    }
    assert!(!store.exists(), "a match that was refused has left a store");
}

#[test]
fn a_store_that_cannot_be_one_is_named() {
    let folder = tempdir().unwrap();
    let foreign = folder.path().join("notes.txt");
    fs::write(&foreign, "Remember the milk, and much more than the hundred bytes that a head would have.\n".repeat(9))
        .unwrap();
    let refused = |path: &str| {
        run(&format!("match tictactoe mcts mcts --iterations 2 --games 2 --store {path}")).expect_failure(2)
    };
    let sentence = refused(foreign.to_str().unwrap());
    assert!(sentence.contains("something other than a store") && sentence.contains("another file"), "{sentence}");
    let sentence = refused("/no/such/folder/games.db");
    assert!(
        sentence.contains("'/no/such/folder/games.db' does not exist") && sentence.contains("make it"),
        "{sentence}"
    );
    let sentence = refused(folder.path().to_str().unwrap());
    assert!(sentence.contains("is a folder; name a file in it"), "{sentence}");
    assert!(fs::read_to_string(foreign).unwrap().starts_with("Remember the milk"));
}

#[cfg(unix)]
#[test]
fn a_program_that_is_not_there_loses_no_game_but_ends_the_match() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("bot");
    fs::write(&file, "").unwrap();
    for (program, says) in [("./no-such-bot", "write its path"), (file.to_str().unwrap(), "chmod +x")] {
        let sentence = run(&format!("match tictactoe mcts cmd:{program} --iterations 2 --games 4")).expect_failure(2);
        let begins = format!("cmd:{program} could not be started: ");
        assert!(sentence.starts_with(&begins) && sentence.contains(says), "{sentence}");
    }
}
