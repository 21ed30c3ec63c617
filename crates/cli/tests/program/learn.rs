//! `boughs learn`: the same seed learns the same, with and without interruptions.

use std::fs;
use std::path::Path;

use crate::common::{json, run, start};
use crate::process::{side_by_side, wait_until};

const QUICK: &str = "learn green-circle --round 5 --positions 20 --out";

fn learn(out: &Path, rest: &str) -> String {
    run(&format!("{QUICK} {} {rest}", out.display())).expect()
}

fn games_of(out: &Path) -> u64 {
    fs::read_to_string(out)
        .map_or(0, |text| serde_json::from_str::<serde_json::Value>(&text).unwrap()["games"].as_u64().unwrap())
}

#[test]
fn threads_and_pauses_do_not_matter_but_the_seed_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text = learn(&file("one.json"), "--games 23");
    assert!(
        text.contains("card TECHNICAL_DEBT")
            && text.contains("automated BONUS")
            && text.contains("23 games; in the last ones player 0 wins"),
        "{text}"
    );
    assert!(text.trim_end().ends_with("one.svg"), "{text}");
    assert!(fs::read_to_string(file("one.svg")).unwrap().starts_with("<svg"));
    learn(&file("two.json"), "--games 23 --threads 2");
    // The second time ends within a round, and the third goes on from there.
    for games in [10, 12, 23] {
        learn(&file("three.json"), &format!("--games {games}"));
        assert_eq!(games_of(&file("three.json")), games);
    }
    learn(&file("four.json"), "--games 23 --seed 1");
    let [one, two, three, four] =
        ["one", "two", "three", "four"].map(|name| fs::read(file(&format!("{name}.json"))).unwrap());
    assert!(one == two && one == three && one != four);
    let again = json(&learn(&file("one.json"), "--games 23 --json"));
    assert!(again["games"].as_u64() == Some(23) && fs::read(file("one.json")).unwrap() == one);
}

#[test]
fn a_killed_command_goes_on_where_a_round_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (folder.path().join("killed.json"), folder.path().join("whole.json"));
    let child = start(&format!("{QUICK} {} --games 100000", killed.display()));
    wait_until("three rounds are learned", || games_of(&killed) >= 15);
    child.kill();
    let games = games_of(&killed);
    assert!(games >= 15 && games.is_multiple_of(5), "{games}");
    for file in [&killed, &whole] {
        learn(file, &format!("--games {}", games + 10));
    }
    assert!(fs::read(killed).unwrap() == fs::read(whole).unwrap(), "killed after {games} games");
}

#[test]
fn what_cannot_be_learned_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    let fault = |words: &str| run(words).expect_failure(2);
    let game = fault(&format!("learn hex --out {}", file.display()));
    let net = "a network learns any board, by an --out that ends in .net";
    assert_eq!(game, format!("'hex' is no game of features with weights; there is green-circle; {net}"));
    let game = fault(&format!("learn gren-circle --out {}", file.display()));
    assert!(game.contains("; did you mean green-circle? there is green-circle; "), "{game}");
    let own = fault(&format!("learn hex --out {} --time 1s", file.display()));
    assert_eq!(own, "--time has no use for weights of features; leave it out, or give --out a name that ends in .net");
    learn(&file, "--games 5");
    let other = fault(&format!("{QUICK} {} --games 5 --seed 3", file.display()));
    assert!(
        other.contains("was learned with other settings: --seed is 0 there and 3 here; name another file with --out"),
        "{other}"
    );
    let great = fault(&format!("{QUICK} {} --games 5 --rate 1.5", file.display()));
    assert_eq!(great, "--rate 1.5 is too great for weights of features; give at most 1");
    let others = fault(&format!("{QUICK} {} --games 5 --rate 0.5 --explore 0", file.display()));
    assert!(others.contains(": --rate is 0.02 there and 0.5 here, --explore is 0.3 there and 0 here; "), "{others}");
    fs::write(&file, "{}").unwrap();
    let broken = fault(&format!("{QUICK} {}", file.display()));
    assert!(broken.contains("holds nothing that was learned") && broken.contains("name another file"), "{broken}");
    assert!(fault(&format!("{QUICK} {}/w.svg", folder.path().display())).contains("w.svg' should end in .json"));
    assert!(fault(&format!("{QUICK} {}", folder.path().display())).contains("names no file"));
    assert!(fault(&format!("{QUICK} w.json --lambda 2")).contains("should be a number from 0 to 1"));
}

#[test]
fn settings_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    for games in [5, 10] {
        // A number that comes out as another one where its digits are only read nearly.
        learn(&file, &format!("--rate 0.11224972160321825 --games {games}"));
        assert_eq!(games_of(&file), games);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_signal_ends_learning_after_the_last_complete_round_and_says_so() {
    use crate::interrupt::{SIGNALS, end_when};
    side_by_side(SIGNALS, |(signal, code)| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("w.json");
        let child = start(&format!("{QUICK} {} --games 100000", file.display()));
        let output = end_when(signal, child, |_| games_of(&file) >= 5);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.ends_with(" of 100000 games; the same command goes on\n"), "{said}");
        learn(&file, &format!("--games {}", games_of(&file)));
    });
}

#[test]
fn two_do_not_learn_into_one_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    let first = start(&format!("{QUICK} {} --games 100000", file.display()));
    wait_until("a round is learned", || games_of(&file) >= 5);
    let refused = run(&format!("{QUICK} {} --games 5", file.display())).expect_failure(2);
    assert!(refused.starts_with("another command is learning into '") && refused.contains("with --out"), "{refused}");
    learn(&folder.path().join("other.json"), "--games 5");
    first.kill();
    learn(&file, &format!("--games {}", games_of(&file) + 5));
}
