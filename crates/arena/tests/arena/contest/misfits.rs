//! Stores whose rows another program has changed, and files that changed between two runs.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use boughs::StopFlag;
use boughs_arena::{Conditions, Contest, Store};
use rusqlite::Connection;

use super::conditions;

/// Plays the first round of a match in a store. Returns the number of games that the store had, and the files that
/// changed.
fn play(path: &Path, conditions: &Conditions) -> Result<(u64, Vec<String>), String> {
    let mut store = Store::open(path).map_err(|error| error.to_string())?;
    let contest = Contest::new(conditions.clone()).unwrap();
    let contest = contest.keep_in(&mut store, "match", "boughs match", |_, number| number.to_string());
    let mut contest = contest.map_err(|error| error.to_string())?;
    let progress = contest.play(1, 1, &StopFlag::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    Ok((progress.kept, contest.changed_files().to_vec()))
}

#[test]
fn rows_that_do_not_fit_are_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.db");
    let conditions = conditions("tictactoe", ["flat", "random"], 2);
    play(&whole, &conditions).unwrap();
    for (number, change) in [
        "DELETE FROM seats",
        "DELETE FROM seats WHERE seat = 0",
        "DELETE FROM seats WHERE seat = 1 AND game = 2",
        "INSERT INTO seats SELECT game, 2, contestant, reward, moves, total_ns, longest_ns, playouts, notes, fault,
            detail, after_ns, allowed_ns FROM seats WHERE seat = 1",
        "UPDATE seats SET seat = 7 WHERE seat = 1",
        "UPDATE seats SET seat = -1 WHERE seat = 0",
        "UPDATE seats SET contestant = 9",
        "UPDATE seats SET contestant = -9",
        "UPDATE seats SET contestant = 1 - contestant",
        "UPDATE seats SET moves = -1",
        "UPDATE seats SET fault = 'unheard of'",
        "UPDATE seats SET fault = 'illegal', seat = 3 WHERE seat = 1; UPDATE games SET ending = 'forfeit'",
        "UPDATE games SET number = number + 1000000000000000",
        "UPDATE games SET number = 3 - number",
        "UPDATE games SET round = 5",
        "UPDATE games SET ending = 'unheard of'",
        "UPDATE games SET seed = 'x'",
        "UPDATE games SET took_ns = -1",
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{number}.db"));
        fs::copy(&whole, &path).unwrap();
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let sentence = play(&path, &conditions).expect_err(change);
        assert!(sentence.contains(".db' holds something other than what Boughs wrote ("), "{change}: {sentence}");
        assert!(sentence.contains("name another file"), "{change}: {sentence}");
    }
    let large = "UPDATE seats SET moves = 9223372036854775807, playouts = 9223372036854775807, reward = NULL,
        total_ns = 9223372036854775807";
    Connection::open(&whole).unwrap().execute_batch(large).unwrap();
    assert_eq!(play(&whole, &conditions).unwrap().0, 2, "numbers without sense are numbers");
}

#[test]
fn a_file_that_changed_is_noticed_and_its_older_games_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let (store, bot) = (folder.path().join("games.db"), folder.path().join("bot"));
    // The bot gives up at once: only its file matters here.
    let write = |text: &str| {
        fs::write(&bot, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&bot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    };
    let name = bot.display().to_string();
    let script = format!("cmd:sh {name}");
    for command in [&format!("cmd:{name}"), &script] {
        let conditions = conditions("tictactoe", ["flat", command], 2);
        write("exit 1");
        assert_eq!(play(&store, &conditions), Ok((0, vec![])), "{command}");
        assert_eq!(play(&store, &conditions), Ok((2, vec![])), "{command}");
        write("exit 2");
        assert_eq!(play(&store, &conditions), Ok((0, vec![name.clone()])), "{command}");
        assert_eq!(play(&store, &conditions), Ok((2, vec![])), "{command}");
        write("exit 1");
        assert_eq!(play(&store, &conditions), Ok((2, vec![])), "{command}: its games count again");
    }
}

#[test]
fn games_of_a_version_without_checksums_count_and_are_those_of_the_files_as_they_are_now() {
    let folder = tempfile::tempdir().unwrap();
    let (store, bot) = (folder.path().join("games.db"), folder.path().join("bot"));
    fs::write(&bot, "exit 1").unwrap();
    let conditions = conditions("tictactoe", ["flat", &format!("cmd:sh {}", bot.display())], 2);
    play(&store, &conditions).unwrap();
    let change = "UPDATE events SET conditions = json_remove(conditions, '$.files')";
    Connection::open(&store).unwrap().execute_batch(change).unwrap();
    assert_eq!(play(&store, &conditions), Ok((2, vec![])));
    fs::write(&bot, "exit 2").unwrap();
    assert_eq!(play(&store, &conditions), Ok((0, vec![bot.display().to_string()])));
}
