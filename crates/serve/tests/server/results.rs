//! The pages of a store.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs_arena::{Clock, Ending, EventKey, Record, Store};
use boughs_serve::Settings;
use serde_json::json;

use crate::client::{request, settings, start};

#[test]
fn contests_that_this_version_cannot_play_are_shown_or_refused_by_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let record = Record {
        number: 0,
        round: 0,
        seats: vec![0, 1],
        seed: 7,
        opening: Vec::new(),
        moves: vec!["5".into()],
        rewards: vec![0.5, 0.5],
        ending: Ending::Cut,
        clocks: vec![Clock::default(); 2],
        notes: vec![String::new(); 2],
        columns: vec![BTreeMap::new(); 2],
        began: 1.8e9,
        took: Duration::ZERO,
    };
    let events = [
        ("tictactoe", json!([[0, 1]])),
        ("stones", json!([[0, 1]])),
        ("hex:shape=round", json!([[0, 1]])),
        ("tictactoe", json!([])),
        ("tictactoe", json!([[1, 1]])),
    ];
    for (game, pairings) in events {
        let conditions = json!({
            "version": "0.1.0", "game": game, "contestants": ["mcts:contempt=0.1", "random"], "pairings": pairings,
            "grace_ms": 0.0, "openings": "start", "seed": 1, "playouts": 10,
        });
        let key = EventKey { kind: "match".into(), conditions: conditions.to_string(), command: String::new() };
        let event = store.event(&key).unwrap();
        store.add(event, &record, "").unwrap();
    }
    let odd = EventKey { kind: "match".into(), conditions: "{}".into(), command: String::new() };
    store.event(&odd).unwrap();
    store.close().unwrap();
    let address = start(Settings { store: Some(path), ..settings() });
    let get = |path: &str| request(address, &format!("GET {path}"), &format!("Host: {address}\r\n"), "");
    assert_eq!(get("/lab").status, 200);
    let shown = get("/lab/1");
    assert!(shown.status == 200 && shown.body.contains("contempt is gone"), "{}: {}", shown.status, shown.body);
    for (number, says) in [
        (2, "there is no game"),
        (3, "hex has no option"),
        (4, "its pairings are odd"),
        (5, "its pairings are odd"),
        (6, "its conditions are odd"),
    ] {
        let refused = get(&format!("/lab/{number}"));
        assert!(refused.status == 404 && refused.body.contains(says), "{}: {}", refused.status, refused.body);
    }
}
