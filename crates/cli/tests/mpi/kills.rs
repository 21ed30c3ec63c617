//! Ranks that die.

use std::thread;
use std::time::{Duration, Instant};

use crate::job::{Job, Network, rank_process, signal, told};
use crate::process::Running;

/// A search of four seconds, long enough for a busy machine to kill one of its ranks in the middle.
const SEARCH: &str = "analyze connect4 --mpi --time 4s --no-early-stop";

#[test]
fn survivors_of_a_rank_that_dies_answer_and_say_that_the_answer_is_degraded() {
    for (seed, network) in [(770_001, Network::Memory), (770_002, Network::Tcp)] {
        let job = Job { network, options: "--enable-recovery", ..Job::of(3) };
        let child = job.start(SEARCH, seed);
        signal("-KILL", &rank_process(seed, 2).unwrap());
        let output = child.finish();
        let said = told(&output);
        assert!(said.contains("best ") && said.contains("this answer is degraded"), "{network:?}: {said}");
        assert!(said.contains("ranks     3") && output.status.success(), "{network:?}: {said}");
        // The deadline and one period, and some time for a busy machine.
        let seconds = said.split(" in ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok()).unwrap();
        assert!((3.9..5.0).contains(&seconds), "{seconds} s, {network:?}: {said}");
        assert!(said.contains("rank 1: another rank gave no sign"), "{said}");
    }
}

#[test]
fn survivors_of_the_first_rank_tell_what_they_know_and_leave() {
    let seed = 770_003;
    let job = Job { options: "--enable-recovery", ..Job::of(3) };
    let child = job.start(SEARCH, seed);
    signal("-KILL", &rank_process(seed, 0).unwrap());
    let said = told(&child.finish());
    for rank in [1, 2] {
        assert!(said.contains(&format!("rank {rank}: another rank gave no sign in time; the degraded")), "{said}");
        assert_eq!(rank_process(seed, rank), None);
    }
    // The first of them ends the other one too.
    assert!(said.contains("ends the job, because rank 0 gives no sign any more"), "{said}");
}

#[test]
fn a_rank_that_hangs_does_not_keep_the_job_from_its_end() {
    let seed = 770_009;
    let job = Job { options: "--enable-recovery", ..Job::of(2) };
    let child = job.start(&format!("{SEARCH} --json"), seed);
    let hung = rank_process(seed, 1).unwrap();
    signal("-STOP", &hung);
    let began = Instant::now();
    let output = child.finish();
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}: {}", began.elapsed(), told(&output));
    let said = told(&output);
    assert!(output.status.success() && said.contains("\"ranks\":2,\"degraded\":true"), "{said}");
    assert_eq!(rank_process(seed, 1), None);
}

#[test]
fn without_recovery_the_whole_job_ends() {
    let seed = 770_004;
    let began = Instant::now();
    let child = Job::of(3).start("analyze connect4 --mpi --time 60s --no-early-stop", seed);
    signal("-KILL", &rank_process(seed, 1).unwrap());
    let output = child.finish();
    let said = told(&output);
    assert!(!output.status.success() && began.elapsed() < Duration::from_secs(40), "{said}");
    assert!(!said.contains("best ") || said.contains("this answer is degraded"), "{said}");
    assert!((0..3).all(|rank| rank_process(seed, rank).is_none()));
}

/// A session of GTP.
struct Session(Running);

impl Session {
    fn start(job: &Job, words: &str) -> Session {
        Session(Running::start(&mut job.command(words)))
    }

    /// Asks, and checks that an answer comes. Returns the time that it took.
    fn ask(&mut self, command: &str) -> Duration {
        self.0.say(command);
        let began = Instant::now();
        let answer = std::iter::repeat_with(|| self.0.line()).find(|line| !line.is_empty()).unwrap_or_default();
        assert!(answer.trim_start().starts_with('='), "{command}: {answer}");
        began.elapsed()
    }

    /// Ends the session, and returns standard error.
    fn end(mut self) -> String {
        self.ask("quit");
        told(&self.0.finish())
    }
}

#[test]
fn a_rank_that_dies_between_two_moves_costs_one_deadline() {
    let seed = 770_005;
    let job = Job { options: "--enable-recovery", ..Job::of(2) };
    let mut session = Session::start(&job, &format!("gtp connect4 --mpi --time 500ms --seed {seed}"));
    session.ask("genmove black");
    signal("-KILL", &rank_process(seed, 1).unwrap());
    for colour in ["white", "black", "white"] {
        let took = session.ask(&format!("genmove {colour}"));
        assert!(took < Duration::from_millis(1_500), "{took:?}");
    }
    assert!(session.end().contains("this answer is degraded"));
}

#[test]
fn a_rank_that_is_late_once_is_there_for_the_next_move() {
    let seed = 770_007;
    let mut session = Session::start(&Job::of(3), &format!("gtp connect4 --mpi --time 2s --seed {seed}"));
    session.ask("genmove black");
    let late = rank_process(seed, 2).unwrap();
    signal("-STOP", &late);
    let took = session.ask("genmove white");
    assert!(took < Duration::from_millis(3_500), "{took:?}");
    // This one is searched alone.
    session.ask("genmove black");
    signal("-CONT", &late);
    thread::sleep(Duration::from_secs(2));
    session.ask("genmove white");
    session.ask("genmove black");
    let said = session.end();
    assert_eq!(said.matches("this answer is degraded").count(), 2, "{said}");
}

#[test]
fn a_rank_that_dies_while_the_others_ponder_holds_up_no_command() {
    let seed = 770_008;
    let job = Job { options: "--enable-recovery", ..Job::of(2) };
    let mut session = Session::start(&job, &format!("gtp connect4 --mpi --ponder --time 500ms --seed {seed}"));
    session.ask("genmove black");
    thread::sleep(Duration::from_millis(300));
    signal("-KILL", &rank_process(seed, 1).unwrap());
    thread::sleep(Duration::from_millis(300));
    let took = session.ask("play white A1");
    assert!(took < Duration::from_millis(1_000), "{took:?}");
    session.end();
}

#[test]
fn a_job_waits_for_its_first_command_as_long_as_it_takes() {
    let mut session = Session::start(&Job::of(2), "gtp connect4 --mpi --iterations 1000");
    thread::sleep(Duration::from_secs(40));
    session.ask("genmove black");
    let said = session.end();
    assert!(!said.contains("degraded") && !said.contains("leaves"), "{said}");
}

#[test]
fn ctrl_c_ends_all_ranks() {
    let seed = 770_006;
    for limit in ["--time 60s", "--iterations 400000000"] {
        let child = Job::of(2).start(&format!("analyze connect4 --mpi {limit} --no-early-stop"), seed);
        child.send("INT");
        let began = Instant::now();
        let output = child.finish();
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert!(told(&output).contains("best "), "the result so far, {limit}: {}", told(&output));
        assert!((0..2).all(|rank| rank_process(seed, rank).is_none()));
    }
}
