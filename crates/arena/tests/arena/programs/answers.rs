//! Faults of programs that are asked.

use std::time::{Duration, Instant};

use boughs_arena::{Fault, plain};

use crate::programs::common::{AMPLE, SHORT, Trial};

#[test]
fn an_answer_is_a_line_and_takes_the_time_until_it_is_whole() {
    let mut trial = Trial::of("read x; printf a; sleep 0.2; echo 1; read x; echo 'b2 remark'");
    let (answer, took) = trial.bot.ask("go", AMPLE).unwrap();
    assert_eq!(answer, "a1");
    assert!((Duration::from_millis(200)..AMPLE).contains(&took), "{took:?}");
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("b2 remark"));
    trial.finish(AMPLE);
}

#[test]
fn an_answer_may_have_several_lines() {
    let mut trial = Trial::of("while read x; do echo a; sleep 0.01; echo b; done");
    for _ in 0..3 {
        let (answer, _) = trial.bot.ask_lines("go", 2, AMPLE).unwrap();
        assert_eq!(answer, ["a", "b"]);
    }
    trial.finish(AMPLE);
}

#[test]
fn a_program_that_does_not_answer_is_late() {
    for script in ["read x; sleep $0", "read x; printf a1; sleep $0"] {
        let mut trial = Trial::of(script);
        let begun = Instant::now();
        let fault = trial.ask(SHORT).unwrap_err();
        assert!(matches!(fault, Fault::Late { after, allowed: SHORT } if after >= SHORT), "{script}: {fault}");
        assert!(begun.elapsed() < AMPLE);
        trial.finish(Duration::ZERO);
    }
}

#[test]
fn a_program_that_answers_after_its_time_is_late() {
    let mut trial = Trial::of("read x; sleep 0.11; echo a; sleep $0");
    assert!(matches!(trial.ask(SHORT), Err(Fault::Late { after, allowed: SHORT }) if after > SHORT));
    trial.finish(Duration::ZERO);
}

#[test]
fn a_program_that_ends_in_the_middle_has_a_status_or_a_signal() {
    for (script, says) in [
        ("exit 3", "exit status: 3"),
        ("read x; printf a1; exit 0", "exit status: 0"),
        ("read x; kill -SEGV $$", "SIGSEGV"),
        ("no-such-program $0", "exit status: 127"),
        // The child still holds the pipe, so only the deadline shows it.
        ("sleep $0 & exit 4", "exit status: 4"),
    ] {
        let mut trial = Trial::of(script);
        let fault = trial.ask(Duration::from_secs(2)).unwrap_err();
        assert!(matches!(&fault, Fault::Exited(status) if status.contains(says)), "{script}: {fault}");
        trial.finish(Duration::ZERO);
    }
    let mut trial = Trial::of("read x; echo a; read x; exit 5");
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    assert_eq!(trial.ask(AMPLE), Err(Fault::Exited("exit status: 5".to_string())));
    trial.finish(Duration::ZERO);
}

#[test]
fn a_program_that_closes_its_output_and_lives_on_cannot_answer() {
    let mut trial = Trial::of("exec >&-; sleep $0");
    assert_eq!(trial.ask(AMPLE), Err(Fault::Exited("it closed its standard output".to_string())));
    trial.finish(Duration::ZERO);
}

#[test]
fn a_program_that_closes_its_input_and_lives_on_is_deaf() {
    let mut trial = Trial::of("read x; exec <&-; echo a; sleep $0");
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    assert_eq!(trial.ask(AMPLE), Err(Fault::Deaf));
    trial.finish(Duration::ZERO);
}

#[test]
fn a_program_that_never_reads_is_deaf_and_holds_nothing_up() {
    let lines = "x".repeat(1023) + "\n";
    let begun = Instant::now();

    let mut trial = Trial::of("sleep $0");
    let told = (0..10_000).find_map(|told| Some((told, trial.bot.tell(&lines).err()?)));
    assert!(matches!(told, Some((1_000.., Fault::Deaf))), "{told:?} KiB");
    trial.finish(Duration::ZERO);

    let mut trial = Trial::of("sleep $0");
    (0..500).for_each(|_| trial.bot.tell(&lines).unwrap());
    assert_eq!(trial.ask(SHORT), Err(Fault::Deaf));
    trial.finish(SHORT);

    assert!(begun.elapsed() < AMPLE);
}

#[test]
fn a_line_without_end_is_a_flood() {
    let mut trial = Trial::of("read x; while :; do printf 0123456789012345678901234567890123456789; done");
    assert_eq!(trial.ask(AMPLE), Err(Fault::Flooded));
    trial.finish(Duration::ZERO);
}

#[test]
fn lines_without_end_are_a_flood() {
    let mut trial = Trial::of("while :; do echo a; done");
    let fault = (0..10_000).find_map(|_| trial.ask(AMPLE).err());
    assert_eq!(fault, Some(Fault::Flooded));
    trial.finish(Duration::ZERO);
}

#[test]
fn a_line_without_a_question_is_a_flood() {
    let mut trial = Trial::of("read x; echo a; echo b; read x; echo c; sleep $0");
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(trial.ask(AMPLE), Err(Fault::Flooded));
    trial.finish(Duration::ZERO);
}

#[test]
fn standard_error_may_be_flooded() {
    let noise = "i=0; while [ $i -lt 20000 ]; do echo 'noise noise noise noise noise noise' >&2; i=$((i+1)); done";
    let column = "echo '[PDATA] rollouts = 150' >&2";
    let mut trial = Trial::of(&format!("echo first >&2; {noise}; {column}; {noise}; read x; echo a; echo last >&2"));
    assert_eq!(trial.ask(AMPLE).as_deref(), Ok("a"));
    let notes = trial.finish(AMPLE);
    assert!(notes.text.starts_with("first\n") && notes.text.ends_with("last\n"), "{}", notes.text);
    assert!(notes.text.contains("left out here") && notes.text.len() < 70_000, "{}", notes.text.len());
    assert_eq!(notes.columns.get("rollouts"), Some(&150.0));

    let mut trial = Trial::of("while :; do echo $0; done >&2");
    assert!(matches!(trial.ask(SHORT), Err(Fault::Late { .. })));
    assert!(trial.finish(Duration::ZERO).text.len() < 70_000);
}

#[test]
fn garbage_is_an_illegal_answer() {
    let mut trial = Trial::of("read x; printf '\\377\\000\\033[2Ja1\\n'; read x; echo 'A1 good'; read x; echo");
    let legal = ["a1".to_string()];
    let answer = trial.ask(AMPLE).unwrap();
    assert_eq!(plain::chosen(&answer, &legal), Err(Fault::Illegal("\u{fffd}\\u{0}\\u{1b}[2Ja1\na1".to_string())));
    assert_eq!(plain::chosen(&trial.ask(AMPLE).unwrap(), &legal), Ok(0));
    assert_eq!(plain::chosen(&trial.ask(AMPLE).unwrap(), &legal), Err(Fault::Illegal("\na1".to_string())));
    trial.finish(AMPLE);
}
