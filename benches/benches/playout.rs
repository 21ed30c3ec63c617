//! One random playout from the start of a game, the bound of every search; and for AHC015 playouts by a rule, side by
//! side.

use boughs::{Light, Playout, Rng};
use boughs_agents::ahc015::batch::WIDTH;
use boughs_agents::ahc015::play_by_rule;
use boughs_benches::start;
use boughs_games::NamedGame;
use boughs_games::ahc015::Case;
use boughs_games::connect4::Connect4;
use boughs_games::othello::Othello;
use boughs_games::photosynthesis::Photosynthesis;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Measures a game by its own type, since the copy of a boxed position would count too.
fn measure<G: NamedGame>(criterion: &mut Criterion) {
    let start = start(G::NAME).downcast_ref::<G>().expect(G::NAME).clone();
    let (mut rng, mut scratch) = (Rng::new(1, 0), Vec::new());
    let mut group = criterion.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    group.bench_function(G::NAME, |bencher| {
        bencher.iter(|| {
            let mut position = start.clone();
            Light.play(&mut position, &mut rng, &mut scratch, G::MAX_PLIES, None)
        });
    });
}

fn playouts(criterion: &mut Criterion) {
    measure::<Connect4>(criterion);
    measure::<Othello>(criterion);
    measure::<Photosynthesis>(criterion);
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
