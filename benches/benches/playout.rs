//! One random playout from the start of a game: the roof that no search can reach.

use boughs::{Light, Playout, Rng};
use boughs_games::{Listed, Visitor, visit};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

struct Measure<'c>(&'c mut Criterion);

impl Visitor for Measure<'_> {
    type Output = ();
    fn visit<G: Listed>(self, start: G) {
        let (mut rng, mut scratch) = (Rng::new(1, 0), Vec::new());
        let mut group = self.0.benchmark_group("playout");
        group.throughput(Throughput::Elements(1));
        group.bench_function(G::NAME, |bencher| {
            bencher.iter(|| {
                let mut position = start.clone();
                Light.play(&mut position, &mut rng, &mut scratch, G::MAX_PLIES, None)
            });
        });
    }
}

fn playouts(criterion: &mut Criterion) {
    for game in boughs_benches::GAMES.into_iter().chain(["photosynthesis"]) {
        visit(game, Measure(criterion)).expect(game);
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
