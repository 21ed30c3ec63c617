//! Logs of parallel searches replay to the same tree, and every change to a log is found.

use crate::common::{Scores, Shares, Spot};
use boughs::log::{Header, Log, record};
use boughs::{Budget, Search, SearchError, Session, Settings, Turn};

fn start() -> Shares {
    Shares::thicket(13, 3)
}

fn logged(agent: &str, iterations: u64) -> String {
    logged_of(&start(), agent, iterations)
}

fn logged_of(start: &dyn Session, agent: &str, iterations: u64) -> String {
    let settings: Settings = agent.parse().unwrap();
    let header = Header { game: "thicket".into(), position: String::new(), agent: agent.into(), seed: settings.seed };
    let mut search = start.tree_search(settings).unwrap();
    let mut out = Vec::new();
    let report = search.record(&header, Budget::iterations(iterations), &mut out, &mut |_| {}).unwrap();
    assert_eq!(report.iterations, iterations);
    String::from_utf8(out).unwrap()
}

/// The result of verification: counts, or the fault.
fn verdict(log: &str) -> Result<(u64, u64), String> {
    let log = Log::open(log.as_bytes()).map_err(|fault| fault.to_string())?;
    let verified = log.verify(&start()).map_err(|fault| fault.to_string())?;
    Ok((verified.playouts, verified.nodes))
}

#[test]
fn logs_of_every_mode_replay_to_equal_counters() {
    for agent in [
        "mcts",
        "mcts:threads=4",
        "mcts:threads=4,loss=wu",
        "mcts:threads=4,loss=3",
        "mcts:threads=4,loss=0",
        "mcts:threads=3,parallel=independent",
        "mcts:threads=2,parallel=batched",
    ] {
        let log = logged(agent, 3_000);
        let (playouts, nodes) = verdict(&log).expect(agent);
        assert_eq!(playouts, 3_000, "{agent}");
        assert!(nodes > 100, "{agent}");
    }
}

#[test]
fn below_chance_the_rewards_of_a_bulk_are_those_of_the_player_who_chose() {
    fn check(start: &dyn Session, agent: &str) {
        let log = logged_of(start, agent, 12_000);
        let verified = Log::open(log.as_bytes())
            .unwrap()
            .verify(start.as_position())
            .unwrap_or_else(|fault| panic!("{fault}: {agent}"));
        assert_eq!(verified.playouts, 12_000, "{agent}");
    }
    for more in ["", ",bulk=65536", ",threads=3"] {
        let agent = format!("mcts:tree=plain{more}");
        (0..4).for_each(|seed| check(&Shares::weather(seed, 3), &agent));
        check(&Scores::weather(5, 2), &agent);
    }
    check(&Shares::weather(5, 2), "mcts:tree=plain,loss=wu");
}

#[test]
fn a_log_under_a_deadline_is_complete_too() {
    let settings: Settings = "mcts:threads=4".parse().unwrap();
    let header = Header { game: "thicket".into(), position: String::new(), agent: settings.to_string(), seed: 0 };
    let mut search = Search::new(start(), settings).unwrap();
    let mut out = Vec::new();
    let budget = Budget::time(std::time::Duration::from_millis(60));
    let report = record(&mut search, &header, budget, &mut out, &mut |_| {}).unwrap();
    let (playouts, _) = verdict(&String::from_utf8(out).unwrap()).unwrap();
    assert_eq!(playouts, report.iterations);
}

/// Changes one line of a log; `None` drops it.
fn with_line(log: &str, number: usize, change: impl Fn(&str) -> Option<String>) -> String {
    let lines = log.lines().enumerate().filter_map(|(index, line)| match index + 1 == number {
        true => change(line),
        false => Some(line.to_string()),
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn a_changed_dropped_or_doubled_line_is_named() {
    let log = logged("mcts:threads=2", 300);
    let first = 1 + log.lines().position(|line| line.starts_with("playout 100 ")).unwrap();
    let dropped = verdict(&with_line(&log, first, |_| None)).unwrap_err();
    assert_eq!(dropped, format!("line {first}: playout 100 is missing before playout 101"));
    let doubled = verdict(&with_line(&log, first, |line| Some(format!("{line}\n{line}")))).unwrap_err();
    assert_eq!(doubled, format!("line {}: playout 100 stands twice; playout 101 should be here", first + 1));
    for word in [2, 3, 4, 5, 6] {
        let changed = verdict(&with_line(&log, first, |line| {
            let mut words: Vec<String> = line.split(' ').map(String::from).collect();
            words[word] = if words[word] == "0" { "1".into() } else { "0".into() };
            Some(words.join(" "))
        }));
        let fault = changed.unwrap_err();
        assert!(fault.starts_with(&format!("line {first}: was changed")), "{fault}");
    }
    let node = 1 + log.lines().position(|line| line.starts_with("node ")).unwrap();
    let changed = verdict(&with_line(&log, node + 5, |line| Some(format!("{line}1")))).unwrap_err();
    assert!(changed.starts_with(&format!("line {}: node ", node + 5)), "{changed}");
    assert!(verdict(&with_line(&log, node + 5, |_| None)).unwrap_err().contains("should be 'end"));
    assert!(verdict(&with_line(&log, node + 5, |line| Some(format!("{line}\n{line}")))).unwrap_err().contains("twice"));
}

/// Writes the check words anew, as a skilled forger would.
fn forged(log: &str) -> String {
    let mut check = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes() {
            check = (check ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        check
    };
    let mut out = String::new();
    for line in log.lines() {
        match line.starts_with("playout ") {
            true => {
                let line = line.rsplit_once(' ').unwrap().0;
                out += &format!("{line} {:016x}\n", add(line));
            }
            false => {
                add(line);
                out += &format!("{line}\n");
            }
        }
    }
    out
}

#[test]
fn a_forged_line_is_found_by_the_rules_or_by_the_counters() {
    let log = logged("mcts:threads=2", 300);
    assert_eq!(forged(&log), log);
    // Two threads play other games each time. Any game with moves after the tree will do.
    let is_played_on = |line: &str| line.starts_with("playout ") && line.split(' ').nth(4) != Some("-");
    let first = 1 + log.lines().position(is_played_on).unwrap();
    let change = |word: usize, to: &dyn Fn(&str) -> String| {
        let changed = with_line(&log, first, |line| {
            let mut words: Vec<String> = line.split(' ').map(String::from).collect();
            words[word] = to(&words[word]);
            Some(words.join(" "))
        });
        verdict(&forged(&changed)).unwrap_err()
    };
    let illegal = change(3, &|path| format!("999,{path}"));
    assert_eq!(illegal, format!("line {first}: action 999 at ply 1 is not legal there"));
    let short = change(4, &|moves| moves.rsplit_once(',').map_or("-".into(), |(rest, _)| rest.to_string()));
    assert!(short.starts_with(&format!("line {first}: the game is not over")), "{short}");
    let rewards = change(5, &|rewards| if rewards == "1,1,1" { "0,0,0" } else { "1,1,1" }.into());
    assert!(rewards.contains("by the rules"), "{rewards}");
    // A legal game that is counted in another tree is found by the dump.
    let unplayed = with_line(&log, first, |line| Some(line.replacen(" 0 ", " 1 ", 1)));
    assert!(verdict(&forged(&unplayed)).unwrap_err().contains("node"));
}

/// The start of a deal of more outcomes than chance lists, and nothing after it.
fn deal() -> Shares {
    Shares::table(2, [0, 0], |[dealt, _]| match dealt {
        0 => Spot { unlisted: (0..10).map(|card| (card, [1, 0])).collect(), ..Spot::of(Turn::Chance, []) },
        _ => Spot::over(&[0.5; 2]),
    })
}

#[test]
fn rules_that_panic_at_a_forged_outcome_are_a_fault_of_its_line() {
    let log = |code: u32| {
        let header = "boughs-log 1\ngame deal\nposition \nagent mcts\nseed 0\nunits 4294967296\n";
        forged(&format!("{header}playout 1 0 - {code} 0.5,0.5 0\nnode 0 - 1 0\nend 1 1\n"))
    };
    let verify = |log: &str| Log::open(log.as_bytes()).unwrap().verify(&deal()).map_err(|fault| fault.to_string());
    assert_eq!(verify(&log(9)).map(|verified| verified.playouts), Ok(1));
    assert_eq!(verify(&log(77)), Err("line 7: the rules of the game panicked: 77 is not legal here".to_string()));
}

#[test]
fn a_log_that_is_none_or_was_cut_off_is_refused() {
    assert_eq!(verdict("3 0.1\n").unwrap_err(), "line 1: '3' should be 'boughs-log'");
    assert!(verdict("").unwrap_err().contains("cut off"));
    assert!(verdict("boughs-log 9\n").unwrap_err().contains("format '9'"));
    let twice = logged("mcts", 20).repeat(2);
    assert!(verdict(&twice).unwrap_err().contains("goes on after its last line"));
    let units = logged("mcts", 20).replace("units 4294967296", "units 1e19");
    assert!(verdict(&units).unwrap_err().starts_with("line 6: the units"));
    let log = logged("mcts", 50);
    let lines = log.lines().count();
    for kept in 0..lines {
        let text: String = log.lines().take(kept).map(|line| format!("{line}\n")).collect();
        assert!(verdict(&text).unwrap_err().contains("cut off"), "{kept} lines");
    }
}

#[test]
fn a_reused_tree_is_not_recorded() {
    let mut search = Search::new(start(), Settings::default()).unwrap();
    search.run(Budget::iterations(10)).unwrap();
    let header = Header { game: "thicket".into(), position: String::new(), agent: "mcts".into(), seed: 0 };
    let refused = record(&mut search, &header, Budget::iterations(10), &mut Vec::new(), &mut |_| {}).unwrap_err();
    assert_eq!(refused.to_string(), SearchError::RecordOfReusedTree.to_string());
}

#[test]
fn a_log_that_cannot_be_written_ends_the_search() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for room in [0, 100, 10_000] {
        let mut search = Search::new(start(), "mcts:threads=4".parse().unwrap()).unwrap();
        let header = Header { game: "thicket".into(), position: String::new(), agent: "mcts".into(), seed: 0 };
        let written = record(&mut search, &header, Budget::unlimited(), &mut Full(room), &mut |_| {});
        assert!(written.unwrap_err().to_string().starts_with("the log cannot be written"));
    }
}
