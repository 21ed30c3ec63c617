//! A whole search from the start of a game, by the number of threads and the way they share the work.

use boughs::{Budget, Search, Settings};
use boughs_games::{Listed, Visitor, visit};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

const PLAYOUTS: u64 = 50_000;

const AGENTS: [&str; 5] = [
    "mcts",
    "mcts:threads=2",
    "mcts:threads=2,parallel=independent",
    "mcts:threads=2,parallel=batched",
    "mcts:threads=2,loss=wu",
];

struct Measure<'c>(&'c mut Criterion);

impl Visitor for Measure<'_> {
    type Output = ();
    fn visit<G: Listed>(self, start: G) {
        let mut group = self.0.benchmark_group(format!("search/{}", G::NAME));
        group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(10).sampling_mode(SamplingMode::Flat);
        for agent in AGENTS {
            let settings: Settings = agent.parse().expect(agent);
            let mut search = Search::new(start.clone(), settings).expect(agent);
            group.bench_function(agent, |bencher| {
                bencher.iter(|| {
                    search.reset(start.clone());
                    search.run(Budget::iterations(PLAYOUTS).early_stop(false)).expect(agent)
                });
            });
        }
    }
}

fn searches(criterion: &mut Criterion) {
    for game in boughs_benches::GAMES {
        visit(game, Measure(criterion)).expect(game);
    }
}

criterion_group!(benches, searches);
criterion_main!(benches);
