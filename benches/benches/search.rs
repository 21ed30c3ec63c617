//! A whole search from the start of a game, by the number of threads and by parallelisation.

use boughs::{Budget, Settings};
use boughs_benches::{GAMES, start};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

const PLAYOUTS: u64 = 50_000;

const AGENTS: [&str; 5] = [
    "mcts",
    "mcts:threads=2",
    "mcts:threads=2,parallel=independent",
    "mcts:threads=2,parallel=batched",
    "mcts:threads=2,loss=wu",
];

fn searches(criterion: &mut Criterion) {
    for game in GAMES {
        let start = start(game);
        let mut group = criterion.benchmark_group(format!("search/{game}"));
        group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(10).sampling_mode(SamplingMode::Flat);
        for agent in AGENTS {
            let settings: Settings = agent.parse().expect(agent);
            let mut search = start.tree_search(settings).expect(agent);
            group.bench_function(agent, |bencher| {
                bencher.iter(|| {
                    search.reset(&*start).expect(agent);
                    let budget = Budget::iterations(PLAYOUTS).early_stop(false);
                    search.search(budget, &mut |_| ()).expect(agent)
                });
            });
        }
    }
}

criterion_group!(benches, searches);
criterion_main!(benches);
