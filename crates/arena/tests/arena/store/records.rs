//! Games and events come back as they went in.

use std::time::Duration;

use boughs_arena::{Added, Ending, EventId, EventKey, Fault, Record, Store, StoredGame};

use super::{game, key, open};

fn in_memory() -> (Store, EventId) {
    let mut store = Store::in_memory().unwrap();
    let event = store.event(&key(1)).unwrap();
    (store, event)
}

fn all(store: &Store, event: EventId) -> Vec<StoredGame> {
    store.games(event).map(Result::unwrap).collect()
}

#[test]
fn a_game_is_read_as_it_was_written_however_it_ended() {
    let (mut store, event) = in_memory();
    let detail = || "it's \"so\"\n".to_string();
    let faults = [
        Fault::NotStarted(detail()),
        Fault::Late { after: Duration::from_nanos(100_000_001), allowed: Duration::from_millis(100) },
        Fault::Exited(detail()),
        Fault::Illegal(String::new()),
        Fault::Flooded,
        Fault::Deaf,
        Fault::Failed(detail()),
        Fault::Resigned,
    ];
    let forfeits = faults.map(|fault| Ending::Forfeit(vec![(1, fault)]));
    let both = Ending::Forfeit(vec![(0, Fault::Deaf), (1, Fault::Illegal(detail()))]);
    let endings = [Ending::Over, Ending::Cut, both].into_iter().chain(forfeits);
    let records: Vec<_> = (0..).zip(endings).map(|(number, ending)| Record { ending, ..game(number) }).collect();
    for record in records.iter().rev() {
        assert_eq!(store.add(event, record, "boughs replay"), Ok(Added::New));
    }
    let kept = all(&store, event);
    assert!(kept.iter().map(|kept| &kept.record).eq(&records), "{kept:#?}");
    assert!(kept.iter().all(|it| it.replay == "boughs replay" && it.version == env!("CARGO_PKG_VERSION")));
}

#[test]
fn text_and_numbers_of_all_kinds_are_kept_to_the_bit() {
    let (mut store, event) = in_memory();
    let mut record = game(0);
    record.moves = vec!["f5=\u{2654}".into(), "-".into()];
    record.notes[1] = "a 'quoted'\nline with \0 in it \u{fffd}\r\n".into();
    record.rewards = vec![0.1 + 0.2, -1e300];
    record.columns[1] = [("depth".into(), 1.0 / 3.0), ("rollouts".into(), f64::INFINITY)].into();
    store.add(event, &record, "").unwrap();
    assert_eq!(all(&store, event)[0].record, record);
}

#[test]
fn games_for_one_and_for_three_and_without_moves_are_kept_too() {
    let (mut store, event) = in_memory();
    for (number, seats) in [(0, 1), (1, 3)] {
        let mut record = game(number);
        record.seats = (0..seats).collect();
        record.rewards.resize(seats, 0.25);
        record.clocks.resize(seats, Default::default());
        record.notes.resize(seats, String::new());
        record.columns.resize(seats, Default::default());
        record.opening.clear();
        record.moves.clear();
        store.add(event, &record, "").unwrap();
        assert_eq!(all(&store, event).last().unwrap().record, record);
    }
}

#[test]
fn nan_is_read_as_nan() {
    let (mut store, event) = in_memory();
    let mut record = game(0);
    record.rewards[0] = f64::NAN;
    record.columns[1].insert("depth".into(), f64::NAN);
    store.add(event, &record, "").unwrap();
    let read = &all(&store, event)[0].record;
    assert!(read.rewards[0].is_nan() && read.columns[1]["depth"].is_nan(), "{read:?}");
}

#[test]
fn a_record_that_could_not_be_read_again_is_refused() {
    let (mut store, event) = in_memory();
    let spoiled = [
        ("white space", Record { moves: vec!["a1".into(), "a b".into()], ..game(0) }),
        ("white space", Record { opening: vec![String::new()], ..game(0) }),
        ("each seat", Record { notes: vec![], ..game(0) }),
        ("2^63", Record { number: u64::MAX, ..game(0) }),
    ];
    for (says, record) in spoiled {
        let error = store.add(event, &record, "").unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert!(store.numbers(event).unwrap().is_empty());
    }
}

#[test]
fn a_game_that_is_there_stays_as_it_is() {
    let (mut store, event) = in_memory();
    assert_eq!(store.add(event, &game(3), "first"), Ok(Added::New));
    let other = Record { ending: Ending::Cut, ..game(3) };
    assert_eq!(store.add(event, &other, "second"), Ok(Added::AlreadyThere));
    let kept = all(&store, event);
    assert_eq!(kept.len(), 1);
    assert_eq!((&kept[0].record, &*kept[0].replay), (&game(3), "first"));
}

#[test]
fn the_same_conditions_are_the_same_event_also_in_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (mut store, event) = open(&path);
    store.add(event, &game(0), "").unwrap();
    store.close().unwrap();
    let (mut store, again) = open(&path);
    assert_eq!(again, event);
    let elsewhere = EventKey { command: "boughs match again".into(), ..key(1) };
    assert_eq!(store.event(&elsewhere), Ok(event), "the command is no condition");
    let other = store.event(&key(2)).unwrap();
    let tournament = store.event(&EventKey { kind: "tournament".into(), ..key(1) }).unwrap();
    store.add(other, &game(0), "").unwrap();
    store.add(other, &game(7), "").unwrap();
    let events = store.events().unwrap();
    let counts: Vec<_> = events.iter().map(|event| (event.id, event.games)).collect();
    assert_eq!(counts, [(event, 1), (other, 2), (tournament, 0)]);
    assert_eq!(events[0].key, key(1), "the first command stays");
    assert!(events[0].began > 1.7e9);
    assert!(store.numbers(other).unwrap().iter().eq([0, 7]));
    assert!(store.games(other).map(|kept| kept.unwrap().record).eq([game(0), game(7)]));
}
