//! Tests with whole games of the official referee and its whole state, and with its questions to one player.

use super::text;
use boughs_games::photosynthesis::Answer;
use boughs_games::photosynthesis::protocol::{Listener, View, ground_text, read_answer};
use boughs_traces::{TraceError, TraceSummary, check_traces};

/// Games with clashes, refusals, disqualification by a fault, of both and by a late answer, ties, low nutrients and
/// messages.
const GAMES: &[u8] = include_bytes!("../../fixtures/photosynthesis.jsonl.gz");
/// All lines that each player of a game was told, after `> `, and all answers, after `< `.
const TALKS: [&[u8]; 2] = [
    include_bytes!("../../fixtures/photosynthesis-player0.txt.gz"),
    include_bytes!("../../fixtures/photosynthesis-player1.txt.gz"),
];

/// Finds the differences in games.
fn differences(games: &str) -> Vec<String> {
    super::differences("photosynthesis", games)
}

#[test]
fn games_of_the_official_referee_come_out_in_every_field() {
    let all = TraceSummary { games: 9, steps: 446 };
    assert_eq!(check_traces("photosynthesis", GAMES).expect("games as recorded"), all);
    assert_eq!(check_traces("photosynthesis", text(GAMES).as_bytes()).expect("the same without compression"), all);
}

#[test]
fn a_field_that_differs_is_named_with_its_game_and_its_turn() {
    let games = text(GAMES);
    let first = games.lines().next().expect("a game");
    for (from, to, what) in [
        ("\"gain\":[2,2]", "\"gain\":[2,3]", "day 0: gain is recorded as [2, 3], but comes out as [2, 2]"),
        ("\"score\":[0,0]", "\"score\":[0,1]", "turn 0: score is recorded as [0, 1], but comes out as [0, 0]"),
        ("\"initial_trees\":[[", "\"initial_trees\":[[9", "initial_trees is recorded as [[9"),
        (
            "\"legal\":[[\"WAIT\",",
            "\"legal\":[[\"WAIT\",\"GROW 0\",",
            "turn 0: legal of player 0: GROW 0 is missing, nothing is too much",
        ),
        ("\"league\":3", "\"league\":2", "league is recorded as 2, but comes out as 3"),
    ] {
        let found = differences(&first.replacen(from, to, 1));
        assert!(found.len() == 1 && found[0].starts_with("line 1, ") && found[0].contains(what), "{from}: {found:?}");
    }
}

#[test]
fn every_field_of_a_turn_and_of_the_end_is_compared() {
    let game = text(GAMES).lines().nth(1).expect("a game").to_string();
    let fields = ["t", "day", "nut", "sun", "score", "wait", "trees", "legal", "act", "res"];
    let end = ["trees", "nut", "days_played", "sun", "active", "score_before_end", "tree_count", "score", "winner"];
    let day = ["day", "sun_dir", "shadows", "gain", "sun"];
    let mut trace: serde_json::Value = serde_json::from_str(&game).expect("a game");
    let events = trace["events"].as_array().expect("events").len();
    let turn = (0..events).rfind(|&at| trace["events"][at]["ev"] == "turn").expect("a turn");
    let morning = (0..events).rfind(|&at| trace["events"][at]["ev"] == "day").expect("a day");
    let paths = fields.iter().map(|field| format!("/events/{turn}/{field}"));
    let paths = paths.chain(day.iter().map(|field| format!("/events/{morning}/{field}")));
    for path in paths.chain(end.iter().chain(&["turns", "player_turns"]).map(|field| format!("/final/{field}"))) {
        let value = trace.pointer_mut(&path).expect("a field");
        let before = value.clone();
        change(value);
        assert_ne!(*value, before);
        assert_eq!(differences(&trace.to_string()).len(), 1, "{path}");
        *trace.pointer_mut(&path).expect("a field") = before;
    }
    assert_eq!(differences(&trace.to_string()), [""; 0]);
}

/// Changes a value.
fn change(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) => *value = (number.as_i64().unwrap_or(0) + 1).into(),
        serde_json::Value::String(text) => *text = "WAIT".repeat(1 + usize::from(text == "WAIT")),
        serde_json::Value::Array(list) => match list.last_mut() {
            Some(serde_json::Value::Null) | None => list.push(0.into()),
            Some(last) => change(last),
        },
        _ => {}
    }
}

#[test]
fn what_is_no_recorded_game_ends_the_check_and_does_not_panic() {
    for (foreign, first) in [("{}\n[]\n", 1), ("\n\nnonsense\n", 3)] {
        let error = check_traces("photosynthesis", foreign.as_bytes()).expect_err("a fault");
        assert!(matches!(error, TraceError::Foreign { line, .. } if line == first), "{error}");
    }
    assert!(matches!(check_traces("photosynthesis", &GAMES[..GAMES.len() / 2]), Err(TraceError::Unreadable(_))));
    assert!(matches!(check_traces("photosynthesis", &b""[..]), Err(TraceError::Empty)));
}

#[test]
fn what_a_player_is_told_is_read_and_written_again() {
    for talk in TALKS.map(text) {
        let told: String =
            talk.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
        let mut said = talk.lines().filter_map(|line| line.strip_prefix("< "));
        let mut listener = Listener::new(told.as_bytes());
        let (ground, read) = listener.ground();
        assert!(read.is_ok());
        let mut written = ground_text(&ground);
        while let Some(view) = listener.turn().expect("a turn") {
            written += &view.to_string();
            let position = view.position(ground).expect("a position");
            assert_eq!(View::of(&position, 0, &view.actions), view);
            let mut legal = Vec::new();
            position.legal_actions(0, &mut legal);
            assert!(legal.len() == view.actions.len() && legal.iter().all(|action| view.actions.contains(action)));
            let answer = read_answer(said.next().expect("an answer")).answer;
            assert!(view.actions.iter().any(|&action| answer == Answer::Act(action)), "{answer:?}");
        }
        assert_eq!(written, told);
        assert_eq!(said.next(), None);
    }
}
