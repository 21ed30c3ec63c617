//! Tests of [`DecoupledSearch`].

use boughs_core::{Budget, DecoupledSearch, Game, Information, Rewards, Rng, Settings, Turn};

const SMALL: Settings = Settings { memory: 1 << 20, ..Settings::DEFAULT };

/// Some rounds of bids, made at once: the higher bid wins the round, and a bid cannot be made again.
#[derive(Clone)]
struct Bids {
    left: [u16; 2],
    secret: Option<u8>,
    score: i32,
}

const CARDS: u8 = 4;

impl Bids {
    fn new() -> Bids {
        Bids { left: [(1 << CARDS) - 1; 2], secret: None, score: 0 }
    }
}

impl Game for Bids {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Simultaneous;

    fn turn(&self) -> Turn {
        match self.secret {
            None if self.left[0] == 0 => Turn::Over,
            None => Turn::Player(0),
            Some(_) => Turn::Player(1),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        let left = self.left[usize::from(self.secret.is_some())];
        out.extend((0..CARDS).filter(|card| left >> card & 1 == 1));
    }
    fn apply(&mut self, card: u8) {
        match self.secret.take() {
            None => self.secret = Some(card),
            Some(first) => {
                self.left[0] &= !(1 << first);
                self.left[1] &= !(1 << card);
                // The prize of the round is the number of cards left.
                self.score += (i32::from(first) - i32::from(card)).signum() * (self.left[0].count_ones() as i32 + 1);
            }
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let own = if player == 0 { self.score } else { -self.score };
        0.5 + 0.5 * f64::from(own.signum())
    }
    fn information(&self, _: usize) -> u64 {
        Rng::new(u64::from(self.left[0]) << 16 | u64::from(self.left[1]), self.score as u64).bits()
    }
    fn determinize(&mut self, _: usize, _: &mut Rng) {
        self.secret = None;
    }
}

#[test]
fn choices_at_the_same_time_are_made_without_each_other() {
    let mut search = DecoupledSearch::new(Bids::new(), SMALL);
    search.run(Budget::iterations(20_000).early_stop(false));
    let (open, first) = (search.ranked(), search.ranked()[0].action);
    // The second player does not see the first one's bid: both know the same, and choose alike.
    search.advance(first);
    let mut others = Vec::new();
    for secret in 0..CARDS {
        let mut position = Bids::new();
        position.apply(secret);
        let mut search = DecoupledSearch::new(position, SMALL);
        search.run(Budget::iterations(20_000).early_stop(false));
        others.push(search.ranked());
    }
    assert!(others.windows(2).all(|pair| pair[0] == pair[1]), "{:?}", others);
    assert!(open[0].visits > 10_000 / 4);
}

/// A card is drawn in secret and the player guesses it, after a look at its colour or not.
#[derive(Clone)]
struct Guess {
    card: u8,
    has_looked: bool,
    guess: Option<u8>,
}

impl Game for Guess {
    type Action = u8;
    const INFORMATION: Information = Information::Hidden;

    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.guess.is_some() {
            Turn::Over
        } else {
            Turn::Player(0)
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..4);
        if !self.has_looked {
            out.push(9);
        }
    }
    fn apply(&mut self, action: u8) {
        match action {
            9 => self.has_looked = true,
            guess => self.guess = Some(guess),
        }
    }
    fn reward(&self, _: usize) -> f64 {
        f64::from(u8::from(self.guess == Some(self.card)))
    }
    fn information(&self, _: usize) -> u64 {
        if self.has_looked {
            1 + u64::from(self.card % 2)
        } else {
            0
        }
    }
    fn determinize(&mut self, _: usize, rng: &mut Rng) {
        self.card = match self.has_looked {
            true => rng.below(2) as u8 * 2 + self.card % 2,
            false => rng.below(4) as u8,
        };
    }
}

#[test]
fn a_search_knows_no_more_than_its_player_and_values_what_it_may_learn() {
    let position = |card| Guess { card, has_looked: false, guess: None };
    let ranked = |card| {
        let mut search = DecoupledSearch::new(position(card), SMALL);
        search.run(Budget::iterations(20_000).early_stop(false));
        search.ranked()
    };
    let first = ranked(0);
    assert_eq!(first[0].action, 9, "a look makes a guess right in one of two cases");
    assert!((0.4..0.5).contains(&first[0].mean) && first[1..].iter().all(|child| (0.1..0.4).contains(&child.mean)));
    assert!((1..4).all(|card| ranked(card) == first));
}

#[test]
fn what_is_known_of_later_choices_stays_known_within_the_memory() {
    for memory in [0, 100, 2_000, 1 << 20] {
        let mut search = DecoupledSearch::new(Bids::new(), Settings { memory, ..SMALL });
        search.run(Budget::iterations(2_000).early_stop(false));
        let (mut moves, mut spent) = (0, 0);
        while search.position().turn() != Turn::Over {
            let mut action = None;
            let budget = Budget::iterations(2_000).early_stop(false);
            spent += allocation_counter::measure(|| search.run(budget)).count_total;
            action = search.ranked().first().map(|child| child.action).or(action);
            let mut legal = Vec::new();
            search.position().actions(&mut legal);
            assert_eq!(action.is_some(), memory >= 2_000);
            let action = action.unwrap_or(legal[0]);
            spent += allocation_counter::measure(|| search.advance(action)).count_total;
            assert!(legal.contains(&action) && search.bytes() <= memory);
            moves += 1;
        }
        assert_eq!((moves, spent), (2 * u32::from(CARDS), 0), "{}", memory);
    }
}
