//! One random playout from the start of a game: the roof that no search can reach; and for AHC015 those of a rule, side by side.

use boughs::{Light, Playout, Rng};
use boughs_bots::ahc015::batch::WIDTH;
use boughs_bots::ahc015::play_by_rule;
use boughs_games::ahc015::Case;
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

fn by_rule(criterion: &mut Criterion) {
    let flavours = Case::generate(1).flavours;
    let mut group = criterion.benchmark_group("playout");
    group.throughput(Throughput::Elements(WIDTH as u64));
    let mut seed = 0;
    group.bench_function("ahc015 by solution 2", |bencher| {
        bencher.iter(|| {
            seed += 1;
            play_by_rule(flavours, seed, 1)
        });
    });
}

criterion_group!(benches, playouts, by_rule);
criterion_main!(benches);
