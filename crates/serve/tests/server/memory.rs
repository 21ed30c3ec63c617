//! The memory of a server whose pages ask for as much as they can get, in a process of its own.

use std::fs;
use std::process::Command;

use boughs_serve::Settings;
use serde_json::{Value, json};

use crate::client::{Page, search, settings, start};

/// Set for the process in which the searches are made.
const INSIDE: &str = "BOUGHS_TEST_MEMORY";

/// Searches that take much memory beside their trees, or for them, under a bound in MiB.
fn greedy(mib: u64) -> Vec<(&'static str, String)> {
    let scaled = [
        ("go:size=19", "mcts:parallel=batched,memory=HALF,batch=", 12),
        ("connect4", "mcts:parallel=batched,memory=HALF,batch=", 60),
        ("connect4", "ranks:memory=HALF,ranks=", 2),
        ("ahc015", "beam:width=", 200),
        ("photosynthesis", "beam:width=", 40),
        ("othello", "mcts:memory=1M,bulk=", 60),
    ];
    let fixed = [
        ("connect4", "mcts:memory=8M,parallel=batched,batch=65536"),
        ("go:size=19", "mcts:parallel=batched,batch=65536"),
        ("connect4", "ranks:ranks=4096"),
        ("hex:size=11", "ranks:ranks=16"),
        ("othello", "mcts:memory=8M,threads=64,traversals=64"),
        ("go:size=19", "mcts:threads=16,learn=nst"),
        ("ahc015", "beam:width=1000000"),
        ("goofspiel", "determinization:worlds=10000"),
        ("othello", "exhaustive"),
        ("2048", "expectimax:depth=9"),
        ("green-circle", "foresight"),
        ("connect4", "mcts:threads=2"),
    ];
    let scaled = scaled.map(|(game, agent, a_mib)| {
        (game, format!("{}{}", agent.replace("HALF", &format!("{}M", mib / 2)), mib * a_mib))
    });
    scaled.into_iter().chain(fixed.map(|(game, agent)| (game, agent.to_string()))).collect()
}

/// A number of a line of this process's status, in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Makes the searches under this bound, in the process that the test `name` is run in once more.
fn check(name: &str, mib: u64) {
    if std::env::var_os(INSIDE).is_none() {
        let mut inside = Command::new(std::env::current_exe().unwrap());
        let inside = inside.args(["--exact", &format!("memory::{name}"), "--include-ignored", "--nocapture"]);
        let ran = inside.env(INSIDE, "1").output().unwrap();
        let said = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
        return println!("{said}");
    }
    let address = start(Settings { most_memory: (mib << 20) as usize, ..settings() });
    let mut page = Page::open(address);
    page.search("tictactoe", &[], "mcts:memory=1M");
    page.until_state("running");
    page.order("stop", &json!({}));
    let idle = status("VmRSS:");
    let searches = greedy(mib);
    let mut pages: Vec<Page> = searches.iter().map(|_| Page::open(address)).collect();
    let (mut most, mut made) = (0, Vec::new());
    for _ in 0..2 {
        for (page, (game, agent)) in pages.iter_mut().zip(&searches) {
            let mut order = search(game, &[], agent);
            order["search"]["time"] = json!(mib.clamp(300, 1_500));
            page.order("search", &order);
            // A search that has ended may have given its tree up for others by now.
            let is_given_up = |news: &Value| news["state"] == "stopped" && news["note"].is_string();
            let ends = |news: &Value| {
                let has_ended = ["ended", "failed"].iter().any(|state| news["state"] == *state);
                has_ended || is_given_up(news) || news["fault"].is_string()
            };
            let last = page.until(ends);
            most = status("VmHWM:").saturating_sub(idle) / 1024;
            made.push(format!("{most} MiB after {agent} of {game}: {} {}", last["fault"], last["note"]));
        }
    }
    println!("{most} MiB of {mib} MiB\n{}", made.join("\n"));
    assert!(most * 10 <= 12 * mib, "{most} MiB of {mib} MiB\n{}", made.join("\n"));
}

#[test]
fn a_server_takes_a_fifth_more_than_64_mib_at_most() {
    check("a_server_takes_a_fifth_more_than_64_mib_at_most", 64);
}

#[test]
#[ignore = "it fills a gibibyte"]
fn a_server_takes_a_fifth_more_than_1_gib_at_most() {
    check("a_server_takes_a_fifth_more_than_1_gib_at_most", 1024);
}
