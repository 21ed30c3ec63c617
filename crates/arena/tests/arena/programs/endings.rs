//! Ends of programs: the program and all processes it has started end, in every way of letting it go.

use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use std::fs;

use crate::programs::common::{AMPLE, SHORT, Trial, has};

#[test]
fn a_program_has_time_to_end_by_itself_and_is_heard_to_its_last_word() {
    let mut trial = Trial::of("read x; echo a; cat >&2; echo and more; sleep 0.1; echo '[PDATA] rollouts = 5' >&2");
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    trial.bot.tell("end 1 0").unwrap();
    let begun = Instant::now();
    let notes = trial.finish(AMPLE);
    assert!(begun.elapsed() < AMPLE, "the wait is no longer than it takes");
    assert_eq!(notes.text, "end 1 0\n[PDATA] rollouts = 5\n");
    assert_eq!(notes.columns["rollouts"], 5.0);
}

#[test]
fn a_program_that_does_not_end_with_its_input_is_killed() {
    for script in
        ["sleep $0", "trap '' TERM INT HUP; while :; do sleep $0; done", "while :; do echo x; done", "kill -STOP $$"]
    {
        let begun = Instant::now();
        Trial::of(script).finish(SHORT);
        assert!(begun.elapsed() < AMPLE, "{script}");
    }
}

#[test]
fn a_program_that_is_dropped_is_killed() {
    Trial::of("sleep $0").drop();
    Trial::of("sleep $0 & sleep $0 & wait").drop();
}

/// Asks a script one question, so that it has come that far, and lets it go in both ways.
fn leaves_no_process(script: &str) {
    for patience in [Duration::ZERO, SHORT] {
        let mut trial = Trial::of(script);
        assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"), "{script}");
        trial.finish(patience);
    }
}

#[test]
fn its_children_end_with_it_or_after_it() {
    leaves_no_process("sleep $0 & read x; echo a; wait");
    leaves_no_process("sleep $0 & read x; echo a");
    leaves_no_process("(sh -c 'sleep $0 & sleep $0' $0 &) ; read x; echo a");
    leaves_no_process("exec 3>&1; (trap '' TERM HUP; sleep $0 <&- >&- 2>&- 3>&-) & read x; echo a");
}

#[cfg(target_os = "linux")]
#[test]
fn children_that_left_its_group_end_too() {
    if !has("setsid") {
        return;
    }
    // Descendants are known by their parent, by their environment, and by either.
    leaves_no_process("env -i setsid sleep $0 & read x; echo a; sleep 0.02; wait");
    leaves_no_process("(setsid sleep $0 &) ; read x; echo a");
    leaves_no_process("(setsid sleep $0 <&- >&- 2>&- &) ; read x; sleep 0.02; echo a");
    leaves_no_process("setsid sh -c 'setsid sleep $0 & sleep $0' $0 & read x; echo a; wait");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_cannot_be_found_holds_nothing_up() {
    if !has("setsid") {
        return;
    }
    // The process answers when its parent is gone.
    let waits = "while kill -0 $$ 2>&-; do sleep 0.01; done; echo a; exec sleep $0";
    let leaves = format!("env -i PATH=\"$PATH\" setsid sh -c \"{waits}\" &");
    let mut trial = Trial::of(&format!("read x; sh -c '{leaves}' $0; cat >/dev/null"));
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    let begun = Instant::now();
    let rest = trial.finish_with_rest(AMPLE);
    assert!(begun.elapsed() < AMPLE);
    assert_eq!(rest.len(), 1, "this is what docs/PROTOCOL.md says is not found: {rest:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_runs_away_from_child_to_child_is_caught() {
    if !has("setsid") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    // Each process leaves a trace, and the chain ends with the folder.
    fs::write(path("run"), "echo >>\"$0.trace\" && sleep 0.03 && setsid sh \"$0\" &\n").unwrap();
    let runs = format!("sh {} & ", path("run")).repeat(4);
    let mut trial =
        Trial::of(&format!("{runs} read x; until [ -s {} ]; do sleep 0.01; done; echo a; cat", path("run.trace")));
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    trial.finish(AMPLE);
    let been = || fs::metadata(path("run.trace")).unwrap().len();
    let before = been();
    std::thread::sleep(3 * SHORT);
    assert_eq!(been(), before);
}
