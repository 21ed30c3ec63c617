//! Trees that are kept from move to move in little memory: they go on growing for the whole game.

use boughs::{Budget, Report, Rng, Settings, Turn, Warning};
use boughs_tests::position;

/// The most memory of a full tree that may be of no use.
const UNUSED: f64 = 0.05;

/// Games whose whole trees have room, and Pig, whose nodes have two children, too few for the memory.
const NEVER_FULL: [&str; 5] = ["tictactoe", "matrix", "kuhn", "nim", "pig"];

/// Games whose nodes are cache lines, which take half the memory.
const LINES: [&str; 3] = ["connect4", "othello", "go"];

/// Plays a game with one search, each move chosen by it, and returns the report of each search.
fn play(game: &str, settings: &Settings, playouts: u64, moves: usize) -> Vec<Report> {
    let mut search = position(game, "").tree_search(settings.clone()).expect(game);
    let mut rng = Rng::new(5, 0);
    let mut reports = Vec::new();
    while reports.len() < moves {
        let action = match search.position().turn() {
            Turn::Over => break,
            Turn::Chance => search.position().chance(&mut rng).expect("an outcome"),
            Turn::Player(_) => {
                let report = search.search(Budget::iterations(playouts).early_stop(false), &mut |_| ()).expect(game);
                let best = report.best.as_ref().expect("a move").action;
                reports.push(report);
                best
            }
        };
        search.advance(action).expect(game);
    }
    reports
}

fn is_full(report: &Report) -> bool {
    report.warnings.contains(&Warning::MemoryFull)
}

#[test]
fn a_full_tree_has_no_more_than_a_twentieth_of_its_memory_without_use() {
    for entry in boughs_games::entries() {
        for threads in [1, 2, 8] {
            // Workers that grow one tree leave holes of their own, so more of them need more memory.
            let memory = if threads > 1 { 4 << 20 } else { 1 << 20 };
            let settings = Settings { threads, memory, seed: 3, ..Settings::default() };
            let bytes_a_playout = if LINES.contains(&entry.name) { 30 } else { 60 };
            let playouts = memory as u64 / bytes_a_playout;
            let reports = play(entry.name, &settings, playouts, 3);
            let full = reports.iter().filter(|report| is_full(report)).count();
            assert!(full > 0 || NEVER_FULL.contains(&entry.name), "{}, {threads} threads", entry.name);
            for (ply, report) in reports.iter().enumerate().filter(|(_, report)| is_full(report)) {
                let unused = 1.0 - report.bytes as f64 / memory as f64;
                assert!(unused < UNUSED, "{}, {threads} threads, search {ply}: {unused}", entry.name);
            }
        }
    }
}

#[test]
fn a_kept_tree_of_othello_fills_its_memory_again_and_again_for_a_whole_game() {
    for threads in [1, 2, 8] {
        let settings = Settings { threads, memory: 1 << 20, seed: 1, ..Settings::default() };
        let reports = play("othello", &settings, 30_000, 40);
        let full = reports.iter().filter(|report| is_full(report)).count();
        assert!(full > 25, "{threads} threads: {full} of {} searches filled the memory", reports.len());
        for report in reports.iter().filter(|report| is_full(report)) {
            assert!(report.bytes as f64 > (1.0 - UNUSED) * f64::from(1 << 20), "{threads} threads: {}", report.bytes);
            assert!(report.depth > 4, "{threads} threads: the tree grows below the root\n{report}");
        }
    }
}
