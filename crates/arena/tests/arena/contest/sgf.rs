//! Games as SGF: what is written is read, and what is no game is named.

use std::collections::BTreeSet;

use boughs::{Rng, Session, Turn};
use boughs_arena::sgf::{self, TreeMove};
use boughs_games::start;

/// Reads a text and returns the moves, as the game writes them.
fn moves(text: &str, game: &str) -> Result<(String, String), String> {
    let read = sgf::read(text, game, None).map_err(|error| error.to_string())?;
    Ok((read.spec, read.start.position.write_moves(&read.actions)))
}

#[test]
fn random_games_are_read_as_they_were_written() {
    for game in ["go:size=5,komi=6.5", "go:size=19,komi=-3", "hex:size=11", "othello"] {
        let start = start(game).unwrap();
        for stream in 0..3 {
            let (mut position, mut rng) = (start.position.clone(), Rng::new(4, stream));
            let mut texts = Vec::new();
            while let Turn::Player(_) = position.turn() {
                let action = position.random_action(&mut rng).unwrap();
                texts.push(position.action_text(action));
                position.apply(action);
            }
            let text = sgf::write(&start, &texts, ["a [b] \\ c:d", "x\ny"], "?").unwrap();
            let read = sgf::read(&text, start.entry.name, None).unwrap();
            assert_eq!(read.start.position.board(), start.position.board(), "{game}");
            let mut position = read.start.position.clone();
            let again = read.actions.iter().map(|&action| {
                let text = position.action_text(action);
                position.apply(action);
                text
            });
            assert_eq!(again.collect::<Vec<_>>(), texts, "{game}");
            let half = sgf::read(&text, start.entry.name, Some(4)).unwrap();
            assert_eq!(half.actions, read.actions[..3]);
        }
    }
}

#[test]
fn random_variations_are_read_as_they_were_written() {
    for game in ["go:size=5,komi=0.5", "hex:size=6", "othello"] {
        let start = start(game).unwrap();
        let mut rng = Rng::new(24, 1);
        let (mut moves, mut after) = (Vec::<TreeMove>::new(), Vec::<Box<dyn Session>>::new());
        while moves.len() < 200 {
            // A move that is new there, after any place so far.
            let at = rng.below(moves.len() as u32 + 1) as usize;
            let place = at.checked_sub(1);
            let mut position = place.map_or_else(|| start.position.clone(), |place: usize| after[place].clone());
            let Some(action) = position.random_action(&mut rng) else { continue };
            let text = position.action_text(action);
            if moves.iter().any(|one| one.after == place && one.text == text) {
                continue;
            }
            position.apply(action);
            moves.push(TreeMove { after: place, text });
            after.push(position);
        }
        let written = sgf::write_tree(&start, &moves, ["", ""], "?").unwrap();
        let read = sgf::read_tree(&written).unwrap();
        assert_eq!(read.left_out, []);
        assert_eq!(lines(&read.moves), lines(&moves), "{game}");
        assert_eq!(sgf::write_tree(&start, &read.moves, ["", ""], "?").unwrap(), written, "{game}");
    }
}

/// The lines to all moves, in their order.
fn lines(moves: &[TreeMove]) -> BTreeSet<String> {
    let mut lines: Vec<String> = Vec::new();
    for one in moves {
        lines.push(one.after.map_or_else(String::new, |after| format!("{} ", lines[after])) + &one.text);
    }
    lines.into_iter().collect()
}

#[test]
fn as_many_variations_within_each_other_are_read_as_are_written() {
    let start = start("go:size=19").unwrap();
    // Two moves at each place: one goes on, and the other does not.
    let (mut moves, mut after) = (Vec::new(), None);
    for number in 0..30 {
        let text = format!("{}{}", ["a", "b"][number % 2], 1 + number / 2);
        moves.push(TreeMove { after, text });
        moves.push(TreeMove { after, text: "pass".into() });
        after = Some(2 * number);
    }
    let written = sgf::write_tree(&start, &moves, ["", ""], "?").unwrap();
    assert_eq!(lines(&sgf::read_tree(&written).unwrap().moves), lines(&moves));
    let deep = format!("(;GM[1]{}{}", "(;C[]".repeat(3_998), ")".repeat(3_999));
    assert_eq!(sgf::read_tree(&deep).unwrap().moves, []);
}

#[test]
fn a_variation_that_is_wrong_is_left_out() {
    let read = |text| sgf::read_tree(text).map_err(|error| error.to_string());
    let tree = read("(;SZ[5];B[cc](;W[cc])(;AE[cc];W[bb])(;W[aa](;B[bb])(;B[aa])))").unwrap_err();
    assert_eq!(tree, "move 2, W[cc]: the move is not legal");
    let tree = read("(;SZ[5];B[cc](;W[bb])(;W[aa](;B[bb])(;B[aa];W[dd]))(;AE[cc];W[bb]))").unwrap();
    let moves: Vec<_> = tree.moves.iter().map(|one| (one.after, &*one.text)).collect();
    assert_eq!(moves, [(None, "c3"), (Some(0), "b4"), (Some(0), "a5"), (Some(2), "b4")]);
    let faults: Vec<String> = tree.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(faults[0], "move 3, B[aa]: the move is not legal");
    assert!(faults[1].starts_with("AE[cc]") && faults.len() == 2, "{faults:?}");
    let start = start("go:size=5").unwrap();
    let early = [TreeMove { after: Some(0), text: "a1".into() }];
    assert!(sgf::write_tree(&start, &early, ["", ""], "?").is_err());
}

#[test]
fn files_of_other_programs_are_read() {
    let of = |spec: &str, moves: &str| Ok((spec.to_string(), moves.to_string()));
    // Handicap stones, passes in both ways, variations and comments.
    let text = "(;GM[1]FF[4]SZ[9]KM[0.50]HA[2]AB[cg][gc]C[a \\] b];W[ee];B[];W[aa];B[tt](;W[bb])(;W[cc]))";
    assert_eq!(moves(text, "go"), of("go:size=9,komi=0.5", "c3 pass g7 e5 pass a9 pass b8"));
    assert_eq!(moves("(;B[ee];B[cc])", "go"), of("go:size=19", "e15 pass c17"));
    assert_eq!(moves("\u{feff}(;SZ[5];B[aa];W[];B[];W[];B[tt])", "go"), of("go:size=5", "a5 pass pass"));
    let comment = format!("(;SZ[5]C[{}\\\\];B[aa])", "( ; \\] ".repeat(5_000));
    assert_eq!(moves(&comment, "go"), of("go:size=5", "a5"));
    assert_eq!(moves("(;GM[1]SZ[5]AW[aa]PL[W])", "go"), of("go:size=5", "pass a5 pass"));
    assert_eq!(moves("(;GM[11]SZ[5];B[c3];W[resign])", "hex"), of("hex:size=5", "c3"));
    assert_eq!(moves("(;GM[2]SZ[8]AB[ed][de]AW[dd][ee];B[dc];W[C3])", "othello"), of("othello", "d3 c3"));
}

#[test]
fn a_fault_of_a_file_is_named() {
    for (text, game, says) in [
        ("", "go", "this is no SGF"),
        ("(;GM[11];B[a1])", "go", "the file has the game GM[11], and go is GM[1]"),
        ("(;GM[1])", "connect4", "SGF is for go, hex and othello"),
        ("(;GM[1]SZ[25])", "go", "size must be a number from 2 to 19"),
        ("(;SZ[9];B[aa];W[aa])", "go", "move 2, W[aa]: the move is not legal"),
        ("(;SZ[9];B[a];W[aa])", "go", ""),
        ("(;GM[11];B[swap-pieces])", "hex", "move 1, B[swap-pieces]: that is no point"),
        ("(;GM[11];W[a1])", "hex", "move 1, W[a1]: it is not the turn of this colour"),
        ("(;GM[2]AB[aa])", "othello", "AB[aa]: only in Go can stones be set up"),
    ] {
        let fault = moves(text, game).expect_err(text);
        assert!(fault.contains(says), "{text}: {fault}");
    }
    for part in ["(;B[aa]", ";", "(", ";B[]"] {
        let deep = format!("(;GM[1]{})", part.repeat(100_000));
        assert!(moves(&deep, "go").expect_err(part).contains("at most"));
    }
    assert!(moves(&format!("(;GM[1]{})", ";C[]".repeat(3_999)), "go").is_ok(), "as many nodes as are allowed");
    assert!(moves("(;SZ[9];B[ee];AE[ee])", "go").is_err());
    let before = sgf::read("(;SZ[9];B[ee];W[cc];AW[gg])", "go", Some(1)).unwrap();
    assert!(before.actions.is_empty());
}

#[test]
fn two_thousand_files_with_mistakes_are_no_panic() {
    read_files_with_mistakes(2_000);
}

/// `cargo test -p boughs-arena --test arena -- --ignored files_with_mistakes`
#[test]
#[ignore = "takes half a minute"]
fn twenty_thousand_files_with_mistakes_are_no_panic() {
    read_files_with_mistakes(20_000);
}

fn read_files_with_mistakes(count: usize) {
    let text = b"(;GM[1]FF[4]SZ[9]KM[5.5]AB[cg][gc]AW[aa:cc]PL[B]C[a \\] b];B[ee];W[];B[ff](;W[tt])(;W[bb];B[cc]))";
    let mut rng = Rng::new(23, 1);
    let mut read = 0;
    for _ in 0..count {
        let mut text = text.to_vec();
        for _ in 0..=rng.below(4) {
            let at = rng.below(text.len().max(1) as u32) as usize;
            match rng.below(4) {
                0 | 1 if text.is_empty() => {}
                0 => drop(text.remove(at)),
                1 => text[at] = b"()[];:\\a1Z \xff\0"[rng.below(13) as usize],
                2 => text.insert(at.min(text.len()), b"()[];:\\a1Z \xff\0"[rng.below(13) as usize]),
                _ => text.truncate(at.max(1)),
            }
        }
        let text = String::from_utf8_lossy(&text);
        read += ["go", "hex", "othello"].iter().filter(|game| moves(&text, game).is_ok()).count();
        let _ = sgf::read_tree(&text);
    }
    assert!(read > count / 20, "{read}");
}
