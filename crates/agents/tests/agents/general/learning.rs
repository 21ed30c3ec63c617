//! Learning by self-play: known values are found, and the same seed gives the same weights.

use boughs::{Game, StopFlag, Turn};
use boughs_agents::learn::{Features, Learner, Learning, Round, logistic};

/// A random walk over five places between loss and victory, one step to either side each turn: from place k the
/// walker wins k/6 of the time (Sutton 1988). A free walker chooses the step and can always win.
#[derive(Clone, Copy, Debug)]
struct Walk {
    place: u8,
    is_free: bool,
    has_waited: bool,
}

impl Walk {
    fn new(is_free: bool) -> Walk {
        Walk { place: 3, is_free, has_waited: false }
    }
}

impl Game for Walk {
    type Action = u8;
    fn turn(&self) -> Turn {
        match self.place {
            0 | 6 => Turn::Over,
            _ if self.has_waited => Turn::Chance,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        let is_choice = self.is_free != self.has_waited;
        out.extend(if is_choice { &[0, 2][..] } else { &[1] });
    }
    fn apply(&mut self, step: u8) {
        self.place = self.place + step - 1;
        self.has_waited = !self.has_waited;
    }
    fn reward(&self, player: usize) -> f64 {
        if (self.place == 6) == (player == 0) { 1.0 } else { 0.0 }
    }
}

impl Features for Walk {
    fn names() -> Vec<String> {
        (0..6).map(|place| if place == 0 { "walker".to_string() } else { format!("place {place}") }).collect()
    }
    fn features(&self, see: &mut impl FnMut(usize, f64)) {
        see(0, 1.0);
        see(usize::from(self.place), 1.0);
    }
    fn key(&self) -> u64 {
        u64::from(self.place) << 1 | u64::from(self.has_waited)
    }
}

fn learn(set: &Learning) -> (Vec<f64>, Vec<Round>) {
    let mut learner = Learner::new(set.clone(), Walk::names().len()).unwrap();
    let rounds = std::iter::from_fn(|| learner.play_round(&|_| Walk::new(false), &StopFlag::default())).collect();
    (learner.weights().to_vec(), rounds)
}

fn set() -> Learning {
    Learning { games: 6_000, rate: 0.2, slowing: 200.0, positions: 10, seed: 4, ..Learning::default() }
}

#[test]
fn values_of_a_random_walk_are_found_at_any_lambda() {
    for lambda in [0.0, 0.5, 0.9] {
        let (weights, rounds) = learn(&Learning { lambda, explore: 0.0, ..set() });
        for place in 1..6 {
            let (found, known) = (logistic(weights[0] + weights[place]), place as f64 / 6.0);
            assert!((found - known).abs() < 0.06, "lambda {lambda}, place {place}: {found} for {known}");
        }
        let (games, won) = rounds.iter().fold((0, 0.0), |(games, won), round| (games + round.games, won + round.won));
        assert!(games == 6_000 && (won / 6_000.0 - 0.5).abs() < 0.04, "{won} of {games} won");
    }
}

#[test]
fn the_number_of_threads_does_not_matter_but_the_seed_does() {
    let short = Learning { games: 450, ..set() };
    let one = learn(&short);
    assert!(
        learn(&Learning { threads: 2, ..short.clone() }) == one
            && learn(&Learning { threads: 5, ..short.clone() }) == one
    );
    assert!(learn(&Learning { seed: 5, ..short }) != one);
}

#[test]
fn learning_that_was_broken_off_comes_to_the_same() {
    let (weights, rounds) = learn(&Learning { games: 450, ..set() });
    assert_eq!(rounds.iter().map(|round| round.games).collect::<Vec<_>>(), [100, 100, 100, 100, 50]);
    let (half, _) = learn(&Learning { games: 200, ..set() });
    let read = half.iter().map(|weight| weight.to_string().parse().unwrap()).collect();
    let mut learner = Learner::resume(Learning { games: 450, ..set() }, read, 200).unwrap();
    while learner.play_round(&|_| Walk::new(false), &StopFlag::default()).is_some() {}
    assert_eq!((learner.weights(), learner.games()), (&weights[..], 450));
}

#[test]
fn who_is_stopped_learns_nothing_of_the_round() {
    let (mut learner, stop) = (Learner::new(set(), Walk::names().len()).unwrap(), StopFlag::default());
    stop.raise();
    assert_eq!(learner.play_round(&|_| Walk::new(false), &stop), None);
    assert_eq!((learner.games(), learner.weights()), (0, &[0.0; 6][..]));
}

#[test]
fn a_walker_who_may_choose_wins() {
    let mut learner = Learner::new(Learning { games: 500, ..set() }, Walk::names().len()).unwrap();
    let mut won = 0.0;
    while let Some(round) = learner.play_round(&|_| Walk::new(true), &StopFlag::default()) {
        won = round.won / round.games as f64;
    }
    assert!(won > 0.8, "{won} of the last games, in which three turns of ten are random");
}

#[test]
fn settings_that_make_no_sense_are_brought_into_range() {
    for nonsense in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        let odd = Learning { rate: nonsense, slowing: nonsense, lambda: nonsense, explore: nonsense, ..set() };
        let (weights, rounds) = learn(&Learning { games: 20, round: 0, positions: 0, ..odd });
        assert!(weights.iter().all(|weight| weight.is_finite()), "{nonsense}: {weights:?}");
        assert_eq!((rounds.len(), rounds.iter().map(|round| round.games).sum()), (20, 20), "{nonsense}");
    }
    let at_once = |slowing| learn(&Learning { games: 20, slowing, ..set() }).0;
    assert_eq!(at_once(0.0), at_once(1.0));
}
