//! Stores after a power cut, and on a full disk.

use std::fs;

use boughs::Rng;

use super::writer::{Writer, command};
use super::{assert_sound, game, open};

#[test]
fn a_log_of_which_parts_never_reached_the_disk_gives_the_first_games_whole() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written.db");
    let mut writer = Writer::start(command(&written, 1, 0..60));
    for _ in 0..=60 {
        assert!(writer.wait_for_word());
    }
    assert!(writer.kill().is_done);
    let beside = |path: &std::path::Path| path.with_extension("db-wal");
    let log = fs::read(beside(&written)).unwrap();
    let mut rng = Rng::new(1, 0);
    let mut lengths = Vec::new();
    for round in 0..40 {
        let mut rest = log.clone();
        let place = rng.below(log.len() as u32) as usize;
        match round % 3 {
            0 => rest.truncate(place),
            1 => rest[place..].fill(0),
            // A sector in the middle is damaged, though later sectors were written.
            _ => rest[place..].iter_mut().take(512).for_each(|byte| *byte ^= 0x5a),
        }
        let path = folder.path().join(format!("{round}.db"));
        fs::copy(&written, &path).unwrap();
        fs::write(beside(&path), rest).unwrap();

        let (mut store, event) = open(&path);
        let kept = store.numbers(event).unwrap().len();
        assert!(store.games(event).map(|kept| kept.unwrap().record).eq((0..kept).map(game)));
        store.add(event, &game(kept), "").unwrap();
        store.close().unwrap();
        assert_sound(&path);
        lengths.push(kept);
    }
    assert!(lengths.iter().any(|&kept| kept > 40) && lengths.iter().any(|&kept| kept < 20), "{lengths:?}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_run_with_a_sentence_and_loses_nothing() {
    use super::writer::starved_command;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    for blocks in [300, 301, 700] {
        let told = {
            let said = Writer::start(starved_command(&path, 1, 0..1_000_000, blocks)).finish();
            let error = said.error.expect("the file could not grow for ever");
            assert!(error.contains("the disk is full") && error.contains("make room"), "{error}");
            said.new
        };
        assert_sound(&path);
        let (store, event) = open(&path);
        let kept = store.numbers(event).unwrap();
        assert!(told.iter().all(|&number| kept.contains(number)), "a game was lost");
        assert!(!kept.is_empty());
    }
    let (store, event) = open(&path);
    let planned = store.numbers(event).unwrap().len() + 10;
    drop(store);
    assert!(Writer::start(command(&path, 1, 0..planned)).finish().is_done);
    let (store, event) = open(&path);
    assert!(store.games(event).map(|kept| kept.unwrap().record).eq((0..planned).map(game)));
}
