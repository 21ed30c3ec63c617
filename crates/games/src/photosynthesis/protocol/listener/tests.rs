//! Tests of reading questions, whole and damaged.

use super::super::super::{Action, Map, Position};
use super::super::ground_text;
use super::*;

fn told() -> String {
    let map = Map::from_seed(1);
    let position = Position::start(&map);
    let mut actions = Vec::new();
    position.legal_actions(1, &mut actions);
    ground_text(&map.ground) + &View::of(&position, 1, &actions).to_string()
}

/// Reads the ground and all turns, or the first fault.
fn read(told: &[u8]) -> Result<Vec<View>, String> {
    let mut listener = Listener::new(told);
    let (ground, read) = listener.ground();
    read.map_err(|fault| fault.to_string())?;
    let mut views = Vec::new();
    while let Some(view) = listener.turn().map_err(|fault| fault.to_string())? {
        view.position(ground)?;
        views.push(view);
    }
    Ok(views)
}

#[test]
fn what_is_told_is_understood() {
    let views = read(told().as_bytes()).expect("a turn");
    let position = Position::start(&Map::from_seed(1));
    assert_eq!((views.len(), views[0].trees.len(), views[0].actions[0]), (1, 4, Action::Wait));
    let seen = views[0].position(position.ground()).expect("a position");
    assert_eq!([seen.trees(0), seen.trees(1)], [position.trees(1), position.trees(0)]);
    assert_eq!(read(told().replace('\n', "\r\n").as_bytes()), Ok(views));
}

#[test]
fn a_fault_names_its_line() {
    for (from, to, message) in [
        ("37\n", "36\n", "line 1: the board has 37 cells, not 36"),
        ("0 3 1 2 3 4 5 6", "0 3 1 2 3 4 5", "line 2: there should be 8 whole numbers here, not '0 3 1 2 3 4 5'"),
        ("0 3 1 2 3 4 5 6", "0 4 1 2 3 4 5 6", "line 2: the richness of a cell cannot be 4; 3 is the most"),
        ("0 3 1 2 3 4 5 6", "0 3 1 2 3 4 6 5", "line 2: these are not the neighbours of a cell 0"),
        ("\n20\n", "\n-20\n", "line 40: nutrients cannot be -20; 255 is the most"),
        ("\n2 0 0\n", "\n2 0 2\n", "line 42: a flag cannot be 2; 1 is the most"),
        (
            "\n2 0\n",
            "\n99999999999999999999 0\n",
            "line 41: there should be 2 whole numbers here, not '99999999999999999999 0'",
        ),
        ("WAIT", "SLEEP", "line 49: 'SLEEP' is not an action"),
        ("\n4\n", "\n38\n", "line 43: trees cannot be 38; 37 is the most"),
        ("21 1 0 0", "37 1 0 0", "line 44: there is no cell 37"),
        ("21 1 0 0", "1 1 0 0", "cell 1 has no room for a tree, so there cannot be one"),
    ] {
        let broken = told().replacen(from, to, 1);
        assert!(broken != told(), "{from}");
        assert_eq!(read(broken.as_bytes()), Err(message.to_string()));
    }
}

/// The ground and a turn.
fn ground_and_turn() -> [String; 2] {
    let told = told();
    let (ground, turn) = told.split_at(ground_text(&Map::from_seed(1).ground).len());
    [ground, turn].map(str::to_string)
}

/// Reads all turns; true for each one that was understood.
fn answers(told: &str) -> Vec<bool> {
    let mut listener = Listener::new(told.as_bytes());
    let _ = listener.ground();
    std::iter::from_fn(|| match listener.turn() {
        Ok(turn) => turn.map(|_| true),
        Err(_) => Some(false),
    })
    .collect()
}

#[test]
fn every_question_has_one_answer_with_every_fault() {
    let [ground, turn] = ground_and_turn();
    let lines: Vec<&str> = turn.lines().collect();
    let counts = [4, 4 + 1 + lines[4].parse::<usize>().expect("a number of trees")];
    for place in 0..lines.len() {
        let less = lines[place].parse().map_or(0, |number: i64| number - 1).to_string();
        for (what, instead) in [
            ("left out", vec![]),
            ("said twice", vec![lines[place]; 2]),
            ("after a blank line", vec!["", lines[place]]),
            ("no number", vec!["x"]),
            ("one less", vec![&less]),
        ] {
            let mut changed = lines.clone();
            changed.splice(place..=place, instead);
            let told = format!("{ground}{turn}{}\n{turn}{turn}", changed.join("\n"));
            let answers = answers(&told);
            assert_eq!(answers.len(), 4, "line {place} {what}: {answers:?}");
            assert!(answers[1] || !what.contains("blank"), "line {place}");
            // A surplus action is the beginning of the next turn.
            let swallows = place > counts[1] && what == "left out";
            assert!(answers[0] && answers[3] && (answers[2] || swallows), "line {place} {what}: {answers:?}");
        }
    }
}

#[test]
fn what_is_told_between_turns_is_no_question() {
    let [ground, turn] = ground_and_turn();
    for between in ["\n", " \n\n", "GROW 19\nSEED 21 5\n", "21 1 0 0\n7\nWAIT\n", "hello\n", "5\n", "7\n5\n", &ground] {
        let told = format!("{ground}{turn}{between}{turn}{between}{turn}");
        assert_eq!(answers(&told), [true; 3], "{between:?}");
    }
}

#[test]
fn after_a_fault_the_next_turn_is_found() {
    let [ground, turn] = ground_and_turn();
    let whole = read(format!("{ground}{turn}").as_bytes()).expect("a turn");
    for (from, to) in
        [("\n4\n", "\nx\n"), ("\n4\n", "\n5\n"), ("\n4\n", "\n3\n"), ("\n20\n", "\nx\n"), ("WAIT", "SLEEP")]
    {
        let told = format!("{ground}{}{turn}{turn}", turn.replacen(from, to, 1));
        let mut listener = Listener::new(told.as_bytes());
        assert!(listener.ground().1.is_ok());
        assert!(listener.turn().is_err(), "{to}");
        let turns: Vec<View> = std::iter::from_fn(|| listener.turn().ok().flatten()).collect();
        assert_eq!(turns.len(), 2, "{to}");
        assert!(turns.iter().all(|turn| *turn == whole[0]), "{to}");
    }
    for first in ["36\n", "0\n", "\u{fffd}\n"] {
        let told = ground.replacen("37\n", first, 1) + &turn;
        let mut listener = Listener::new(told.as_bytes());
        assert!(listener.ground().1.is_err(), "{first}");
        assert_eq!(listener.turn().expect("a turn").as_ref(), Some(&whole[0]), "{first}");
    }
}

#[test]
fn of_a_ground_with_a_fault_the_good_cells_are_kept() {
    let [ground, turn] = ground_and_turn();
    let right = Map::from_seed(1).ground;
    let lines: Vec<&str> = ground.lines().collect();
    for place in 0..CELLS {
        let cell = Cell::new(place as u32).expect("a cell");
        let mut expected: Vec<u32> = Cell::all().map(|cell| right.richness(cell)).collect();
        expected[place] = Ground::whole().richness(cell);
        let expected = Ground::new(|cell| expected[cell.index() as usize]).expect("a ground");
        for instead in [vec!["x"], vec!["0 9 1 2 3 4 5 6"], vec![]] {
            let mut changed = lines.clone();
            changed.splice(place + 1..place + 2, instead);
            // A turn with a fault is answered after that, too.
            for first in [turn.clone(), turn.replacen("20", "x", 1)] {
                let told = format!("{}\n{first}{turn}", changed.join("\n"));
                let mut listener = Listener::new(told.as_bytes());
                let (ground, read) = listener.ground();
                assert!(read.is_err() && ground == expected, "{place}");
                assert_eq!(listener.turn().is_ok(), first == turn);
                assert!(listener.turn().expect("a turn").is_some());
                assert!(listener.turn().expect("the end").is_none());
            }
        }
    }
    let mut none = Listener::new(turn.as_bytes());
    assert!(none.ground().1.is_err() && none.turn().expect("a turn").is_some(), "a turn is no ground");
}

#[test]
fn input_that_is_cut_anywhere_is_a_fault_and_not_the_end_of_the_program() {
    let told = told();
    let [ground, _] = ground_and_turn();
    let last_line = told.trim_end().rfind('\n').expect("many lines");
    for end in 0..=last_line {
        let is_whole = end == ground.len() || end == ground.len() - 1;
        assert_eq!(read(&told.as_bytes()[..end]).is_ok(), is_whole, "{end}");
        let cut = String::from_utf8_lossy(&told.as_bytes()[..end]);
        let answers = answers(&cut);
        // The last line of the ground, if it is cut, may be that of a day.
        let is_answered = if end <= ground.len() { answers.len() <= 1 } else { answers == [false] };
        assert!(is_answered, "{end}: {answers:?}");
    }
    assert!(read(&vec![b'7'; 1 << 20]).is_err(), "a line without end");
    for noise in [&b"\xff\xfe\n"[..], b"\n\n\n", b"37\n\n"] {
        assert!(read(noise).is_err());
    }
}
