//! Tests of [`LocalSearch`] and [`FlatMonteCarlo`].

use boughs_core::{
    Budget, Child, FinalMove, FirstPlay, FlatMonteCarlo, Game, Leaf, LeafEvaluator, Light, LocalSearch, Policy,
    Rewards, Rng, Settings, Turn, Values, MAX_PLAYERS,
};

use crate::grove::Grove;

const SMALL: Settings = Settings { memory: 1 << 20, ..Settings::DEFAULT };

fn playouts(count: u64) -> Budget {
    Budget::iterations(count).early_stop(false)
}

fn ranked<G: Game>(position: G, settings: Settings, count: u64) -> Vec<Child<G::Action>> {
    let mut search = LocalSearch::new(position, settings);
    search.run(playouts(count));
    assert_eq!(search.playouts(), count);
    search.ranked()
}

/// The value of an action for the first player.
fn value_after<const LUCK: bool>(position: &Grove<LUCK>, action: u16) -> f64 {
    let mut after = position.clone();
    after.apply(action);
    after.value()
}

/// The most that the player who acts can get, and what an action gives this player.
fn best_and_value<const LUCK: bool>(position: &Grove<LUCK>, action: u16) -> (f64, f64) {
    let (best, value) = (position.value(), value_after(position, action));
    if position.turn() == Turn::Player(0) {
        (best, value)
    } else {
        (1.0 - best, 1.0 - value)
    }
}

#[test]
fn a_search_finds_the_best_move_with_and_without_chance() {
    fn lost<const LUCK: bool>(settings: Settings) -> f64 {
        let loss = |seed| {
            let position = Grove::<LUCK>::new(seed);
            let action = ranked(position.clone(), Settings { seed, ..settings }, 4_000)[0].action;
            let (best, value) = best_and_value(&position, action);
            best - value
        };
        (0..60).map(loss).sum::<f64>() / 60.0
    }
    for settings in [
        SMALL,
        Settings { policy: Policy::Puct, ..SMALL },
        Settings { solver: true, ..SMALL },
        Settings { policy: Policy::Puct, first_play: FirstPlay::Parent(0.2), ..SMALL },
        Settings { final_move: FinalMove::BestMean, ..SMALL },
    ] {
        let (open, luck) = (lost::<false>(settings), lost::<true>(settings));
        assert!(open < 0.02 && luck < 0.03, "{} and {} with {:?}", open, luck, settings);
    }
}

#[test]
fn every_proof_of_the_solver_is_right_and_ends_the_search() {
    fn count<const LUCK: bool>() -> usize {
        let mut proofs = 0;
        for seed in 0..200 {
            let position = Grove::<LUCK>::new(seed);
            let mut search = LocalSearch::new(position.clone(), Settings { solver: true, ..SMALL });
            let best = search.choose(Budget::iterations(5_000)).unwrap();
            for child in search.ranked().iter().filter(|child| child.mean.is_infinite()) {
                let (_, value) = best_and_value(&position, child.action);
                assert_eq!(value, if child.mean > 0.0 { 1.0 } else { 0.0 }, "action {} of {}", child.action, seed);
            }
            let (most, value) = best_and_value(&position, best);
            if search.playouts() < 5_000 {
                assert_eq!(value, most, "{}", seed);
                proofs += 1;
            }
        }
        proofs
    }
    let (open, luck) = (count::<false>(), count::<true>());
    assert!(open > 150 && luck > 30, "{} and {} of 200 searches ended early", open, luck);
}

#[test]
fn an_early_stop_plays_the_move_of_the_whole_budget() {
    let mut stopped = 0;
    for seed in 0..300 {
        let mut search = LocalSearch::new(Grove::<true>::new(seed), Settings { seed, ..SMALL });
        let early = search.choose(Budget::iterations(1_000));
        stopped += usize::from(search.playouts() < 1_000);
        assert_eq!(search.playouts() % 64 * u64::from(search.playouts() < 1_000), 0);
        let whole = ranked(Grove::<true>::new(seed), Settings { seed, ..SMALL }, 1_000);
        assert_eq!(early, Some(whole[0].action), "{}", seed);
    }
    assert!(stopped > 150, "{}", stopped);
}

#[test]
fn equal_seeds_give_equal_trees_and_others_do_not() {
    let search = |seed| ranked(Grove::<true>::new(5), Settings { seed, ..SMALL }, 3_000);
    assert_eq!(search(1), search(1));
    assert_ne!(search(1), search(2));
    let mut used = LocalSearch::new(Grove::<true>::new(9), SMALL);
    used.run(playouts(500));
    used.begin(Grove::<true>::new(5), 2);
    used.run(playouts(3_000));
    assert_eq!(used.ranked(), search(2));
}

/// Plays on while a player acts, by the moves of a search.
fn play_on<const LUCK: bool>(search: &mut LocalSearch<Grove<LUCK>>) {
    while search.position().turn() != Turn::Over {
        let before = search.ranked();
        let action = match search.position().turn() {
            Turn::Player(_) => search.choose(playouts(2_000)).unwrap(),
            _ => search.position().chance(&mut Rng::new(1, 1), &mut Vec::new()).unwrap(),
        };
        assert!(before.iter().map(|child| u64::from(child.visits)).sum::<u64>() <= 20_000);
        search.advance(action);
    }
    assert!(search.choose(playouts(100)).is_none() && search.playouts() == 0 && search.ranked().is_empty());
}

#[test]
fn a_search_keeps_its_tree_and_allocates_nothing_after_the_first() {
    let mut search = LocalSearch::new(Grove::<true>::new(3), SMALL);
    search.run(playouts(5_000));
    let best = search.ranked()[0];
    let spent = allocation_counter::measure(|| {
        search.run(playouts(5_000));
        search.advance(best.action);
    });
    assert_eq!(spent.count_total, 0);
    let kept: u32 = search.ranked().iter().map(|child| child.visits).sum();
    assert!(search.position().turn().player().is_none() || kept > best.visits / 2, "{} of {}", kept, best.visits);
    play_on(&mut search);
}

#[test]
fn a_full_tree_stays_within_its_memory_and_the_search_goes_on() {
    for memory in [0, 1, 20, 60, 1_000, 10_000] {
        let mut search = LocalSearch::new(Grove::<false>::new(3), Settings { memory, ..SMALL });
        search.run(playouts(4_000));
        assert!(search.bytes() <= memory);
        let (done, ranked) = (search.playouts(), search.ranked());
        assert_eq!((done == 4_000, ranked.is_empty()), if memory > 60 { (true, false) } else { (false, true) });
        assert_eq!(ranked.iter().map(|child| u64::from(child.visits)).sum::<u64>(), done);
    }
}

/// One player takes a number of steps of one to three; the sum is the score.
#[derive(Clone)]
struct Steps {
    sum: f64,
    left: u32,
}

impl Game for Steps {
    type Action = u8;
    const REWARDS: Rewards = Rewards::SCORES;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.left == 0 {
            Turn::Over
        } else {
            Turn::Player(0)
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(1..=if self.left == 9 { 1 } else { 3 });
    }
    fn apply(&mut self, step: u8) {
        self.sum += f64::from(step) * 100.0 - 1_000.0;
        self.left -= 1;
    }
    fn reward(&self, _: usize) -> f64 {
        self.sum
    }
}

#[test]
fn scores_without_bounds_are_learned() {
    let children = ranked(Steps { sum: 0.0, left: 6 }, SMALL, 20_000);
    assert_eq!(children[0].action, 3);
    assert!((-4_300.0..=-4_200.0).contains(&children[0].mean), "{:?}", children);
}

#[test]
fn a_forced_move_needs_no_playout_unless_the_whole_budget_is_asked_for() {
    let mut search = LocalSearch::new(Steps { sum: 0.0, left: 9 }, SMALL);
    assert_eq!((search.choose(Budget::iterations(500)), search.playouts()), (Some(1), 0));
    assert_eq!((search.choose(playouts(500)), search.playouts()), (Some(1), 500));
    let mut flat = FlatMonteCarlo::new(Steps { sum: 0.0, left: 9 }, 0);
    assert_eq!((flat.choose(Budget::iterations(500)), flat.playouts()), (Some(1), 0));
}

/// Knows that steps of two are likely, sees no further than two steps, and counts its evaluations.
struct Horizon(u64);

impl LeafEvaluator<Steps> for Horizon {
    const HAS_PRIORS: bool = true;

    fn expands(&self, position: &Steps) -> bool {
        position.left > 4
    }
    fn priors(&mut self, _: &Steps, actions: &[u8], _: &mut Rng, _: &Budget, out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|&step| if step == 2 { 8.0 } else { 1.0 }));
    }
    fn evaluate(&mut self, leaf: Leaf<'_, Steps>) -> Values {
        assert!(leaf.position.left >= 4);
        self.0 += 1;
        [leaf.position.sum as f32; MAX_PLAYERS]
    }
}

#[test]
fn priors_come_first_and_the_tree_ends_at_the_horizon() {
    let settings = Settings { policy: Policy::Puct, ..SMALL };
    let mut search = LocalSearch::with(Steps { sum: 0.0, left: 6 }, settings, Horizon(0));
    search.run(playouts(1));
    assert_eq!(search.ranked()[0].action, 2);
    search.run(playouts(3_000));
    assert_eq!((search.evaluator().0, search.ranked()[0].action), (3_001, 3));
    assert!(search.bytes() < 20 * 20, "{}", search.bytes());
}

#[test]
fn flat_monte_carlo_gives_each_action_as_many_playouts_and_plays_the_best_mean() {
    let mut flat = FlatMonteCarlo::with(Steps { sum: 0.0, left: 6 }, 1, Light);
    assert_eq!(flat.choose(Budget::iterations(900)), Some(3));
    assert_eq!(
        flat.ranked().iter().map(|child| (child.action, child.visits)).collect::<Vec<_>>(),
        [(3, 300), (2, 300), (1, 300)]
    );
    flat.advance(3);
    assert!(flat.ranked().is_empty() && flat.position().left == 5);
}
