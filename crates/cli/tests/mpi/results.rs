//! The results that all ranks find together.

use assert_cmd::Command;
use serde_json::Value;

use crate::job::{Job, Network, told};

/// The findings of a search, without times and sizes.
fn found(report: &Value) -> Value {
    let keys = ["best", "children", "pv", "iterations", "inherited", "stop"];
    keys.into_iter().map(|key| (key.to_string(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn visits(report: &Value) -> u64 {
    let children = report["children"].as_array().unwrap();
    children.iter().map(|child| child["playouts"].as_u64().unwrap()).sum()
}

/// The findings of logical ranks.
fn logical(game: &str, keys: &str, ranks: usize, rest: &str) -> Value {
    let agent = format!("ranks:ranks={ranks}{keys}");
    let words = format!("analyze {game} --json --agent {agent} {rest}");
    let output = Command::new(env!("CARGO_BIN_EXE_boughs")).args(words.split(' ')).output().unwrap();
    assert!(output.status.success(), "{words}: {}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_result_depends_on_the_seed_and_the_number_of_ranks_alone() {
    let rest = "--position 4453 --iterations 6000 --seed 5 --no-early-stop";
    let words = format!("analyze connect4 --mpi --json --agent mcts:playout=heavy {rest}");
    let mut of_ranks = Vec::new();
    for ranks in [1, 2, 4] {
        let report = Job::of(ranks).json(&words);
        assert_eq!((visits(&report), report["inherited"].as_u64()), (6_000 * ranks as u64, Some(0)));
        assert_eq!(report["iterations"].as_u64(), Some(6_000 * ranks as u64));
        assert_eq!((report["ranks"].as_u64(), report["degraded"].as_bool()), (Some(ranks as u64), Some(false)));
        assert_eq!(found(&report), found(&logical("connect4", ",playout=heavy", ranks, rest)), "{ranks} ranks");
        for network in [Network::Tcp, Network::Nodes] {
            if ranks > 1 {
                let job = Job { network, ..Job::of(ranks) };
                assert_eq!(found(&job.json(&words)), found(&report), "{ranks} ranks, {network:?}");
            }
        }
        of_ranks.push(found(&report));
    }
    assert!(of_ranks[0] != of_ranks[1] && of_ranks[1] != of_ranks[2], "the number of ranks matters");
}

#[test]
fn batches_on_two_threads_repeat_themselves_too() {
    let words = "analyze hex:size=5 --mpi --json --agent mcts:parallel=batched --threads 2 --iterations 4000";
    let words = format!("{words} --no-early-stop");
    let [first, second] = [0, 1].map(|_| Job::of(2).json(&words));
    assert_eq!(found(&first), found(&second));
    assert_eq!(visits(&first), 8_000);
}

#[test]
fn ranks_end_at_the_deadline_and_know_what_all_have_found() {
    let alone = "analyze othello --json --time 2s --no-early-stop";
    let report = Job::of(3).json(&format!("{alone} --mpi"));
    let report = &report;
    assert_eq!(report["stop"], "time", "{report}");
    assert!(!report["warnings"].to_string().contains("degraded"), "{report}");
    let seconds = report["seconds"].as_f64().unwrap();
    assert!((1.8..2.6).contains(&seconds), "{seconds} s");
}

#[test]
fn the_tree_of_the_first_rank_is_drawn() {
    let output = Job::of(2).output("analyze connect4 --mpi --iterations 2000 --tree 1 --no-early-stop");
    let said = told(&output);
    // Below the report stands the tree: its root, and the seven children.
    let tree = said.split("ended by").nth(1).unwrap_or_default();
    assert!(output.status.success() && tree.lines().filter(|line| line.contains('%')).count() >= 7, "{said}");
}

#[test]
fn what_ranks_cannot_do_is_one_sentence() {
    for (words, fault) in [
        ("analyze photosynthesis --mpi --time 50ms --memory 1G", "--mpi is for the agent mcts"),
        ("analyze kuhn --mpi --agent mcts:policy=rm --position JQ", "ranks add up visits"),
        ("analyze connect4 --mpi --record log", "cannot be used with"),
        ("bot ahc015 --mpi --agent mcts", "other ranks cannot follow"),
    ] {
        let output = Job::of(2).with_input(words, "1 2 3\n");
        let said = told(&output);
        assert!(!output.status.success() && said.contains(fault), "{words}: {said}");
        assert_eq!(said.matches("boughs: ").count(), 1, "{words}: {said}");
    }
}

#[test]
fn a_rank_that_is_alone_or_bound_is_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_boughs"))
        .args("analyze connect4 --mpi --iterations 100 --json".split(' '))
        .output()
        .unwrap();
    let said = told(&output);
    assert!(output.status.success() && said.contains("\"ranks\":1"), "{said}");
    assert!(said.contains("there is one rank, which searches alone"), "{said}");
    let bound = "analyze connect4 --mpi --iterations 100 --threads 0";
    let mut pinned = Command::new("taskset");
    let pinned = pinned.args("-c 0".split(' ')).arg(env!("CARGO_BIN_EXE_boughs"));
    let said = told(&pinned.args(bound.split(' ')).output().unwrap());
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(said.contains(&format!("--threads 0 takes 1 of the {cores} cores")), cores > 1, "{said}");
}
