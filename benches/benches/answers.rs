//! The time to an answer that waits for nothing, not even for a playout that takes long: that of a forced move, and
//! that of a search that is told to stop. Both are less than a millisecond on an idle machine.

use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use boughs::{Budget, Game, Search, StopFlag, Turn};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

/// The time of a playout, and of a budget.
const LONG: Duration = Duration::from_secs(1);

const AGENTS: [&str; 3] = ["mcts", "mcts:threads=2", "mcts:threads=2,parallel=batched"];

/// Two plies with this number of actions on the first, and three on the second, which takes long.
#[derive(Clone)]
struct Slow(u32, u32);

impl Game for Slow {
    type Action = u32;
    fn turn(&self) -> Turn {
        if self.0 == 2 { Turn::Over } else { Turn::Player(self.0 as usize) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend(0..if self.0 == 0 { self.1 } else { 3 });
    }
    fn apply(&mut self, _: u32) {
        self.0 += 1;
        if self.0 == 2 {
            sleep(LONG);
        }
    }
    fn reward(&self, player: usize) -> f64 {
        player as f64
    }
}

/// Searches with a new agent, and returns the time of the answer.
fn answer(agent: &str, actions: u32, budget: Budget) -> Instant {
    let mut search = Search::new(Slow(0, actions), agent.parse().expect(agent)).expect(agent);
    search.run(budget).expect(agent);
    Instant::now()
}

fn answers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answer");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for agent in AGENTS {
        group.bench_function(format!("forced/{agent}"), |bencher| {
            bencher.iter_custom(|times| {
                let took = |_| {
                    let started = Instant::now();
                    answer(agent, 1, Budget::time(LONG)) - started
                };
                (0..times).map(took).sum()
            });
        });
        group.bench_function(format!("stopped/{agent}"), |bencher| {
            bencher.iter_custom(|times| {
                let took = |_| {
                    let flag = StopFlag::default();
                    let raised = flag.clone();
                    let at = thread::spawn(move || {
                        sleep(Duration::from_millis(10));
                        let at = Instant::now();
                        raised.raise();
                        at
                    });
                    let answered = answer(agent, 3, Budget::unlimited().or_stopped_by(flag));
                    answered - at.join().expect("the thread only sleeps")
                };
                (0..times).map(took).sum()
            });
        });
    }
}

criterion_group!(benches, answers);
criterion_main!(benches);
