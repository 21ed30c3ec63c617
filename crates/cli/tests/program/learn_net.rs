//! `boughs learn` for networks: the same weights with any threads and pauses, and agents that play by them.

use std::fs;
use std::path::Path;

use crate::common::{json, run, start};
use crate::process::{side_by_side, wait_until};

const QUICK: &str = "learn tictactoe --tuples lines --out";

fn learn(out: &Path, rest: &str) -> String {
    run(&format!("{QUICK} {} {rest}", out.display())).expect()
}

fn fault(words: &str) -> String {
    run(words).expect_failure(2)
}

#[test]
fn threads_and_pauses_do_not_matter_but_the_seed_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text = learn(&file("one.net"), "--games 600 --threads 1");
    assert!(text.starts_with("768 games in ") && text.contains("  points 0."), "{text}");
    assert!(text.ends_with("one.svg\n"), "{text}");
    let picture = fs::read_to_string(file("one.svg")).unwrap();
    assert!(
        picture.starts_with("<svg") && picture.contains("seconds") && picture.contains("equally strong"),
        "{picture}"
    );
    assert!([text, picture].iter().all(|says| says.contains("against mcts with 200 playouts")));
    learn(&file("two.net"), "--games 768 --threads 2");
    for games in [100, 300, 768] {
        learn(&file("three.net"), &format!("--games {games}"));
    }
    learn(&file("four.net"), "--games 768 --seed 1");
    let [one, two, three, four] =
        ["one", "two", "three", "four"].map(|name| fs::read(file(&format!("{name}.net"))).unwrap());
    assert!(one == two && one == three && one != four);
    let text = learn(&file("one.net"), "--games 100");
    assert!(text.ends_with("nothing was left to learn; give more --games or --time\n"), "{text}");
    let again = json(&learn(&file("one.net"), "--games 768 --json"));
    assert_eq!((again["games"].as_u64(), again["curve"].as_array().unwrap().len()), (Some(768), 1));
    assert!(fs::read(file("one.net")).unwrap() == one);
}

#[test]
fn a_network_plays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.net");
    learn(&file, "--games 2000");
    let agent = format!("mcts:policy=puct,net={}", file.display());
    let report = json(&run(&format!("analyze tictactoe --agent {agent} --iterations 500 --json")).expect());
    assert_eq!(report["agent"].as_str(), Some(&*agent));
    let played = json(&run(&format!("match tictactoe {agent} random --iterations 20 --games 20 --json")).expect());
    assert!(played.to_string().contains("net="), "{played}");
    let points = played["share"]["between"]["value"].as_f64().unwrap();
    assert!(points > 0.75, "{played}");
}

#[test]
fn priors_and_values_of_a_search_are_learned() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(format!("{name}.net"));
    learn(&file("one"), "--games 300 --threads 1 --policy --depth 2 --opening 3");
    learn(&file("two"), "--games 300 --threads 2 --policy --depth 2 --opening 3");
    for (name, options) in [("plain", ""), ("priors", "--policy"), ("deep", "--depth 2"), ("early", "--opening 0")] {
        learn(&file(name), &format!("--games 300 {options}"));
    }
    let bytes = |name: &str| fs::read(file(name)).unwrap();
    assert!(bytes("one") == bytes("two"));
    for name in ["priors", "deep", "early"] {
        assert!(bytes("plain") != bytes(name), "{name}");
    }
    learn(&file("one"), "--games 300 --policy --depth 2 --opening 3 --small");
    assert!(bytes("one") != bytes("two"), "the same weights in 8 bits");
    let agent = format!("mcts:policy=puct,net={}", file("one").display());
    // The third stone in a row wins.
    let analysis = run(&format!("analyze tictactoe --position 1425 --agent {agent} --iterations 200 --json"));
    let report = json(&analysis.expect());
    assert_eq!(report["best"].as_str(), Some("3"), "{report}");
}

#[test]
fn learning_begins_with_the_weights_of_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(format!("{name}.net"));
    let from = |source: &str, out: &str, rest: &str| {
        let (source, out) = (folder.path().join(source), file(out));
        run(&format!("learn tictactoe --from {} --out {} {rest}", source.display(), out.display()))
    };
    learn(&file("first"), "--games 512");
    from("first.net", "same", "--games 256 --rate 0").expect();
    from("first.course", "of-course", "--games 256 --rate 0").expect();
    from("first.net", "at-once", "--games 512 --depth 2").expect();
    from("first.net", "later", "--games 256 --depth 2").expect();
    // The first weights are not read again, and those of another file are another course.
    fs::rename(file("first"), file("moved")).unwrap();
    from("first.net", "later", "--games 512 --depth 2").expect();
    fs::rename(file("moved"), file("first")).unwrap();
    learn(&file("second"), "--games 256");
    let said = from("second.net", "later", "--games 768 --depth 2").expect_failure(2);
    assert!(said.contains("later.course': it was learned with --from ") && said.contains("first.net; name"), "{said}");
    let said = fault(&format!("learn tictactoe --out {} --depth 2", file("later").display()));
    assert!(said.contains("later.course': it was learned with --from "), "{said}");
    let bytes = |name: &str| fs::read(file(name)).unwrap();
    assert!(bytes("same") == bytes("first") && bytes("of-course") == bytes("first"));
    assert!(bytes("later") != bytes("first") && bytes("later") == bytes("at-once"));
    from("first.net", "split", "--games 256 --rate 0 --stages 3").expect();
    let analysis = |name: &str| {
        let agent = format!("mcts:policy=puct,net={}", file(name).display());
        json(&run(&format!("analyze tictactoe --agent {agent} --iterations 100 --json")).expect())["children"].clone()
    };
    assert!(bytes("split") != bytes("first") && analysis("split") == analysis("first"));
    let said = from("split.net", "other", "--games 256 --stages 2").expect_failure(2);
    assert!(said.contains("split.net': it has 3 stages, and only one stage can be made several; leave out"), "{said}");
    learn(&file("priors"), "--games 256 --policy");
    for games in [256, 512] {
        from("priors.net", "values", &format!("--games {games}")).expect();
    }
    let said = from("none.net", "other", "--games 256").expect_failure(2);
    assert!(said.contains("none.net': No such file"), "{said}");
    let other = format!("learn connect4 --from {} --out {}", file("first").display(), file("c4").display());
    let said = fault(&other);
    assert!(said.contains("first.net': it is a network of tictactoe"), "{said}");
    for both in ["--tuples lines", "--optimism 3"] {
        let said = from("first.net", "other", both).expect_failure(2);
        assert!(said.contains("--from"), "{said}");
    }
    assert!(!file("other").exists() && !file("c4").exists());
}

#[test]
fn a_killed_command_goes_on_and_ends_with_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (folder.path().join("killed.net"), folder.path().join("whole.net"));
    learn(&killed, "--games 256");
    let of_round = fs::read(&killed).unwrap();
    let child = start(&format!("{QUICK} {} --games 1000000000", killed.display()));
    wait_until("a checkpoint replaces the files of the first round", || fs::read(&killed).unwrap() != of_round);
    child.kill();
    let games = json(&learn(&killed, "--games 1 --json"))["games"].as_u64().unwrap();
    assert!(games > 256, "{games} games");
    for file in [&killed, &whole] {
        learn(file, &format!("--games {}", games + 512));
    }
    assert!(fs::read(killed).unwrap() == fs::read(whole).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn every_signal_ends_learning_after_the_round_and_says_so() {
    use std::time::Duration;

    use crate::interrupt::{SIGNALS, end_when};
    side_by_side(SIGNALS, |(signal, code)| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.net");
        let child = start(&format!("{QUICK} {} --games 1000000000", file.display()));
        // In this time it works on a round.
        let output = end_when(signal, child, |child| child.worked() > Duration::from_millis(300));
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.ends_with("interrupted; the same command goes on\n"), "{said}");
        assert!(file.exists() && file.with_extension("course").exists());
    });
}

#[test]
fn what_cannot_be_learned_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.net");
    let out = file.display();
    let said = fault(&format!("learn kuhn --out {out}"));
    assert_eq!(said, "kuhn: this game has no board of cells, so it has no networks");
    let said = fault(&format!("learn yavalath:players=3 --out {out}"));
    assert_eq!(said, "yavalath:players=3: a network learns games for one or two players, and this game has more");
    let said = fault(&format!("learn tictactoe --optimism 3 --out {out}"));
    assert_eq!(said, "tictactoe: optimism is a score at first, and this game has no scores; leave it out");
    let said = fault(&format!(
        "learn go --tuples {} --out {out}",
        (0..81).map(|cell| cell.to_string()).collect::<Vec<_>>().join("-")
    ));
    assert_eq!(said, "go: its weights are too many for the memory; use fewer or shorter tuples, or more memory");
    let said = fault(&format!("learn tictactoe --tuples 0-9 --out {out}"));
    assert!(said.starts_with("tictactoe: '0-9' is no tuple of this board; write usual, lines, "), "{said}");
    let said = fault(&format!("learn tictactoe --round 3 --out {out}"));
    assert_eq!(said, "--round has no use for a network; leave it out, or give --out a name that ends in .json");
    assert!(!file.exists());
    learn(&file, "--games 10");
    for (other, own) in [
        ("--tuples lines --seed 3", "with --seed 0"),
        ("--tuples lines --rate 0.5", "with --rate 10"),
        ("--tuples lines --lambda 0.5", "with --lambda 0.9"),
        ("--tuples lines --policy", "without --policy"),
        ("--tuples lines --depth 2", "with --depth 1"),
        ("--tuples lines --opening 1", "with --opening 8"),
        ("--tuples lines --stages 2", "with other --tuples or --stages"),
        ("--tuples walks:3x3", "with other --tuples or --stages"),
        ("", "with other --tuples or --stages"),
    ] {
        let said = fault(&format!("learn tictactoe --out {out} --games 10 {other}"));
        assert!(said.contains(&format!("t.course': it was learned {own}; name another file")), "{said}");
    }
    let other = folder.path().join("other.net");
    let with = |game: &str| run(&format!("learn {game} --tuples 0-1 --games 1 --out {}", other.display()));
    with("go:size=5,komi=0").expect();
    let said = with("go:size=5,komi=7").expect_failure(2);
    assert!(said.contains("other.course': it was learned by go:size=5,komi=0; name another file"), "{said}");
    let other = folder.path().join("t.txt");
    let said = fault(&format!("learn tictactoe --out {}", other.display()));
    assert!(said.contains("t.txt' should end in .json, by which") && said.contains("in .net for a network"), "{said}");
    let course = file.with_extension("course");
    fs::rename(&file, folder.path().join("other")).unwrap();
    learn(&file, "--games 10");
    assert!(
        fs::read(&file).unwrap() == fs::read(folder.path().join("other")).unwrap(),
        "a lost network is written again"
    );
    fs::rename(&course, folder.path().join("other")).unwrap();
    let said = fault(&format!("{QUICK} {out} --games 10"));
    assert!(said.ends_with("t.net': it has no course of learning to go on from; learn into another file"), "{said}");
    fs::create_dir(folder.path().join("picture.svg")).unwrap();
    // It is refused before it learns, which would take longer than any test waits.
    let said = fault(&format!("{QUICK} {} --time 1h", folder.path().join("picture.net").display()));
    assert!(said.contains("picture.svg'"), "{said}");
    fs::write(&course, "{}").unwrap();
    let said = fault(&format!("{QUICK} {out} --games 10"));
    assert!(said.ends_with("t.course': it is no file of a network; 'boughs learn' writes one"), "{said}");
}

#[test]
fn two_do_not_learn_into_one_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.net");
    let first = start(&format!("{QUICK} {} --games 1000000000", file.display()));
    wait_until("the first has its lock", || folder.path().join("t.net.lock").exists());
    let refused = fault(&format!("{QUICK} {} --games 5", file.display()));
    assert!(refused.starts_with("another command is learning into '"), "{refused}");
    first.kill();
    learn(&file, "--games 5");
}
