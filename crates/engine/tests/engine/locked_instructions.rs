//! A search with one thread executes no locked instruction, but for a few at its start and its end.
//!
//! This program runs itself under valgrind's callgrind, which counts how often each instruction is executed, and asks
//! objdump which of them are locked.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;

use crate::common::{Halves, Hidden, Scores, Shares};
use boughs::{Budget, Session, Settings, Turn};

/// The environment variable with the playouts of each search. With it this test is what is counted.
const PLAYOUTS: &str = "BOUGHS_TEST_PLAYOUTS";

/// The locked instructions at the start and the end of all searches vary by less, because threads wait or do not. One
/// for each look at the budget would be several times as many.
const MOST_LOCKED: u64 = 1_000;

#[test]
fn a_search_with_one_thread_executes_no_locked_instruction() {
    if let Ok(playouts) = env::var(PLAYOUTS) {
        return search_all(playouts.parse().unwrap());
    }
    let has = |tool| Command::new(tool).arg("--version").output().is_ok();
    if cfg!(not(target_arch = "x86_64")) || !["valgrind", "objdump"].into_iter().all(has) {
        eprintln!("skipped: locked instructions are counted on x86-64, by valgrind and objdump");
        return;
    }
    let program = env::current_exe().unwrap();
    let places = locked_in(&program);
    let [few, many] = [500, 3_000].map(|playouts| locked(playouts, &program, &places));
    assert!(few > 0, "a search locks when it starts and ends");
    assert!(many < few + MOST_LOCKED, "{few} locked instructions with few playouts, and {many} with many");
}

/// The number of instructions at these places of this program that are executed by searches of `playouts` playouts.
fn locked(playouts: u64, program: &Path, places: &BTreeSet<u64>) -> u64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let counts = folder.join(format!("locked-{playouts}-{}", std::process::id()));
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", counts.display())).arg(program);
    valgrind.args(["--exact", "locked_instructions::a_search_with_one_thread_executes_no_locked_instruction"]);
    let output = valgrind.env(PLAYOUTS, playouts.to_string()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    let text = std::fs::read_to_string(&counts).unwrap();
    std::fs::remove_file(&counts).unwrap();
    count(&text, program, places)
}

/// The places of the locked instructions of a program.
fn locked_in(program: &Path) -> BTreeSet<u64> {
    let output = Command::new("objdump").args(["--disassemble", "--no-show-raw-insn"]).arg(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let place = |line: &str| {
        let (place, instruction) = line.trim_start().split_once(":\t")?;
        // An exchange with memory locks without the prefix.
        let is_locked =
            instruction.starts_with("lock ") || instruction.starts_with("xchg") && instruction.contains('(');
        is_locked.then(|| u64::from_str_radix(place, 16).ok())?
    };
    let places: BTreeSet<u64> = text.lines().filter_map(place).collect();
    assert!(places.len() > 100, "std alone has more locked instructions than {}", places.len());
    places
}

/// How often the instructions of a program at these places were executed, by what callgrind counted.
fn count(counts: &str, program: &Path, places: &BTreeSet<u64>) -> u64 {
    let (mut is_own, mut is_call, mut all, mut own) = (false, false, 0, 0);
    for line in counts.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_own = Path::new(object) == program;
        } else if line.starts_with("calls=") {
            // The next line has the costs of the function that is called.
            is_call = true;
        } else if let Some((place, costs)) = line.strip_prefix("0x").and_then(|line| line.split_once(' ')) {
            let place = u64::from_str_radix(place, 16).unwrap();
            let executed: u64 = costs.split(' ').nth(1).unwrap_or_default().parse().unwrap();
            if is_own && !std::mem::take(&mut is_call) {
                own += executed;
                all += if places.contains(&place) { executed } else { 0 };
            }
        }
    }
    assert!(own > 100_000, "callgrind counts this program");
    all
}

/// Searches of all layouts, with room and without, and with kept trees.
fn search_all(playouts: u64) {
    for memory in [1 << 22, 1 << 14] {
        for text in ["mcts", "mcts:solver=on", "mcts:traversals=1,bulk=1"] {
            search(&Halves::thicket(1, 2), text, memory, playouts);
        }
        search(&Shares::thicket(1, 2), "mcts", memory, playouts);
        search(&Scores::thicket(1, 2), "mcts", memory, playouts);
        for text in ["mcts:tree=multi", "mcts:tree=single", "mcts:policy=rm"] {
            search(&Hidden::weather(1, 3), text, memory, playouts);
        }
    }
}

fn search(game: &dyn Session, text: &str, memory: usize, playouts: u64) {
    let settings = Settings { memory, ..text.parse().unwrap() };
    let mut search = game.tree_search(settings).unwrap();
    for _ in 0..3 {
        if matches!(search.position().turn(), Turn::Player(_)) {
            let report = search.run(Budget::iterations(playouts).early_stop(false)).unwrap();
            search.advance(report.best_action().unwrap()).unwrap();
        }
    }
}
