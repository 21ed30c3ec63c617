//! Ranks that die.

use std::thread;
use std::time::{Duration, Instant};

use crate::job::{Job, Network, rank_process, signal, told};

/// A search of four seconds, long enough for a busy machine to kill one of its ranks in the middle.
const SEARCH: &str = "analyze connect4 --mpi --time 4s --no-early-stop";

#[test]
fn survivors_of_a_rank_that_dies_answer_and_say_that_the_answer_is_degraded() {
    for (seed, network) in [(770_001, Network::Memory), (770_002, Network::Tcp)] {
        let job = Job { network, options: "--enable-recovery", ..Job::of(3) };
        let child = job.start(SEARCH, seed);
        signal("-KILL", &rank_process(seed, 2).unwrap());
        let output = child.wait_with_output().unwrap();
        let said = told(&output);
        assert!(said.contains("best ") && said.contains("this answer is degraded"), "{network:?}: {said}");
        // The deadline and one period, and some time for a busy machine.
        let seconds = said.split(" in ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok()).unwrap();
        assert!((3.9..5.0).contains(&seconds), "{seconds} s, {network:?}: {said}");
        assert!(said.contains("rank 1 leaves"), "{said}");
    }
}

#[test]
fn survivors_of_the_first_rank_tell_what_they_know_and_leave() {
    let seed = 770_003;
    let job = Job { options: "--enable-recovery", ..Job::of(3) };
    let mut child = job.start(SEARCH, seed);
    signal("-KILL", &rank_process(seed, 0).unwrap());
    let patience = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < patience, "the survivors stay");
        thread::sleep(Duration::from_millis(50));
    }
    let said = told(&child.wait_with_output().unwrap());
    for rank in [1, 2] {
        assert!(said.contains(&format!("rank {rank} leaves")) && said.contains("degraded answer: "), "{said}");
        assert_eq!(rank_process(seed, rank), None);
    }
}

#[test]
fn without_recovery_the_whole_job_ends() {
    let seed = 770_004;
    let began = Instant::now();
    let child = Job::of(3).start("analyze connect4 --mpi --time 60s --no-early-stop", seed);
    signal("-KILL", &rank_process(seed, 1).unwrap());
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success() && began.elapsed() < Duration::from_secs(40), "{}", told(&output));
    assert!((0..3).all(|rank| rank_process(seed, rank).is_none()));
}

#[test]
fn a_rank_that_dies_between_two_moves_costs_one_deadline() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let seed = 770_005;
    let job = Job { options: "--enable-recovery", ..Job::of(2) };
    let mut child =
        job.command(&format!("gtp connect4 --mpi --time 500ms --seed {seed}")).stdin(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |command: &str| {
        writeln!(to, "{command}").unwrap();
        let began = Instant::now();
        let mut answer = String::new();
        while answer.trim().is_empty() {
            assert!(from.read_line(&mut answer).unwrap() > 0, "the program is gone");
        }
        (answer.trim().to_string(), began.elapsed())
    };
    assert!(ask("genmove black").0.starts_with("= "));
    signal("-KILL", &rank_process(seed, 1).unwrap());
    for colour in ["white", "black", "white"] {
        let (answer, took) = ask(&format!("genmove {colour}"));
        assert!(answer.starts_with("= ") && took < Duration::from_millis(1_500), "{answer} after {took:?}");
    }
    assert!(ask("quit").0.starts_with('='));
    drop(to);
    let said = told(&child.wait_with_output().unwrap());
    assert!(said.contains("this answer is degraded"), "{said}");
}

#[test]
fn ctrl_c_ends_all_ranks() {
    let seed = 770_006;
    let child = Job::of(2).start("analyze connect4 --mpi --time 60s --no-early-stop", seed);
    signal("-INT", &child.id().to_string());
    let began = Instant::now();
    child.wait_with_output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!((0..2).all(|rank| rank_process(seed, rank).is_none()));
}
