//! Ranks as threads that add up their numbers in memory, and logical ranks.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use boughs::{Budget, Report, Session, Settings, StopFlag, StopReason, Turn, Warning};

use super::by_playouts::to_come;
use super::{Communicator, Ended, Rest, Terms, build, search};
use crate::AgentSpec;

/// The sums of ranks that are threads.
#[derive(Default)]
struct Board {
    sums: Mutex<Vec<(usize, Vec<i64>)>>,
    changed: Condvar,
}

/// A rank that is a thread.
struct Thread {
    board: Arc<Board>,
    rank: usize,
    ranks: usize,
    /// The number of sums that were started.
    started: usize,
    fault: Fault,
}

/// The fault of the last rank.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// It gives no sign from this sum on.
    DiesAt(usize),
    /// It is late for this sum by this time.
    LateAt(usize, Duration),
}

impl Board {
    /// Adds the part of a rank to a sum.
    fn add(&self, number: usize, numbers: &[i64]) {
        let mut sums = self.sums.lock().unwrap();
        if sums.len() < number {
            sums.push((0, vec![0; numbers.len()]));
        }
        let (parts, sum) = &mut sums[number - 1];
        assert_eq!(sum.len(), numbers.len(), "ranks tell other numbers");
        *parts += 1;
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        self.changed.notify_all();
    }

    /// The sum of all ranks, if it is there by then.
    fn sum(&self, number: usize, ranks: usize, until: Instant) -> Option<Vec<i64>> {
        let mut sums = self.sums.lock().unwrap();
        loop {
            if let Some((parts, sum)) = sums.get(number - 1)
                && *parts == ranks
            {
                return Some(sum.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            sums = self.changed.wait_timeout(sums, left).unwrap().0;
        }
    }
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn start_sum(&mut self, numbers: Vec<i64>) {
        self.started += 1;
        match self.fault {
            Fault::DiesAt(sum) if self.started >= sum => return,
            Fault::LateAt(sum, time) if self.started == sum => thread::sleep(time),
            _ => {}
        }
        self.board.add(self.started, &numbers);
    }

    fn wait_for_sum(&mut self, until: Instant) -> Option<Vec<i64>> {
        self.board.sum(self.started, self.ranks, until)
    }

    fn abandon(&mut self, rest: Rest) {
        let (board, ranks, mut number) = (self.board.clone(), self.ranks, self.started);
        thread::spawn(move || {
            let long = || Instant::now() + Duration::from_secs(20);
            let Some(late) = board.sum(number, ranks, long()) else { return };
            rest.take_part(late[0], |numbers| {
                number += 1;
                board.add(number, numbers);
                board.sum(number, ranks, long()).unwrap()[0]
            });
        });
    }
}

/// The findings of every rank after these moves, under the budget of each.
fn together(game: &str, settings: &str, moves: &str, ranks: usize, budget: fn() -> Budget) -> Vec<Ended> {
    start_together(game, settings, moves, ranks, Fault::None, budget)
        .into_iter()
        .map(|rank| rank.join().unwrap())
        .collect()
}

/// Starts all ranks, of which the last has a fault.
fn start_together(
    game: &str,
    settings: &str,
    moves: &str,
    ranks: usize,
    fault: Fault,
    budget: fn() -> Budget,
) -> Vec<JoinHandle<Ended>> {
    let board = Arc::new(Board::default());
    let settings: Settings = settings.parse().unwrap();
    let terms = Terms::of(&budget());
    let run = |rank| {
        let (board, settings) = (board.clone(), settings.clone());
        let (game, moves) = (game.to_string(), moves.to_string());
        thread::spawn(move || {
            let position = after(&game, &moves);
            let mut tree = build(&*position, &settings, rank).unwrap();
            let fault = if rank + 1 == ranks { fault } else { Fault::None };
            let mut link = Thread { board, rank, ranks, started: 0, fault };
            search(&mut *tree, &mut link, &terms, budget(), &mut |_| ()).unwrap()
        })
    };
    (0..ranks).map(run).collect()
}

/// The position after these moves and the first outcomes of chance.
fn after(game: &str, moves: &str) -> Box<dyn Session> {
    let mut position = boughs_games::start(game).unwrap().position;
    position.play_moves(moves).unwrap();
    while position.turn() == Turn::Chance {
        let outcome = position.legal_moves()[0].0;
        position.apply(outcome);
    }
    position
}

fn playouts(report: &Report) -> u64 {
    report.children.iter().map(|child| child.playouts).sum()
}

/// Everything of a report but times and the memory.
fn found(report: &Report) -> String {
    let children: Vec<_> = report.children.iter().map(|child| (child.action, child.playouts, child.mean)).collect();
    format!("{:?} {children:?} {} {} {}", report.best, report.iterations, report.inherited, report.stop)
}

fn logical(game: &str, agent: &str, moves: &str, budget: Budget) -> Report {
    let position = after(game, moves);
    let mut agent = agent.parse::<AgentSpec>().unwrap().build(&*position).unwrap();
    agent.search(budget, &mut |_| ()).unwrap()
}

#[test]
fn ranks_in_threads_find_what_logical_ranks_find_on_every_run() {
    for (game, keys) in [
        ("connect4", ""),
        ("connect4", "playout=heavy,solver=on"),
        ("go:size=5", "c=0.2,policy=grave,playout=heavy"),
        ("othello", "c=0.3,policy=puct,eval=on"),
        ("pig", ""),
        ("goofspiel", ""),
        ("matrix", ""),
        ("2048", ""),
    ] {
        for ranks in [1, 2, 4] {
            let budget = || Budget::iterations(3_000).early_stop(false);
            let settings = format!("mcts:memory=8M,{keys}");
            let of_threads = together(game, settings.trim_end_matches(','), "", ranks, budget);
            let text = format!("ranks:ranks={ranks},{keys}");
            let alone = logical(game, text.trim_end_matches(','), "", budget());
            for ended in &of_threads {
                assert!(!ended.is_degraded);
                assert_eq!(playouts(&ended.report), 3_000 * ranks as u64, "{game} {keys} {ranks}");
                assert_eq!(ended.report.iterations, 3_000 * ranks as u64, "{game} {keys} {ranks}");
            }
            assert_eq!(found(&of_threads[0].report), found(&alone), "{game} {keys} {ranks}");
        }
    }
}

#[test]
fn an_early_stop_is_one_of_all_ranks_and_loses_no_playout() {
    let budget = || Budget::iterations(40_000);
    // One move wins.
    let ended = together("connect4", "mcts:memory=8M", "4152437", 3, budget);
    let first = &ended[0].report;
    assert_eq!(first.stop, StopReason::Decided);
    assert!(first.iterations < 3 * 40_000 && first.iterations.is_multiple_of(3), "{}", first.iterations);
    for ended in &ended {
        assert_eq!((playouts(&ended.report), ended.report.iterations), (first.iterations, first.iterations));
    }
    let alone = logical("connect4", "ranks:ranks=3", "4152437", budget());
    assert_eq!(found(first), found(&alone));
}

#[test]
fn ranks_end_together_at_the_deadline_of_the_first() {
    for settings in ["mcts:memory=8M", "mcts:threads=2,memory=8M", "mcts:parallel=batched,memory=8M"] {
        let budget = || Budget::time(Duration::from_millis(300)).early_stop(false);
        // A busy machine now and then makes a rank so late that the others go on without it.
        let all_in_time = (0..20).find_map(|_| {
            let began = Instant::now();
            let ended = together("othello", settings, "", 3, budget);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(10), "{took:?}");
            (!ended[0].is_degraded).then_some(ended)
        });
        let ended = all_in_time.unwrap_or_else(|| panic!("{settings}: a rank is late every time"));
        let first = &ended[0].report;
        assert!(first.stop == StopReason::Time, "{settings} {}", first.stop);
        assert!(first.iterations > 0 && playouts(first) >= first.iterations);
        // All know nearly the same: nothing but what was found after the last sum differs.
        for ended in &ended {
            assert!(ended.report.iterations.abs_diff(first.iterations) * 2 < first.iterations, "{settings}");
        }
    }
}

#[test]
fn both_limits_and_a_raised_flag_end_the_search_of_all() {
    let both = || Budget::iterations(500).or_time(Duration::from_secs(20)).early_stop(false);
    for ended in together("connect4", "mcts:memory=8M", "", 2, both) {
        assert_eq!((ended.report.iterations, ended.report.stop), (1_000, StopReason::Iterations));
    }
    let raised = || {
        let stop = StopFlag::default();
        stop.raise();
        Budget::unlimited().or_stopped_by(stop)
    };
    assert_eq!(together("connect4", "mcts:memory=8M", "", 2, raised)[0].report.stop, StopReason::Stopped);
}

#[test]
fn survivors_of_a_dead_rank_answer_at_most_one_period_after_the_deadline() {
    let budget = || Budget::time(Duration::from_millis(400)).early_stop(false);
    let began = Instant::now();
    let mut ranks = start_together("connect4", "mcts:memory=8M", "", 3, Fault::DiesAt(4), budget);
    let ended = ranks.remove(0).join().unwrap();
    let took = began.elapsed();
    // One period is 25 ms. The rest is for a busy machine, and shorter than the wait for a rank that has not died.
    assert!((Duration::from_millis(400)..Duration::from_secs(10)).contains(&took), "{took:?}");
    assert!(ended.is_degraded && ended.report.warnings.contains(&Warning::RankLost));
    assert!(ended.report.best.is_some());
}

#[test]
fn a_rank_that_is_late_for_a_deadline_finds_the_end_of_the_search() {
    let budget = || Budget::time(Duration::from_millis(300)).early_stop(false);
    let late = Fault::LateAt(5, Duration::from_millis(900));
    let ended: Vec<Ended> = start_together("connect4", "mcts:memory=8M", "", 3, late, budget)
        .into_iter()
        .map(|rank| rank.join().unwrap())
        .collect();
    assert!(ended[0].is_degraded && ended[0].report.seconds < 0.8, "{}", ended[0].report.seconds);
    assert!(!ended[1].is_degraded && !ended[2].is_degraded);
}

#[test]
fn a_rank_that_is_late_for_its_playouts_finds_the_end_of_the_search() {
    // The flag is raised while the rank 0 waits for the last rank, in each sum.
    let ends = |sum| {
        let budget = || {
            let stop = StopFlag::default();
            let raised = stop.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(150));
                raised.raise();
            });
            Budget::iterations(1_600).early_stop(false).or_stopped_by(stop)
        };
        let late = Fault::LateAt(sum, Duration::from_millis(900));
        let ended: Vec<Ended> = start_together("connect4", "mcts:memory=8M", "", 3, late, budget)
            .into_iter()
            .map(|rank| rank.join().unwrap())
            .collect();
        assert!(ended[0].is_degraded && ended[0].report.seconds < 0.8, "{}", ended[0].report.seconds);
        assert!(ended[0].report.best.is_some());
    };
    // Four searches at a time, which mostly wait.
    for first in (1..=16).step_by(4) {
        thread::scope(|scope| (first..first + 4).for_each(|sum| _ = scope.spawn(move || ends(sum))));
    }
}

#[test]
fn a_search_without_a_limit_waits_for_no_rank_once_it_is_stopped() {
    let budget = || {
        let stop = StopFlag::default();
        let raised = stop.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(400));
            raised.raise();
        });
        Budget::unlimited().or_stopped_by(stop)
    };
    let mut ranks = start_together("connect4", "mcts:memory=8M", "", 3, Fault::DiesAt(3), budget);
    let ended = ranks.remove(0).join().unwrap();
    assert!((0.3..0.9).contains(&ended.report.seconds), "{}", ended.report.seconds);
    assert_eq!(ended.report.stop, StopReason::Stopped);
    assert!(ended.report.warnings.contains(&Warning::RankLost));
}

#[test]
fn the_first_rank_keeps_its_deadline_though_another_has_playouts_left() {
    let budget = || Budget::time(Duration::from_millis(500)).or_iterations(2_000).early_stop(false);
    let late = Fault::LateAt(2, Duration::from_millis(1_500));
    let mut ranks = start_together("connect4", "mcts:memory=8M", "", 2, late, budget);
    let ended = ranks.remove(0).join().unwrap();
    assert!(ended.report.seconds < 0.9, "{}", ended.report.seconds);
}

#[test]
fn the_reason_to_stop_is_that_of_the_rank_that_said_so() {
    let budget = || Budget::iterations(2_000);
    let ended = together("connect4", "mcts:memory=8M", "", 1, budget);
    assert_ne!((ended[0].report.iterations, ended[0].report.stop), (2_000, StopReason::Decided));
    let solved = || Budget::time(Duration::from_secs(20));
    for ended in together("tictactoe", "mcts:solver=on,memory=8M", "", 3, solved) {
        assert_eq!(ended.report.stop, StopReason::Proven);
    }
}

#[test]
fn a_tree_that_is_emptied_for_another_player_holds_no_visits_of_others() {
    let position = boughs_games::start("matrix").unwrap().position;
    let mut agent = "ranks:ranks=4".parse::<AgentSpec>().unwrap().build(&*position).unwrap();
    let report = agent.search(Budget::iterations(3_000).early_stop(false), &mut |_| ()).unwrap();
    agent.advance(report.best.unwrap().action).unwrap();
    let report = agent.search(Budget::iterations(10).early_stop(false), &mut |_| ()).unwrap();
    assert_eq!((playouts(&report), report.inherited), (40, 0));
}

#[test]
fn playouts_to_come_do_not_overflow() {
    assert_eq!(to_come(4, 100, 10), 430);
    assert_eq!(to_come(4, u64::MAX - 1, 10), u64::MAX);
    let flag = StopFlag::default();
    flag.raise();
    let report = logical("connect4", "ranks", "", Budget::iterations(u64::MAX).or_stopped_by(flag));
    assert_eq!(report.stop, StopReason::Stopped);
}

#[test]
fn threads_change_nothing_of_logical_ranks() {
    let of = |agent: &str| found(&logical("othello", agent, "", Budget::iterations(2_000)));
    assert_eq!(of("ranks:ranks=5"), of("ranks:ranks=5,threads=3"));
}

#[test]
fn rounds_keep_the_depth_and_the_best_playout_of_all() {
    let of = |agent: &str| logical("2048", agent, "", Budget::iterations(8_000).early_stop(false));
    let (alone, together) = (of("mcts"), of("ranks:ranks=1"));
    let score = |report: &Report| report.best_playout.as_ref().unwrap().score;
    assert!(score(&together) > 0.6 * score(&alone), "{} and {}", score(&together), score(&alone));
    assert!(together.depth * 2 > alone.depth, "{} and {}", together.depth, alone.depth);
}

#[test]
fn logical_ranks_play_games_and_keep_their_trees() {
    let position = boughs_games::start("connect4").unwrap().position;
    let spec: AgentSpec = "ranks:ranks=3,memory=16M".parse().unwrap();
    let mut agent = spec.build(&*position).unwrap();
    let mut kept = 0;
    for _ in 0..4 {
        let report = agent.search(Budget::iterations(2_000).early_stop(false), &mut |_| ()).unwrap();
        assert_eq!((report.iterations, report.inherited), (6_000, playouts(&report) - 6_000));
        kept += report.inherited;
        agent.advance(report.best.unwrap().action).unwrap();
    }
    assert!(kept > 1_000, "{kept}");
    agent.begin(&*position, 7).unwrap();
    let again = spec.with_seed(7).build(&*position).unwrap().search(Budget::iterations(900), &mut |_| ()).unwrap();
    assert_eq!(found(&agent.search(Budget::iterations(900), &mut |_| ()).unwrap()), found(&again));
}

#[test]
fn ranks_that_take_more_memory_than_their_trees_are_refused() {
    let position = boughs_games::start("connect4").unwrap().position;
    let refused =
        |spec: &str| spec.parse::<AgentSpec>().unwrap().build(&*position).err().map(|fault| fault.to_string());
    let fault = refused("ranks:ranks=4096,memory=16M").unwrap();
    assert!(fault.contains("beside its tree, more than memory=16M; make ranks smaller, or try memory="), "{fault}");
    assert_eq!(refused("ranks:ranks=64,memory=16M"), None);
}

#[test]
fn a_rank_has_the_keys_of_a_search_without_its_parallelisation() {
    let spec: AgentSpec = "ranks:ranks=8,c=0.7,playout=heavy".parse().unwrap();
    assert_eq!(spec.to_string(), "ranks:ranks=8,c=0.7,playout=heavy");
    assert!("ranks:parallel=batched".parse::<AgentSpec>().is_err());
    let position = boughs_games::start("connect4").unwrap().position;
    let refused = "ranks:policy=gumbel,eval=on".parse::<AgentSpec>().unwrap().build(&*position).err().unwrap();
    assert!(
        refused.to_string().starts_with("ranks add up visits, which are not what 'mcts:policy=gumbel' chooses"),
        "{refused}"
    );
}
