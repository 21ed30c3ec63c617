//! Tests of writing and reading views, whole and damaged.

use super::super::super::{OwnLuck, Referee, Setup};
use super::*;

#[test]
fn what_is_written_is_read_again() {
    let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(2)), OwnLuck::new(2));
    while referee.ending().is_none() {
        let view = referee.view();
        let text = view.lines().join("\n") + "\n";
        assert_eq!(View::read(&mut text.as_bytes()).expect("a view"), Some(view));
        referee.answer(Some("RANDOM"), &mut luck);
    }
}

/// Reads all decisions; true for each one that was understood.
fn answers(mut told: &[u8]) -> Vec<bool> {
    std::iter::from_fn(|| match View::read(&mut told) {
        Ok(view) => view.map(|_| true),
        Err(_) => Some(false),
    })
    .collect()
}

#[test]
fn every_question_has_one_answer_with_every_fault() {
    let lines = Referee::new(&Setup::of_seed(1)).view().lines();
    let text = lines.join("\n") + "\n";
    // The lines after this place are offers, which may be anything; their number is announced.
    let (offers, _) = lines.iter().enumerate().find(|(_, line)| line.starts_with("MOVE ")).expect("an offer");
    for place in 0..lines.len() {
        for (what, instead) in [
            ("said twice", vec![&*lines[place]; 2]),
            ("after a blank line", vec!["", &lines[place]]),
            ("wrong", vec!["x"]),
            ("left out", vec![]),
        ] {
            // A missing phase is not noticed, and neither is a blank line before it; a missing offer takes the next
            // phase.
            if what == "left out" && (place == 0 || place >= offers - 1) {
                continue;
            }
            let mut changed: Vec<&str> = lines.iter().map(String::as_str).collect();
            changed.splice(place..=place, instead);
            let told = format!("{text}{}\n{text}{text}", changed.join("\n"));
            let answers = answers(told.as_bytes());
            assert!(answers.len() == 4 && answers[0] && answers[2..] == [true; 2], "line {place} {what}: {answers:?}");
        }
    }
}

#[test]
fn what_is_told_between_decisions_is_no_question() {
    let text = Referee::new(&Setup::of_seed(1)).view().lines().join("\n") + "\n";
    for between in ["\n", "MOVE 3\nRANDOM\n", "12\n", "7\nHAND 0 0 0 0 0 0 0 0 0 0\n"] {
        assert_eq!(answers(format!("{between}{text}{between}{text}{between}").as_bytes()), [true; 2], "{between:?}");
    }
}

#[test]
fn a_broken_input_is_a_fault_and_no_panic() {
    let text = Referee::new(&Setup::of_seed(1)).view().lines().join("\n") + "\n";
    assert!(View::read(&mut &b""[..]).expect("an end").is_none());
    for cut in 1..text.len() - 8 {
        let read = View::read(&mut &text.as_bytes()[..cut]);
        assert!(if cut < 4 { matches!(read, Ok(None)) } else { read.is_err() }, "{cut}");
    }
    for place in 0..text.len() {
        for byte in [b'x', b'9', b'-', b' ', b'\n', 0xff] {
            let mut bytes = text.clone().into_bytes();
            bytes[place] = byte;
            let _ = View::read(&mut &bytes[..]);
        }
    }
    for (from, to, fault) in [
        ("MOVE\n12", "DANCE\n12", "'DANCE' should be a phase"),
        ("\n12\n", "\n29\n", "'29' should be a number of applications"),
        ("-1 0 0 0", "-2 0 0 0", "'-2 0 0 0' should be four numbers of the player"),
        ("HAND 0", "HAND 6", "should be a place with ten counts"),
        ("HAND", "FOOT", "should be a place with ten counts"),
    ] {
        let error = View::read(&mut text.replacen(from, to, 1).as_bytes()).expect_err(from).to_string();
        assert!(error.contains(fault), "{error}");
    }
    let long = text.replacen("MOVE", &"D".repeat(10_000), 1);
    let long = View::read(&mut long.as_bytes()).expect_err("a phase").to_string();
    assert!(long.len() < 100, "{long}");
}
