//! The memory of a server whose pages ask for as much as they can get, in a process of its own.

use std::fs;
use std::net::SocketAddr;
use std::process::Command;

use boughs_serve::{ALLOCATOR, Settings};
use serde_json::{Value, json};

use crate::client::{Page, ask, search, settings, start};

/// Set for the process in which the searches are made.
const INSIDE: &str = "BOUGHS_TEST_MEMORY";

/// Searches that take much memory beside their trees, or for them, under a bound in MiB, with their times in ms.
fn greedy(mib: u64) -> Vec<(&'static str, String, u64)> {
    // These trees take nearly all of the memory, and are full soon. A page that is not read for a minute is closed.
    let trees = [
        ("connect4", "mcts:eval=on,threads=2,memory="),
        ("othello", "mcts:eval=on,threads=2,memory="),
        ("goofspiel", "mcts:threads=2,memory="),
        ("yavalath", "mcts:threads=2,memory="),
    ];
    let trees = trees.map(|(game, agent)| (game, format!("{agent}{}M", mib * 15 / 64), 5 * mib));
    let scaled = [
        ("go:size=19", "mcts:parallel=batched,memory=HALF,batch=", 12),
        ("connect4", "mcts:parallel=batched,memory=HALF,batch=", 60),
        ("connect4", "ranks:memory=HALF,ranks=", 2),
        ("ahc015", "beam:width=", 200),
        ("photosynthesis", "beam:width=", 40),
        ("othello", "beam:width=", 300),
        ("othello", "beam:width=", 150),
        ("hex:size=11", "beam:width=", 24),
        ("hex:size=9", "beam:width=", 24),
        ("go:size=19", "mcts:parallel=batched,memory=HALF,batch=", 7),
        ("goofspiel", "determinization:memory=HALF,worlds=", 8),
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
    let others = scaled.into_iter().chain(fixed.map(|(game, agent)| (game, agent.to_string())));
    trees.into_iter().chain(others.map(|(game, agent)| (game, agent, 300))).collect()
}

/// A number of a line of this process's status, in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A search of the first position of a game in which a player acts, with its name.
fn order(address: SocketAddr, (game, agent, time): (&str, String, u64)) -> (String, Value) {
    let place = ask(address, "/api/draw", &json!({ "game": game })).json();
    let moves = place["moves"].as_array().unwrap().iter().map(|played| played["text"].as_str().unwrap());
    let mut order = search(game, &moves.collect::<Vec<_>>(), &agent);
    order["search"]["time"] = json!(time);
    (format!("{agent} of {game}"), order)
}

/// Makes the searches under this bound, in the process that the test `name` is run in once more.
fn check(name: &str, mib: u64) {
    if std::env::var_os(INSIDE).is_none() {
        let mut inside = Command::new(std::env::current_exe().unwrap());
        let inside = inside.args(["--exact", &format!("memory::{name}"), "--include-ignored", "--nocapture"]);
        let (setting, value) = ALLOCATOR;
        let ran = inside.env(INSIDE, "1").env(setting, value).output().unwrap();
        let said = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
        return println!("{said}");
    }
    let address = start(Settings { most_searches: 16, most_memory: (mib << 20) as usize, ..settings() });
    let mut page = Page::open(address);
    page.search("tictactoe", &[], "mcts:memory=1M");
    page.until_state("running");
    page.order("stop", &json!({}));
    let idle = status("VmRSS:");
    let orders: Vec<_> = greedy(mib).into_iter().map(|one| order(address, one)).collect();
    let mut pages: Vec<Page> = orders.iter().map(|_| Page::open(address)).collect();
    let (mut most, mut made) = (0, Vec::new());
    // One after another, and twice at the same time.
    for (round, at_once) in [(1, 1), (2, pages.len()), (3, pages.len())] {
        for (pages, orders) in pages.chunks_mut(at_once).zip(orders.chunks(at_once)) {
            for (page, (_, order)) in pages.iter_mut().zip(orders) {
                let mut order = order.clone();
                order["search"]["tag"] = json!(round);
                page.order("search", &order);
            }
            for (page, (name, _)) in pages.iter_mut().zip(orders) {
                // A search that has ended may have given its tree up for others by now.
                let is_given_up = |news: &Value| news["state"] == "stopped" && news["note"].is_string();
                let ends = |news: &Value| {
                    let has_ended = ["ended", "failed"].iter().any(|state| news["state"] == *state);
                    news["tag"] == round && (has_ended || is_given_up(news) || news["fault"].is_string())
                };
                let last = page.until(ends);
                most = status("VmHWM:").saturating_sub(idle) / 1024;
                made.push(format!("{most} MiB after {name}: {} {}", last["fault"], last["note"]));
            }
        }
    }
    println!("{most} MiB of {mib} MiB\n{}", made.join("\n"));
    assert!(most * 2 >= mib, "the searches take too little to tell: {most} MiB of {mib} MiB");
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
