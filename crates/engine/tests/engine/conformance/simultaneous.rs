//! Simultaneous choices.

use boughs::{Game, Information, Rng, Turn};

use super::{RIGHT, fails, passes};

const TELLS_THE_LATER: u8 = 1;
const KEEPS_CHOICES: u8 = 2;
const IS_PLAYED_OPENLY: u8 = 3;
const TAKES_BACK_ONES_OWN: u8 = 4;
const ENDS_THE_GAME: u8 = 5;
const FORGETS_ROUNDS: u8 = 6;

/// Three players show a side of a coin at the same time, twice. A player who shows another side than both others loses.
#[derive(Clone)]
struct Coins {
    fault: u8,
    shown: Vec<[u8; 3]>,
    chosen: [Option<u8>; 3],
    ended: bool,
}

impl Coins {
    fn new(fault: u8) -> Coins {
        Coins { fault, shown: Vec::new(), chosen: [None; 3], ended: false }
    }
}

impl Game for Coins {
    type Action = char;
    const INFORMATION: Information = Information::Simultaneous;
    const MAX_PLIES: u32 = 6;

    fn players(&self) -> usize {
        3
    }
    fn turn(&self) -> Turn {
        let next = self.chosen.iter().position(|choice| choice.is_none());
        match next.filter(|_| self.shown.len() < 2 && !self.ended) {
            Some(player) => Turn::Player(player),
            None => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<char>) {
        out.extend(['h', 't']);
    }
    fn apply(&mut self, side: char) {
        if let Turn::Player(player) = self.turn() {
            self.chosen[player] = Some(side as u8);
        }
        if let [Some(a), Some(b), Some(c)] = self.chosen {
            self.shown.push([a, b, c]);
            self.chosen = [None; 3];
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let odd = |sides: &&[u8; 3]| sides.iter().filter(|&&side| side == sides[player]).count() == 1;
        1.0 - self.shown.iter().filter(odd).count() as f64 / 2.0
    }
    fn action_text(&self, side: char) -> String {
        side.into()
    }
    fn information(&self, player: usize) -> u64 {
        let mut known = vec![self.shown.len() as u8];
        if self.fault != FORGETS_ROUNDS {
            known.extend(self.shown.iter().flatten());
        }
        for (other, choice) in self.chosen.iter().enumerate() {
            let sees = other == player || [TELLS_THE_LATER, IS_PLAYED_OPENLY].contains(&self.fault);
            known.push(choice.filter(|_| sees).unwrap_or(0));
        }
        known.iter().fold(7, |number, &word| number * 131 + u64::from(word))
    }
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        if [KEEPS_CHOICES, IS_PLAYED_OPENLY].contains(&self.fault) {
            return;
        }
        self.ended = self.fault == ENDS_THE_GAME && player == 1 && self.chosen[0].is_some();
        for (other, choice) in self.chosen.iter_mut().enumerate() {
            if other != player || self.fault == TAKES_BACK_ONES_OWN {
                *choice = None;
            }
        }
    }
}

#[test]
fn a_game_with_simultaneous_choices_passes() {
    let checked = passes(&Coins::new(RIGHT));
    assert!(checked.hidden > 300, "later players do not know the choices of earlier ones: {checked:?}");
}

#[test]
fn players_do_not_see_simultaneous_choices_of_others() {
    fails(&Coins::new(TELLS_THE_LATER), "or `information` tells them something they do not know");
    fails(&Coins::new(KEEPS_CHOICES), "`determinize` keeps something of the true position that player 1 does not");
    fails(&Coins::new(IS_PLAYED_OPENLY), "declares Information::Simultaneous, but in 60 games nothing was hidden");
}

#[test]
fn only_pending_choices_of_others_are_taken_back() {
    fails(&Coins::new(TAKES_BACK_ONES_OWN), "what player 0 knows is not the same after `determinize`");
    fails(&Coins::new(ENDS_THE_GAME), "it takes back more than what they have just chosen in secret");
}

#[test]
fn players_know_their_own_past_choices() {
    fails(&Coins::new(FORGETS_ROUNDS), "player 2 does not know what they do");
}
