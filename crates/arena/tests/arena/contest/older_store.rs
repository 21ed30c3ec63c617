//! A store of an older version goes on: its events are found though agents and keys have other names now, and every
//! game is played again as it was.
//!
//! The fixture was written by version d335818, one match an event, with commands such as
//! `boughs match kuhn worlds:worlds=8 mcts:mirrors=off,c=0.7 --iterations 50 --games 8 --seed 7 --store FILE`.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::{Conditions, Contest, Contestant, Event, Limit, Openings, Store};
use serde_json::Value;
use tempfile::TempDir;

const STORE: &[u8] = include_bytes!("../../fixtures/store-of-0.1.0.db");

/// Opens a copy of the fixture.
fn store() -> (Store, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    fs::write(&path, STORE).unwrap();
    (Store::open(&path).unwrap(), folder)
}

/// The keys of agents of the fixture that are gone, and what does the same now.
const GONE: [(&str, &str); 2] = [(",mirrors=off", ""), ("descents=", "traversals=")];

/// Returns true if agents of an event have keys that are gone.
fn has_gone_keys(event: &Event) -> bool {
    GONE.iter().any(|(gone, _)| event.key.conditions.contains(gone))
}

/// The text of an agent without keys that are gone.
fn cured(agent: &str) -> String {
    GONE.iter().fold(agent.to_string(), |agent, (gone, now)| agent.replace(gone, now))
}

/// The conditions of an event, as a command with the same texts, or the cured ones, gives them.
fn conditions(event: &Event) -> Conditions {
    let text: Value = serde_json::from_str(&event.key.conditions).unwrap();
    let contestants = text["contestants"].as_array().unwrap();
    let random = |place: usize| text["openings"]["random"][place].as_u64().map(|plies| plies as u32);
    Conditions {
        game: text["game"].as_str().unwrap().to_string(),
        contestants: contestants.iter().map(|name| cured(name.as_str().unwrap()).parse().unwrap()).collect(),
        pairings: vec![[0, 1]],
        limit: Limit::Playouts(text["playouts"].as_u64().unwrap()),
        grace: Duration::from_millis(50),
        openings: random(0).zip(random(1)).map_or(Openings::Start, |(least, most)| Openings::Random(least, most)),
        seed: text["seed"].as_u64().unwrap(),
    }
}

#[test]
fn the_text_of_conditions_differs_in_the_names_of_contestants_at_most() {
    for event in store().0.events().unwrap().into_iter().filter(|event| !has_gone_keys(event)) {
        let conditions = conditions(&event);
        let older: Value = serde_json::from_str(&event.key.conditions).unwrap();
        let mut expected = event.key.conditions.clone();
        for (older, now) in older["contestants"].as_array().unwrap().iter().zip(&conditions.contestants) {
            expected = expected.replace(&older.to_string(), &Value::from(now.to_string()).to_string());
        }
        assert_eq!(conditions.text(), expected);
    }
}

#[test]
fn a_contest_finds_its_games_and_goes_on() {
    let (mut store, _folder) = store();
    let events = store.events().unwrap();
    assert_eq!(events.len(), 8);
    for event in events.iter().filter(|event| !has_gone_keys(event)) {
        let mut contest = Contest::new(conditions(event)).unwrap();
        contest = contest.keep_in(&mut store, "match", "boughs match", |_, number| number.to_string()).unwrap();
        assert_eq!(contest.games().unwrap().count() as u64, event.games, "{}", event.key.conditions);
        let a_round = Conditions::games_a_round(contest.players());
        let rounds = event.games / a_round;
        let mut play =
            |rounds| contest.play(rounds, 1, &StopFlag::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        let progress = play(rounds);
        assert_eq!((progress.kept, progress.games), (event.games, 0));
        assert_eq!(play(rounds + 1).games, a_round);
    }
    assert_eq!(store.events().unwrap().len(), events.len(), "no event was added");
}

#[test]
fn agents_with_keys_that_are_gone_are_shown_as_they_are_and_not_started() {
    let (mut store, _folder) = store();
    let events: Vec<Event> = store.events().unwrap().into_iter().filter(has_gone_keys).collect();
    let says = ["mirrors is gone, because", "descents is gone, because"];
    assert_eq!(events.len(), says.len());
    for (event, says) in events.iter().zip(says) {
        let text: Value = serde_json::from_str(&event.key.conditions).unwrap();
        let kept: Vec<&str> = text["contestants"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let contest = Contest::stored(&mut store, event).unwrap();
        let shown: Vec<String> = contest.conditions().contestants.iter().map(Contestant::to_string).collect();
        let gone = kept.iter().position(|agent| shown.contains(&agent.to_string())).unwrap();
        assert_eq!(contest.games().unwrap().count() as u64, event.games);
        let typed = kept[gone].parse::<Contestant>().unwrap_err().to_string();
        assert!(typed.starts_with(says), "{typed}");
        let started = Contest::new(Conditions::read(&event.key.conditions).unwrap()).err().unwrap().to_string();
        assert_eq!(started, format!("'{}' cannot be started: {typed}", kept[gone]));
    }
}

#[test]
fn every_game_is_played_again_as_it_was() {
    let (store, _folder) = store();
    // Trees of a single observer had other nodes then: they learned from hidden choices. Searches of plain trees had
    // two traversals under way from the first playout on: those of the matches of goofspiel, Connect Four and pig.
    // The agent foresight had a tree of its own.
    let others = ["tree=single", "tree=plain", "connect4", "pig", "foresight"];
    let is_other = |event: &Event| others.iter().any(|word| event.key.conditions.contains(word));
    let events = store.events().unwrap();
    assert_eq!(events.iter().filter(|event| is_other(event)).count(), 5);
    for event in events.into_iter().filter(|event| !is_other(event)) {
        let contest = Contest::new(conditions(&event)).unwrap();
        for kept in store.games(event.id) {
            let then = kept.unwrap().record;
            let now = contest.play_only(then.number, &StopFlag::default()).unwrap().unwrap().0;
            let name = format!("{}, game {}", event.key.conditions, then.number);
            assert_eq!((&now.opening, &now.moves), (&then.opening, &then.moves), "{name}");
            assert_eq!(
                (&now.rewards, &now.ending, &now.columns),
                (&then.rewards, &then.ending, &then.columns),
                "{name}"
            );
            let playouts = |record: &boughs_arena::Record| -> Vec<_> {
                record.clocks.iter().map(|clock| (clock.moves, clock.playouts)).collect()
            };
            assert_eq!(playouts(&now), playouts(&then), "{name}");
        }
    }
}
