//! Hidden cards.

use std::sync::atomic::{AtomicU64, Ordering};

use boughs::{Game, Information, Rewards, Rng, Turn};

use super::{RIGHT, fails, passes};
use crate::gamble::{ACTIONS_BY_BIT, COIN_BY_BIT, Gamble, LENGTH_BY_BIT, TURN_BY_BIT};

const KEEPS_THE_OTHER_HAND: u8 = 1;
const KEEPS_THE_TABLE: u8 = 2;
const DRAWS_FROM_THE_TRUE_HAND: u8 = 3;
const DRAWS_THE_OWN_HAND: u8 = 4;
const TELLS_THE_OTHER_HAND: u8 = 5;
const CHANGES_ITS_MIND: u8 = 6;
const FORGETS_ALL_THAT_WAS_SAID: u8 = 7;
const FORGETS_WHAT_IT_SAYS: u8 = 8;
const REMEMBERS_ONE_WORD: u8 = 9;
const LETS_THE_HIGHER_HAND_RAISE: u8 = 10;
const HIDES_NOTHING: u8 = 11;
const DRAWS_NO_CARD: u8 = 12;
const ALLOWS_BY_WHAT_IT_HIDES_AND_KEEPS: u8 = 13;

const PASS: u8 = 10;
const RAISE: u8 = 11;

/// Each player is dealt a card of four, and a card of two lies face down on the table. Twice each player passes or
/// raises the stake; after the first time the table's card is turned over and multiplies it.
#[derive(Clone)]
struct Cards {
    fault: u8,
    /// The players' cards and the one on the table, as far as they are dealt.
    dealt: Vec<u8>,
    said: Vec<u8>,
}

impl Cards {
    fn new(fault: u8) -> Cards {
        Cards { fault, dealt: Vec::new(), said: Vec::new() }
    }

    fn hand(&self, player: usize) -> u8 {
        self.dealt.get(player).copied().unwrap_or(0)
    }

    fn table(&self) -> u8 {
        self.hand(2)
    }
}

impl Game for Cards {
    type Action = u8;
    const REWARDS: Rewards = Rewards { sum: Some(0.0), ..Rewards::scores(-10.0, 10.0) };
    const INFORMATION: Information = Information::Hidden;
    const MAX_PLIES: u32 = 7;

    fn turn(&self) -> Turn {
        match (self.dealt.len(), self.said.len()) {
            (0..3, _) => Turn::Chance,
            (_, 0..4) => Turn::Player(self.said.len() % 2),
            _ => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        match (self.turn(), self.dealt.len()) {
            (Turn::Player(player), _) => {
                out.push(PASS);
                if self.fault != LETS_THE_HIGHER_HAND_RAISE || self.hand(player) > self.hand(1 - player) {
                    out.push(RAISE);
                }
            }
            (_, 2) => out.extend([1, 2]),
            _ => out.extend((1..=4).filter(|card| !self.dealt.contains(card))),
        }
    }
    fn apply(&mut self, action: u8) {
        match self.turn() {
            Turn::Chance => self.dealt.push(action),
            _ => {
                assert!(!self.dealt.contains(&0), "everybody has a card");
                self.said.push(action);
            }
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let raises = self.said.iter().filter(|&&word| word == RAISE).count();
        let stake = (1 + raises) as f64 * f64::from(self.table());
        if self.hand(player) > self.hand(1 - player) { stake } else { -stake }
    }
    fn cut_reward(&self, _: usize) -> f64 {
        0.0
    }
    fn information(&self, player: usize) -> u64 {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        let mut known = vec![self.dealt.len() as u8, self.hand(player)];
        if self.said.len() >= 2 || self.fault == HIDES_NOTHING {
            known.push(self.table());
        }
        if [TELLS_THE_OTHER_HAND, HIDES_NOTHING].contains(&self.fault) {
            known.push(self.hand(1 - player));
        }
        let remembered = match self.fault {
            FORGETS_ALL_THAT_WAS_SAID => 0,
            REMEMBERS_ONE_WORD => self.said.len().min(1),
            _ => self.said.len(),
        };
        if self.fault != FORGETS_ALL_THAT_WAS_SAID {
            known.push(self.said.len() as u8);
        }
        for (ply, &word) in self.said.iter().enumerate().skip(self.said.len() - remembered) {
            known.push(if self.fault == FORGETS_WHAT_IT_SAYS && ply % 2 == player { 0 } else { word });
        }
        let number = known.iter().fold(1, |number, &word| number * 16 + u64::from(word));
        number + if self.fault == CHANGES_ITS_MIND { ASKED.fetch_add(1, Ordering::Relaxed) << 40 } else { 0 }
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        if [KEEPS_THE_OTHER_HAND, HIDES_NOTHING].contains(&self.fault) {
            return;
        }
        if self.fault == DRAWS_THE_OWN_HAND
            && let Some(own) = self.dealt.get_mut(player)
        {
            *own = rng.below(4) as u8 + 1;
        }
        let own = self.hand(player);
        let other = self.hand(1 - player);
        if other != 0 {
            let free: Vec<u8> = (1..=4).filter(|&card| card != own).collect();
            let first = free.iter().position(|&card| card == other).unwrap_or(0);
            self.dealt[1 - player] = match self.fault {
                DRAWS_FROM_THE_TRUE_HAND => free[(first + rng.below(2) as usize) % free.len()],
                DRAWS_NO_CARD => 0,
                _ => free[rng.below(free.len() as u32) as usize],
            };
        }
        if self.table() != 0 && self.said.len() < 2 && self.fault != KEEPS_THE_TABLE {
            self.dealt[2] = rng.below(2) as u8 + 1;
        }
    }
}

#[test]
fn a_game_with_hidden_cards_passes() {
    let checked = passes(&Cards::new(RIGHT));
    assert!(checked.hidden > 400, "most positions have something hidden from both: {checked:?}");
}

#[test]
fn determinize_keeps_no_secret() {
    let keeps = "`determinize` keeps something of the true position that player";
    fails(&Cards::new(KEEPS_THE_OTHER_HAND), keeps);
    fails(&Cards::new(DRAWS_FROM_THE_TRUE_HAND), keeps);
    fails(&Cards::new(KEEPS_THE_TABLE), keeps);
    fails(&Cards::new(KEEPS_THE_TABLE), "some moves later");
}

#[test]
fn determinize_keeps_the_players_information_and_can_be_played_on() {
    fails(&Cards::new(DRAWS_THE_OWN_HAND), "is not the same after `determinize`");
    let played = "cannot be played on: the game panicked: everybody has a card";
    fails(&Cards::new(DRAWS_NO_CARD), played);
}

#[test]
fn information_includes_the_players_knowledge_and_nothing_else() {
    fails(&Cards::new(TELLS_THE_OTHER_HAND), "or `information` tells them something they do not know");
    fails(&Cards::new(CHANGES_ITS_MIND), "gives another number for player 0 when asked again");
    fails(&Cards::new(HIDES_NOTHING), "in 60 games nothing was hidden from any player");
}

#[test]
fn players_forget_nothing() {
    fails(&Cards::new(FORGETS_ALL_THAT_WAS_SAID), "does not know what they do");
    fails(&Cards::new(FORGETS_WHAT_IT_SAYS), "the same number whether they play");
    fails(&Cards::new(REMEMBERS_ONE_WORD), "forgets: `information` gives the same number as in another game");
}

#[test]
fn players_know_their_legal_actions() {
    fails(&Cards::new(LETS_THE_HIGHER_HAND_RAISE), "cannot know what is legal: here it is");
    fails(&Guess::of(ALLOWS_BY_WHAT_IT_HIDES_AND_KEEPS, None), "cannot know what is legal: here it is");
}

/// A guess of a hidden number, which is there from the start or drawn by chance.
#[derive(Clone)]
struct Guess {
    fault: u8,
    number: Option<u8>,
    guess: Option<u8>,
}

impl Guess {
    fn of(fault: u8, number: Option<u8>) -> Guess {
        Guess { fault, number, guess: None }
    }
}

impl Game for Guess {
    type Action = u8;
    const INFORMATION: Information = Information::Hidden;

    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        match (self.number, self.guess) {
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        let most = self.number.filter(|_| self.fault == ALLOWS_BY_WHAT_IT_HIDES_AND_KEEPS).unwrap_or(3);
        out.extend(0..=most);
    }
    fn apply(&mut self, action: u8) {
        if self.number.is_none() { self.number = Some(action) } else { self.guess = Some(action) }
    }
    fn reward(&self, _: usize) -> f64 {
        if self.guess == self.number { 1.0 } else { 0.0 }
    }
    fn information(&self, _: usize) -> u64 {
        u64::from(self.number.is_some())
    }
    fn determinize(&mut self, _: usize, rng: &mut Rng) {
        if let Some(number) = &mut self.number {
            match self.fault {
                ALLOWS_BY_WHAT_IT_HIDES_AND_KEEPS => (),
                DRAWS_FROM_THE_TRUE_HAND => *number = (*number + rng.below(2) as u8) % 4,
                _ => *number = rng.below(4) as u8,
            }
        }
    }
}

#[test]
fn a_secret_from_the_start_is_not_kept_either() {
    passes(&Guess::of(RIGHT, None));
    passes(&Guess::of(RIGHT, Some(2)));
    let fault = "two that differ in the rewards some moves later";
    fails(&Guess::of(DRAWS_FROM_THE_TRUE_HAND, Some(2)), fault);
}

#[test]
fn what_another_player_may_do_can_depend_on_what_they_hide() {
    passes(&Gamble::new(ACTIONS_BY_BIT, 1));
    passes(&Gamble::new(LENGTH_BY_BIT, 0));
    passes(&Gamble::new(TURN_BY_BIT, 1));
    passes(&Gamble::new(COIN_BY_BIT, 0));
}
