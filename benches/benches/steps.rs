//! The steps of a playout: select, expand, play out, back up, and all of them, in a tree of 50,000 playouts.
//!
//! `cargo bench --bench instructions` counts the instructions of the same functions, which no other program on the machine
//! can disturb.

use std::time::Duration;

use boughs::{Budget, Search, Settings, Steps};
use boughs_games::{Listed, Visitor, visit};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Playouts of the tree the steps are made in.
const GROWN: u64 = 50_000;
/// Descents that make a step together.
const TOGETHER: usize = 256;

type Step = (&'static str, fn(&Steps) -> Duration);
const STEPS: [Step; 5] = [
    ("select", |steps| steps.select),
    ("expand", |steps| steps.expand),
    ("play out", |steps| steps.play_out),
    ("back up", |steps| steps.back_up),
    ("whole", |steps| steps.whole),
];

struct Measure<'c>(&'c mut Criterion);

impl Visitor for Measure<'_> {
    type Output = ();
    fn visit<G: Listed>(self, start: G) {
        let mut group = self.0.benchmark_group(format!("step/{}", G::NAME));
        group.throughput(Throughput::Elements(1)).sample_size(20);
        let mut search = Search::new(start.clone(), Settings::default()).expect("the default settings");
        for (name, step) in STEPS {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|playouts| {
                    search.reset(start.clone());
                    search.run(Budget::iterations(GROWN).early_stop(false)).expect(name);
                    let rounds = playouts.div_ceil(TOGETHER as u64);
                    let time: Duration = (0..rounds).map(|_| step(&search.time_steps(TOGETHER).expect(name))).sum();
                    time.mul_f64(playouts as f64 / (rounds * TOGETHER as u64) as f64)
                });
            });
        }
    }
}

fn steps(criterion: &mut Criterion) {
    for game in boughs_benches::GAMES {
        visit(game, Measure(criterion)).expect(game);
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
