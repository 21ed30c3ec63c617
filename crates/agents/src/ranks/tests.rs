//! Ranks as threads that add up their numbers in memory, and logical ranks.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use boughs::{Budget, Report, Session, Settings, StopFlag, StopReason, Turn, Warning};

use super::{Communicator, Ended, Ranks, Terms, build, search};
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
    /// Gives no sign from this sum on.
    dies_at: usize,
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
        if self.started >= self.dies_at {
            return;
        }
        let mut sums = self.board.sums.lock().unwrap();
        if sums.len() < self.started {
            sums.push((0, vec![0; numbers.len()]));
        }
        let (parts, sum) = &mut sums[self.started - 1];
        assert_eq!(sum.len(), numbers.len(), "rank {} tells other numbers", self.rank);
        *parts += 1;
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        self.board.changed.notify_all();
    }

    fn wait_for_sum(&mut self, until: Instant) -> Option<Vec<i64>> {
        let mut sums = self.board.sums.lock().unwrap();
        loop {
            if let Some((parts, sum)) = sums.get(self.started - 1)
                && *parts == self.ranks
            {
                return Some(sum.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            sums = self.board.changed.wait_timeout(sums, left).unwrap().0;
        }
    }
}

/// What every rank finds after these moves, under the budget of each.
fn together(
    game: &str,
    settings: &str,
    moves: &str,
    ranks: usize,
    dies_at: usize,
    budget: fn() -> Budget,
) -> Vec<Ended> {
    let board = Arc::new(Board::default());
    let settings: Settings = settings.parse().unwrap();
    let terms = Terms::of(&budget());
    let run = |rank| {
        let (board, settings) = (board.clone(), settings.clone());
        let (game, moves) = (game.to_string(), moves.to_string());
        thread::spawn(move || {
            let position = after(&game, &moves);
            let mut tree = build(&*position, &settings, rank).unwrap();
            let dies_at = if rank + 1 == ranks { dies_at } else { usize::MAX };
            let mut link = Thread { board, rank, ranks, started: 0, dies_at };
            search(&mut *tree, &mut link, &terms, budget(), &mut |_| ()).unwrap()
        })
    };
    let all: Vec<_> = (0..ranks).map(run).collect();
    all.into_iter().map(|rank| rank.join().unwrap()).collect()
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
            let of_threads = together(game, settings.trim_end_matches(','), "", ranks, usize::MAX, budget);
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
    let ended = together("connect4", "mcts:memory=8M", "4152437", 3, usize::MAX, budget);
    let first = &ended[0].report;
    assert_eq!(first.stop, StopReason::Decided);
    assert!(first.iterations < 3 * 40_000 && first.iterations % 3 == 0, "{}", first.iterations);
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
        let began = Instant::now();
        let ended = together("othello", settings, "", 3, usize::MAX, budget);
        let took = began.elapsed();
        assert!(took < Duration::from_millis(1_500), "{took:?}");
        let first = &ended[0].report;
        assert!(!ended[0].is_degraded && first.stop == StopReason::Time, "{settings} {}", first.stop);
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
    for ended in together("connect4", "mcts:memory=8M", "", 2, usize::MAX, both) {
        assert_eq!((ended.report.iterations, ended.report.stop), (1_000, StopReason::Iterations));
    }
    let raised = || {
        let stop = StopFlag::default();
        stop.raise();
        Budget::unlimited().or_stopped_by(stop)
    };
    assert_eq!(together("connect4", "mcts:memory=8M", "", 2, usize::MAX, raised)[0].report.stop, StopReason::Stopped);
}

#[test]
fn survivors_of_a_lost_rank_answer_at_most_one_period_after_the_deadline() {
    let budget = || Budget::time(Duration::from_millis(400)).early_stop(false);
    let began = Instant::now();
    let ended = together("connect4", "mcts:memory=8M", "", 3, 4, budget);
    let took = began.elapsed();
    // One period is 25 ms; the rest is for a busy machine.
    assert!((Duration::from_millis(400)..Duration::from_millis(900)).contains(&took), "{took:?}");
    for ended in &ended[..2] {
        assert!(ended.is_degraded && ended.report.warnings.contains(&Warning::RankLost));
        assert!(ended.report.best.is_some());
    }
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
fn ranks_have_the_keys_of_a_search_without_its_threads() {
    let spec: AgentSpec = "ranks:ranks=8,c=0.7,playout=heavy".parse().unwrap();
    assert_eq!(spec.to_string(), "ranks:ranks=8,c=0.7,playout=heavy");
    assert!("ranks:threads=2".parse::<AgentSpec>().is_err());
    let position = boughs_games::start("connect4").unwrap().position;
    let refused = "ranks:policy=gumbel,eval=on".parse::<AgentSpec>().unwrap().build(&*position).err().unwrap();
    assert!(refused.to_string().starts_with("ranks add up visits"), "{refused}");
    let _ = Ranks::default();
}
