//! Every fault of the input gives one sentence on standard error, nothing on standard output, and the exit code 2.

use crate::common::{boughs, ran, run};

/// Arguments, and the words that the sentence must have.
const FAULTS: &[(&str, &[&str])] = &[
    ("", &["a command is missing"]),
    ("analyse connect4", &["'analyse'", "'analyze'"]),
    ("analyze", &["missing: <GAME>"]),
    ("tournament tictactoe", &["two contestants or more, and here is none", "as in tictactoe mcts flat"]),
    ("tournament tictactoe mcts", &["two contestants or more, and here is one", "as in tictactoe mcts flat"]),
    ("games conect4", &["no game 'conect4'", "did you mean connect4"]),
    ("analyze connect4 --memory 1", &["1 byte of memory"]),
    ("analyze connect4 --colour", &["'--colour'"]),
    ("analyze conect4", &["no game 'conect4'", "did you mean connect4"]),
    ("analyze hex:size=99", &["size must be a number from 3 to 19", "'99'"]),
    ("analyze hex:sise=7", &["no option 'sise'", "size"]),
    ("analyze connect4 --agent alpha", &["unknown agent 'alpha'", "mcts"]),
    ("analyze connect4 --agent mtcs", &["unknown agent 'mtcs'; did you mean mcts?"]),
    ("analyze connect4 --agent days-beem", &["did you mean days-beam?"]),
    ("analyze connect4 --agent mcts:thread=2", &["no key 'thread'; did you mean threads?"]),
    ("agents mtcs", &["no agent 'mtcs'; did you mean mcts?"]),
    ("analyze hex:sise=7", &["did you mean size?"]),
    ("analyze connect4 --agent mcts:x=1", &["no key 'x'", "policy"]),
    ("analyze connect4 --agent mcts:descents=2", &["descents is gone, because its name is traversals now; write"]),
    ("analyze connect4 --agent ranks:mirrors=off", &["mirrors is gone, because", "leave it out"]),
    ("analyze connect4 --agent mcts:c=NaN", &["'NaN'", "a number from 0 to 1000"]),
    ("analyze connect4 --agent flat:x=1", &["agent flat has no key 'x'", "policy"]),
    ("analyze connect4 --agent flat --memory 64M", &["agent flat has no key 'memory'"]),
    ("analyze connect4 --agent flat --tree 2", &["--tree is for the agent mcts", "'flat'"]),
    ("analyze connect4 --agent flat --dot", &["--dot is for the agent mcts"]),
    ("analyze connect4 --agent flat --record /tmp/log", &["--record is for the agent mcts"]),
    ("analyze connect4 --agent worlds", &["hidden information", "try mcts"]),
    ("play kuhn --agent beam", &["hidden information", "try flat"]),
    ("analyze photosynthesis:seed=any", &["chance acts here", "--position, such as map:", "seed=7"]),
    ("analyze connect4 --position 44444444", &["move 7, column 7: '4' is not a legal move"]),
    ("analyze connect4 --position 4448", &["move 4, column 4", "'8'", "legal are 1 2 3"]),
    ("analyze connect4 --position 12121214", &["column 8", "the game is over before '4'"]),
    ("analyze connect4 --position \u{202e}é🌳\u{0}4", &["column 1", "not a legal move"]),
    ("analyze connect4 --time 2", &["'2'", "(ms, s, min or h)"]),
    ("analyze connect4 --time 1e300s", &["'1e300s'", "more time than there is"]),
    ("analyze connect4 --time=-1s", &["'-1s'", "(ms, s, min or h)"]),
    ("analyze connect4 --iterations 1e6", &["'1e6'", "--iterations", "a whole number, 0 or more"]),
    ("analyze connect4 --iterations 99999999999999999999", &["99999999999999999999"]),
    ("analyze connect4 --threads 5000", &["'5000'", "from 0 to 1024"]),
    ("analyze connect4 --seed -1", &["'-1' for '--seed <N>'", "a whole number, 0 or more"]),
    ("analyze connect4 --time -1s", &["'-1s' for '--time <TIME>'", "(ms, s, min or h)"]),
    ("analyze connect4 --memory 12Q", &["'12Q'", "such as 64M"]),
    ("analyze connect4 --memory 0", &["0 bytes of memory cannot hold a tree", "64M"]),
    ("analyze connect4 --memory 64", &["64 bytes of memory cannot hold a tree"]),
    ("analyze connect4 --json --tree 2", &["--json", "--tree"]),
    ("analyze connect4 --dot --json", &["--dot", "--json"]),
    ("analyze connect4 --tree deep", &["'deep'"]),
    ("analyze connect4 --record /no/such/folder/log --iterations 1", &["'/no/such/folder/log' cannot be written"]),
    ("play conect4", &["no game 'conect4'"]),
    ("play connect4 --first you", &["'you'", "me", "engine"]),
    ("play connect4 --clock soon", &["'soon'"]),
    ("check conect4", &["no game 'conect4'"]),
    ("check connect4 --games -1", &["'-1' for '--games <N>'", "a whole number, 1 or more"]),
    ("check connect4 --games 0", &["0", "--games"]),
    ("check connect4 --perft x", &["'x'"]),
    ("check connect4 --perft 99999", &["'99999'", "--perft", "at most 64"]),
    ("replay /no/such/file", &["'/no/such/file' cannot be read"]),
    ("replay /", &["'/' cannot be read"]),
    ("replay --log /no/such/file", &["'/no/such/file' cannot be read"]),
    ("replay --log Cargo.toml --explain", &["--log", "--explain"]),
    ("bench conect4", &["no game 'conect4'"]),
    ("bench --agent flat", &["only the agent mcts goes here", "'flat'"]),
    ("bench --iterations 0", &["0", "--iterations"]),
    ("bench --rounds 0", &["0", "--rounds"]),
    ("scale connect4", &["--out"]),
    ("scale conect4 --out /tmp", &["no game 'conect4'"]),
    ("scale connect4 --agent beam --out /tmp", &["only the agent mcts goes here", "'beam'"]),
    ("scale connect4 --threads 0 --out /tmp", &["'0'", "--threads", "from 1 to 1024"]),
    ("scale connect4 --threads 0,2,x --out /tmp", &["'0' should be", ", and 'x' should be", "from 1 to 1024"]),
    ("scale connect4 --parallel shared,a,b --out /tmp", &["'a' should be", ", and 'b' should be"]),
    ("scale connect4 --threads 1,,2 --out /tmp", &["''", "--threads"]),
    ("scale connect4 --threads= --out /tmp", &["''", "--threads"]),
    ("scale connect4 --parallel forked --out /tmp", &["'forked'", "shared, independent, batched"]),
    ("scale connect4 --rounds 0 --out /tmp", &["0", "--rounds"]),
    ("scale connect4 --out Cargo.toml", &["'Cargo.toml' cannot be used as a folder"]),
    ("scale connect4 --iterations 0 --out /tmp", &["made no playout", "more time or playouts"]),
    ("stress", &["GAME"]),
    ("stress conect4", &["no game 'conect4'"]),
    ("stress connect4 --agent flat", &["boughs stress is for the agent mcts", "'flat'"]),
    ("stress connect4 --time 5", &["'5'", "--time", "(ms, s, min or h)"]),
    ("stress connect4 --time 5ms --margin 5ms", &["--time 5ms", "--margin 5ms", "longer"]),
    ("stress connect4 --time 0ms", &["--time", "longer"]),
    ("stress connect4 --moves 0", &["'0'", "--moves", "1 or more"]),
    ("stress connect4 --load 5000", &["'5000'", "from 0 to 1024"]),
    ("stress connect4 --jitter often", &["'often'", "--jitter"]),
];

#[test]
fn every_fault_is_one_sentence_that_names_it() {
    for (args, parts) in FAULTS {
        let sentence = run(&args.replace('\u{0}', "")).expect_failure(2);
        for part in *parts {
            assert!(sentence.contains(part), "boughs {args}: no '{part}' in '{sentence}'");
        }
    }
}

#[test]
fn a_puzzle_with_a_constant_that_is_not_finite_is_refused() {
    for constant in ["inf", "NaN", "1e999"] {
        let sentence = ran(boughs().arg("replay").write_stdin(format!("1 {constant}\na 1\n"))).expect_failure(2);
        assert!(sentence.contains("line 1, column 3") && sentence.contains("finite"), "{sentence}");
    }
}

#[test]
fn quoted_input_cannot_break_the_line() {
    let ran = ran(boughs().args(["analyze", "a\nb\u{1b}[2J"]));
    assert!(ran.expect_failure(2).contains("'a\\nb\\u{1b}[2J'"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_named() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"conn\xffect4");
    let sentence = ran(boughs().arg("analyze").arg(word)).expect_failure(2);
    assert!(sentence.starts_with("the argument 'conn\u{fffd}ect4' is not UTF-8 text; write it in UTF-8"), "{sentence}");
}

#[cfg(unix)]
#[test]
fn a_file_may_have_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"games\xff.db"));
    let text = ran(boughs()
        .args(["match", "tictactoe", "flat", "mcts", "--games", "2", "--iterations", "5", "--store"])
        .arg(&path))
    .expect();
    assert!(path.is_file() && text.contains("games\\xff.db'"), "{text}");
}
