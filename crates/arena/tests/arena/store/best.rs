//! Best scores of cases: kept, never lowered, and shared by all processes.

use std::env;
use std::io::Write;
use std::process::Command;

use boughs_arena::{Best, CaseKey, Store};
use rusqlite::Connection;

use super::writer::{AS_A_PROCESS, Writer};
use super::{assert_sound, game, key, open};

const PATH: &str = "BOUGHS_STORE_OFFERER_PATH";
const PROCESS: &str = "BOUGHS_STORE_OFFERER";
const CASES: u64 = 300;

fn case(name: &str) -> CaseKey {
    CaseKey { game: "ahc015".into(), name: name.into(), checksum: u64::MAX - 1 }
}

fn best(score: f64) -> Best {
    Best { score, contestant: format!("bot {score}"), command: "boughs judge".into() }
}

#[test]
fn only_a_better_score_takes_the_place_of_the_best() {
    let mut store = Store::in_memory().unwrap();
    assert_eq!(store.best(&case("1")).unwrap(), None);
    assert_eq!(store.offer_best(&case("1"), &best(5.0)).unwrap(), None);
    assert_eq!(store.offer_best(&case("1"), &best(4.0)).unwrap(), Some(best(5.0)));
    assert_eq!(store.offer_best(&case("1"), &best(5.0)).unwrap(), Some(best(5.0)));
    assert_eq!(store.offer_best(&case("1"), &best(6.0)).unwrap(), Some(best(5.0)));
    assert_eq!(store.best(&case("1")).unwrap(), Some(best(6.0)));
    let other = CaseKey { checksum: 7, ..case("1") };
    assert_eq!([store.best(&other), store.best(&case("2"))].map(Result::unwrap), [None, None]);
}

#[test]
fn a_store_from_before_there_were_best_scores_gets_room_for_them_and_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (mut store, event) = open(&path);
    store.add(event, &game(0), "").unwrap();
    store.close().unwrap();
    // The schema of version 1.
    let back = "DROP TABLE cases;
        DROP TABLE measurements;
        ALTER TABLE seats DROP COLUMN fault;
        ALTER TABLE seats DROP COLUMN detail;
        ALTER TABLE seats DROP COLUMN after_ns;
        ALTER TABLE seats DROP COLUMN allowed_ns;
        ALTER TABLE games ADD COLUMN forfeited_by INTEGER;
        ALTER TABLE games ADD COLUMN detail TEXT;
        ALTER TABLE games ADD COLUMN after_ns INTEGER;
        ALTER TABLE games ADD COLUMN allowed_ns INTEGER;
        PRAGMA user_version = 1";
    Connection::open(&path).unwrap().execute_batch(back).unwrap();
    let (mut store, event) = open(&path);
    assert_eq!(store.game(event, 0).unwrap().map(|kept| kept.record), Some(game(0)));
    store.offer_best(&case("1"), &best(5.0)).unwrap();
    store.close().unwrap();
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.event(&key(1)), Ok(event));
    assert_eq!(store.best(&case("1")).unwrap(), Some(best(5.0)));
}

/// The score of a case by a process. Neither process has all of the best.
fn score(process: u64, number: u64) -> f64 {
    ((number * 37 + process * 11) % 101) as f64
}

/// The task of the other process. Without a task in the environment the test does nothing.
#[test]
fn offerer() {
    let Some(path) = env::var_os(PATH) else { return };
    let process: u64 = env::var(PROCESS).unwrap().parse().unwrap();
    let mut says = std::io::stdout();
    let offer = || {
        let mut store = Store::open(&path)?;
        for number in 0..CASES {
            store.offer_best(&case(&number.to_string()), &best(score(process, number)))?;
        }
        store.close()
    };
    match offer() {
        Ok(()) => writeln!(says, "done").unwrap(),
        Err(error) => writeln!(says, "error {error}").unwrap(),
    }
}

#[test]
fn of_two_processes_that_offer_scores_the_best_of_each_case_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let both = ["0", "1"].map(|process| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.arg("store::best::offerer").args(AS_A_PROCESS).env(PATH, &path).env(PROCESS, process);
        Writer::start(command)
    });
    let said = both.map(Writer::finish);
    assert!(said.iter().all(|said| said.is_done && said.error.is_none()));
    assert_sound(&path);
    let store = Store::open(&path).unwrap();
    for number in 0..CASES {
        let kept = store.best(&case(&number.to_string())).unwrap();
        assert_eq!(kept, Some(best(score(0, number).max(score(1, number)))), "case {number}");
    }
}
