//! Processes that are killed, and processes that write at the same time.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use boughs::Rng;

use super::writer::{Writer, command};
use super::{assert_sound, game, key, open};

#[test]
fn kills_at_any_instant_lose_no_game_and_the_run_goes_on_to_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut rng = Rng::new(1, 0);
    let mut told = BTreeSet::new();
    for _ in 0..20 {
        // There are more games than the process will come to.
        let mut writer = Writer::start(command(&path, 1, 0..1_000_000));
        // The first kill may come while the store is being made.
        if !told.is_empty() {
            assert!(writer.wait_for_word());
        }
        thread::sleep(Duration::from_micros(u64::from(rng.below(20_000))));
        let said = writer.kill();
        assert_eq!((said.is_done, said.error), (false, None));
        assert!(said.there.is_empty() && told.is_disjoint(&said.new), "games were played twice");
        told.extend(said.new);

        let (store, event) = open(&path);
        assert_sound(&path);
        let kept: BTreeSet<u64> = store.numbers(event).unwrap().iter().collect();
        assert!(kept.is_superset(&told), "lost: {:?}", told.difference(&kept));
        // The process may have been killed between the last commit and the line about it.
        told = kept;
    }
    let planned = told.len() as u64 + 50;
    let said = Writer::start(command(&path, 1, 0..planned)).finish();
    assert_eq!((said.is_done, said.new.len()), (true, 50));
    let (store, event) = open(&path);
    assert!(store.games(event).map(|kept| kept.unwrap().record).eq((0..planned).map(game)));
    assert_sound(&path);
}

#[test]
fn two_processes_write_to_one_store_without_loss_or_duplicate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    // Both processes also make the store at the same time.
    let apart = [0..500, 500..1_000].map(|numbers| Writer::start(command(&path, 1, numbers)));
    let both = apart.map(Writer::finish);
    assert!(both.iter().all(|said| said.is_done && said.new.len() == 500 && said.there.is_empty()));

    let overlapping = [0..500, 250..750].map(|numbers| Writer::start(command(&path, 2, numbers)));
    let [first, second] = overlapping.map(Writer::finish);
    assert!(first.is_done && second.is_done);
    assert!(first.new.is_disjoint(&second.new), "a game was added twice");
    assert_eq!(first.new.len() + second.new.len(), 750);

    assert_sound(&path);
    let (mut store, event) = open(&path);
    assert!(store.games(event).map(|kept| kept.unwrap().record).eq((0..1_000).map(game)));
    let event = store.event(&key(2)).unwrap();
    assert!(store.games(event).map(|kept| kept.unwrap().record).eq((0..750).map(game)));
}

#[test]
fn many_may_make_a_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // Threads meet at closer quarters than processes, and locks hold between connections of one process too.
    for round in 0..30 {
        let path = folder.path().join(format!("{round}.db"));
        let start = Barrier::new(6);
        thread::scope(|scope| {
            for number in 0..6 {
                let (path, start) = (&path, &start);
                scope.spawn(move || {
                    start.wait();
                    let (mut store, event) = open(path);
                    store.add(event, &game(number), "").unwrap();
                });
            }
        });
        assert_sound(&path);
        let (store, event) = open(&path);
        assert!(store.numbers(event).unwrap().iter().eq(0..6));
    }
}

#[test]
fn names_that_mean_something_to_sqlite_are_files_like_others() {
    let folder = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:x?mode=memory"] {
        let mut command = command(Path::new(name), 1, 0..1);
        command.current_dir(folder.path());
        let said = Writer::start(command).finish();
        assert!(said.is_done && folder.path().join(name).is_file(), "{name}: {:?}", said.error);
    }
}
