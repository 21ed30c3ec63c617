//! `boughs replay --log` checks the logs of `boughs analyze --record`.

use std::path::Path;

use crate::common::{Ran, boughs, ran};

fn record(file: &Path, args: &str) -> Ran {
    ran(boughs().arg("analyze").args(args.split('|')).arg("--record").arg(file))
}

fn replay(file: &Path) -> Ran {
    ran(boughs().args(["replay", "--log"]).arg(file))
}

#[test]
fn a_recorded_search_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    for args in [
        "connect4|--iterations|500|--threads|2",
        "tictactoe|--iterations|0",
        "hex : size = 4|--position|A1\n b2,|--iterations|300|--agent|mcts:parallel=independent,threads=3",
        "othello|--iterations|200|--agent|mcts:parallel=batched,loss=wu",
    ] {
        let text = record(&file, args).expect();
        assert!(text.contains("ended by  iterations"), "{text}");
        let said = replay(&file).expect();
        assert!(said.contains(" is right: "), "{args}: {said}");
    }
}

#[test]
fn a_changed_log_is_a_failed_check_that_names_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    record(&file, "connect4|--iterations|50").expect();
    let text = std::fs::read_to_string(&file).unwrap();
    let second = text.lines().position(|line| line.starts_with("playout 2 ")).unwrap();
    let dropped: Vec<&str> =
        text.lines().enumerate().filter(|&(number, _)| number != second).map(|(_, line)| line).collect();
    std::fs::write(&file, dropped.join("\n")).unwrap();
    let said = replay(&file).expect_failure(1);
    assert!(said.contains(&format!("line {}: playout 2 is missing", second + 1)), "{said}");
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert!(replay(&file).expect_failure(1).contains("line "));
}

#[test]
fn a_log_that_cannot_be_written_does_not_take_the_result() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let ran = record(Path::new("/dev/full"), "connect4|--iterations|50");
    assert_eq!((ran.code, ran.out.contains(" best ")), (Some(2), true), "{ran:?}");
    assert!(ran.err.starts_with("boughs: '/dev/full' cannot be written: No space left"), "{ran:?}");
}

#[test]
fn what_cannot_be_recorded_leaves_the_file_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("keep.log");
    record(&file, "tictactoe|--iterations|50").expect();
    let before = std::fs::read(&file).unwrap();
    let refused = record(&file, "kuhn|--position|JQ|--iterations|50").expect_failure(2);
    assert!(refused.contains("can be recorded"), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
