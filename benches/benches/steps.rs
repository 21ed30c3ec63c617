//! The four steps of a playout, and all of them, in a tree of 50,000 playouts.
//!
//! `cargo bench --bench instructions` counts the instructions of the same functions, which no other program on the
//! machine can disturb.

use std::time::Duration;

use boughs::inspect::Steps;
use boughs::{Budget, Settings};
use boughs_benches::{GAMES, start};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Playouts of the tree the steps are made in.
const GROWN: u64 = 50_000;
/// Traversals that make a step together.
const TOGETHER: usize = 256;

type Step = (&'static str, fn(&Steps) -> Duration);
const STEPS: [Step; 5] = [
    ("select", |steps| steps.select),
    ("expand", |steps| steps.expand),
    ("play out", |steps| steps.play_out),
    ("backpropagate", |steps| steps.backpropagate),
    ("whole", |steps| steps.whole),
];

fn steps(criterion: &mut Criterion) {
    for game in GAMES {
        let start = start(game);
        let mut group = criterion.benchmark_group(format!("step/{game}"));
        group.throughput(Throughput::Elements(1)).sample_size(20);
        let mut search = start.tree_search(Settings::default()).expect("the default settings");
        for (name, step) in STEPS {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|playouts| {
                    search.reset(&*start).expect(name);
                    search.search(Budget::iterations(GROWN).early_stop(false), &mut |_| ()).expect(name);
                    let rounds = playouts.div_ceil(TOGETHER as u64);
                    let time: Duration = (0..rounds).map(|_| step(&search.time_steps(TOGETHER).expect(name))).sum();
                    time.mul_f64(playouts as f64 / (rounds * TOGETHER as u64) as f64)
                });
            });
        }
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
