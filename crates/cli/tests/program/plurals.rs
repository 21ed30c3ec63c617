//! A number of one thing is written in the singular: all output of these tests is read for it (`common::ran`).

use tempfile::tempdir;

use crate::common::run;

#[test]
fn one_thing_is_no_plural() {
    let folder = tempdir().expect("a folder");
    for (words, part) in [
        ("analyze connect4 --memory 1", "1 byte of memory"),
        ("check nim --games 1", "1 random game of"),
        ("bench nim --iterations 1 --rounds 1", "1 playout a search, 1 thread"),
        ("match nim flat random --iterations 1 --games 3", "1 playout a move"),
        ("scale nim --threads 1 --iterations 1 --rounds 1 --out DIR", "1 round in shuffled order"),
        ("match nim flat random --iterations 1 --games 3 --plan DIR/plan", "3 games in 1 shard,"),
        ("shard DIR/plan --id 1 --out DIR/shards", "the plan has 1 shard,"),
    ] {
        let ran = run(&words.replace("DIR", &folder.path().display().to_string()));
        assert!(ran.out.contains(part) || ran.err.contains(part), "{words}: {ran:?}");
    }
}
