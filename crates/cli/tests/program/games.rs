//! `boughs games` lists what can be searched, or describes one game.

use crate::common::{json, run};
use boughs_games::entries;

#[test]
fn every_game_is_listed_with_its_notation() {
    let text = run("games").expect();
    let listed = json(&run("games --json").expect());
    assert_eq!(listed.as_array().map(Vec::len), Some(entries().len()));
    for (entry, line) in entries().iter().zip(listed.as_array().expect("a list")) {
        for part in [entry.name, entry.summary, entry.notation, entry.options] {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(line["name"], entry.name);
        assert_eq!(line["summary"], entry.summary);
        assert_eq!(line["notation"], entry.notation);
        assert_eq!(line["options"], entry.options);
    }
}

#[test]
fn one_game_is_described_alone_with_or_without_options() {
    for name in ["hex", "hex:size=7", "HEX"] {
        let text = run(&format!("games {name}")).expect();
        assert!(text.starts_with("hex\n") && text.contains("options: size"), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
        let listed = json(&run(&format!("games {name} --json")).expect());
        assert_eq!((listed.as_array().map(Vec::len), &listed[0]["name"]), (Some(1), &"hex".into()));
    }
}
