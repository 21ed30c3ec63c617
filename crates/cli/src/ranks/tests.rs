//! Ranks as threads, whose connection is memory.

use std::sync::{Arc, Condvar};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use boughs::{Agent, Budget, Report, Session, StopFlag};
use boughs_agents::AgentSpec;
use boughs_agents::ranks::{Communicator, Rest};

use super::route::Leg;
use super::{Builder, Link, Ranks, Route, follow};

/// A sum with the number of its parts.
type Sum = (usize, Vec<i64>);

/// Everything that ranks tell each other: sums and texts.
#[derive(Default)]
struct Board {
    told: std::sync::Mutex<(Vec<Sum>, Vec<String>)>,
    changed: Condvar,
}

/// The connection of a thread.
struct Memory {
    board: Arc<Board>,
    rank: usize,
    ranks: usize,
    /// The sums and the texts that this rank has seen.
    sums: usize,
    texts: usize,
}

impl Communicator for Memory {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn start_sum(&mut self, numbers: Vec<i64>) {
        let (sums, _) = &mut *self.board.told.lock().unwrap();
        if sums.len() == self.sums {
            sums.push((0, vec![0; numbers.len()]));
        }
        let (parts, sum) = &mut sums[self.sums];
        assert_eq!(sum.len(), numbers.len(), "ranks are in different positions");
        *parts += 1;
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        self.sums += 1;
        self.board.changed.notify_all();
    }

    fn wait_for_sum(&mut self, until: Instant) -> Option<Vec<i64>> {
        let mut told = self.board.told.lock().unwrap();
        while told.0[self.sums - 1].0 < self.ranks {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            told = self.board.changed.wait_timeout(told, left).unwrap().0;
        }
        Some(told.0[self.sums - 1].1.clone())
    }

    fn abandon(&mut self, _: Rest) {
        panic!("no rank of these tests is late");
    }
}

impl Link for Memory {
    fn tell(&mut self, text: String) {
        self.board.told.lock().unwrap().1.push(text);
        self.board.changed.notify_all();
    }

    fn listen(&mut self, _: &StopFlag) -> Option<String> {
        let mut told = self.board.told.lock().unwrap();
        while told.1.len() == self.texts {
            told = self.board.changed.wait(told).unwrap();
        }
        self.texts += 1;
        Some(told.1[self.texts - 1].clone())
    }

    fn rest(&mut self) {}

    fn is_free(&self) -> bool {
        true
    }

    fn close(mut self: Box<Self>, last: String) {
        if self.rank == 0 {
            self.tell(last);
        }
    }

    fn abort(self: Box<Self>) -> ! {
        panic!("no rank of these tests is gone")
    }
}

/// The rank 0 of this number of ranks, and the threads of the others.
fn job(ranks: usize) -> (Ranks, Vec<JoinHandle<()>>) {
    let board = Arc::new(Board::default());
    let link = |rank| Box::new(Memory { board: board.clone(), rank, ranks, sums: 0, texts: 0 });
    let others = (1..ranks).map(|rank| {
        let link = link(rank);
        thread::spawn(move || follow(link).unwrap())
    });
    let others = others.collect();
    (Ranks::of(link(0)), others)
}

fn start(game: &str) -> Box<dyn Session> {
    boughs_games::start(game).unwrap().position
}

/// The findings of a search.
fn found(report: &Report) -> String {
    let children: Vec<_> = report.children.iter().map(|child| (child.action, child.playouts, child.mean)).collect();
    format!("{:?} {children:?} {} {}", report.best, report.iterations, report.inherited)
}

#[test]
fn the_others_follow_wherever_the_first_rank_goes() {
    let (ranks, others) = job(3);
    let builder = Builder::with(ranks, "connect4");
    let spec: AgentSpec = "mcts:memory=8M".parse().unwrap();
    let logical: AgentSpec = "ranks:ranks=3,memory=24M".parse().unwrap();
    let mut agents = [builder.build(&spec, &*start("connect4")).unwrap(), logical.build(&*start("connect4")).unwrap()];
    let search = |agents: &mut [Box<dyn Agent>; 2], step: &str| {
        let budget = || Budget::iterations(800).early_stop(false);
        let [ours, theirs] = agents.each_mut().map(|agent| agent.search(budget(), &mut |_| ()).unwrap());
        assert_eq!(found(&ours), found(&theirs), "{step}");
        ours.best.unwrap().action
    };
    let best = search(&mut agents, "at the start");
    agents.iter_mut().for_each(|agent| agent.advance(best).unwrap());
    let best = search(&mut agents, "after a move");
    for agent in &mut agents {
        agent.advance(best).unwrap();
        agent.advance(2).unwrap();
    }
    search(&mut agents, "after two moves");
    search(&mut agents, "once more");
    // The position that a protocol goes back to.
    let mut position = start("connect4");
    position.apply(3);
    agents.iter_mut().for_each(|agent| agent.reset(&*position).unwrap());
    builder.is_at("connect4", &[3]);
    search(&mut agents, "after a reset");
    agents.iter_mut().for_each(|agent| agent.begin(&*start("connect4"), 17).unwrap());
    builder.is_at("connect4", &[]);
    agents.iter_mut().for_each(|agent| agent.advance(4).unwrap());
    search(&mut agents, "in another game");
    drop((agents, builder));
    others.into_iter().for_each(|other| other.join().unwrap());
}

#[test]
fn a_forced_move_is_searched_alone() {
    let (ranks, others) = job(2);
    let builder = Builder::with(ranks, "nim:heaps=1,players=2");
    let mut agent = builder.build(&"mcts".parse().unwrap(), &*start("nim:heaps=1,players=2")).unwrap();
    let report = agent.search(Budget::iterations(10_000), &mut |_| ()).unwrap();
    assert!(report.iterations <= 64);
    drop((agent, builder));
    others.into_iter().for_each(|other| other.join().unwrap());
}

#[test]
fn a_route_has_what_the_others_do_not_know() {
    let spec: AgentSpec = "mcts:c=0.5".parse().unwrap();
    let mut route = Route::from("hex");
    route.build(&spec.with_seed(3));
    route.advance(5);
    let (game, agent) = ("hex".to_string(), "mcts:c=0.5".to_string());
    assert_eq!(route.next(), Leg::Build { game: game.clone(), moves: vec![5], agent, seed: 3 });
    route.advance(6);
    route.advance(7);
    assert_eq!(route.next(), Leg::Advance { moves: vec![6, 7] });
    assert_eq!(route.next(), Leg::Advance { moves: vec![] });
    route.advance(1);
    route.reset();
    route.advance(2);
    assert_eq!(route.next(), Leg::Reset { game: game.clone(), moves: vec![2] });
    route.reset();
    route.begin(9);
    route.reset();
    assert_eq!(route.next(), Leg::Begin { game, moves: vec![], seed: 9 });
    route.is_at("hex:size=5", &[1, 2]);
    route.advance(3);
    assert_eq!(route.next(), Leg::Advance { moves: vec![3] });
    route.reset();
    route.is_at("hex:size=5", &[4]);
    assert_eq!(route.next(), Leg::Reset { game: "hex:size=5".to_string(), moves: vec![4] });
}
