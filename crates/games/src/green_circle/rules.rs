//! Effects of steps. Only these lines move cards, both for searches and for the referee.

use boughs::Action;

use super::cards::*;
use super::position::{GreenCircle, Phase};
use super::seat::NOTHING;
use super::setup::Setup;
use super::step::Step;

/// An observer that keeps hands in order while the rules, which only count, move cards. The caller of a draw knows the
/// order of the drawn cards.
pub(super) trait Witness {
    /// A player has lost the first card of a kind from their hand.
    fn left(&mut self, player: usize, kind: u8);
    /// A card has come into a player's hand.
    fn came(&mut self, player: usize, kind: u8);
    /// A player has put down their whole hand.
    fn put_down(&mut self, player: usize);
}

/// Keeps no order.
impl Witness for () {
    #[inline]
    fn left(&mut self, _: usize, _: u8) {}
    #[inline]
    fn came(&mut self, _: usize, _: u8) {}
    #[inline]
    fn put_down(&mut self, _: usize) {}
}

impl GreenCircle {
    #[inline]
    pub(super) fn advance(&mut self, step: Step, witness: &mut impl Witness) {
        let player = self.active();
        match step {
            Step::Draw(drawn) => return self.draw(drawn.cards(), witness),
            Step::Deal(seed) => return *self = GreenCircle::new(&Setup::of_seed(seed.into())),
            Step::Move { to, from } => self.go(to, from, witness),
            Step::Throw(kind) => {
                self.put_back(kind, witness);
                self.throws -= 1;
                if self.throws == 0 {
                    self.make_noise(witness);
                }
            }
            Step::Give(kind) => {
                self.give(kind, witness);
                self.take(witness);
            }
            Step::Play(_) | Step::Prioritize { .. } | Step::Automate(_) => self.play(step, witness),
            Step::Wait if self.phase == Phase::Play => self.stop_playing(witness),
            Step::Wait => self.end_turn(witness),
            Step::Release(id) => self.release(id, witness),
        }
        self.decisions += 1;
        self.remember(player, step.code(), self.seats[player].hand);
    }

    fn go(&mut self, to: u8, from: u8, witness: &mut impl Witness) {
        let player = self.active();
        let seat = &mut self.seats[player];
        let goes_round = (to as i8) < seat.location;
        seat.location = to as i8;
        self.from = from;
        if goes_round {
            let (kinds, skills) = (seat.hand.kinds(), seat.hand.skills());
            if skills <= 2 {
                seat.hand.without_debt().list().for_each(|kind| self.put_back(kind, witness));
                self.gain_debt(2 - skills as u8);
            } else if kinds.len() == 1 {
                (0..2).for_each(|_| self.put_back(kinds.nth(0), witness));
            } else {
                self.throws = 2;
                self.phase = Phase::Throw;
                return;
            }
        }
        self.make_noise(witness);
    }

    fn make_noise(&mut self, witness: &mut impl Witness) {
        if self.is_noisy() {
            let kinds = self.seats[self.active()].hand.kinds();
            match kinds.len() {
                0 => self.gain_debt(2),
                1 => self.give(kinds.nth(0), witness),
                _ => {
                    self.phase = Phase::Give;
                    return;
                }
            }
        }
        self.take(witness);
    }

    fn take(&mut self, witness: &mut impl Witness) {
        if let Some(kind) = self.obtainable(self.from) {
            self.board -= Cards::one(kind);
            self.receive(kind, witness);
        }
        self.from = NOTHING;
        match self.seats[self.active()].can_play() {
            true => {
                self.phase = Phase::Play;
                self.plays = 1;
            }
            false => self.stop_playing(witness),
        }
    }

    #[inline]
    fn play(&mut self, step: Step, witness: &mut impl Witness) {
        let kind = match step {
            Step::Play(kind) => kind,
            Step::Prioritize { .. } => TASK_PRIORITIZATION,
            _ => CONTINUOUS_INTEGRATION,
        };
        self.remove(kind, witness);
        let player = self.active();
        match kind {
            DAILY_ROUTINE => self.seats[player].routines += 1,
            ARCHITECTURE_STUDY => self.seats[player].studies += 1,
            _ => self.played += Cards::one(kind),
        }
        match step {
            Step::Play(TRAINING) => (self.plays, self.due) = (self.plays + 1, 2),
            Step::Play(CODING) => (self.plays, self.due) = (self.plays + 2, 1),
            Step::Play(CODE_REVIEW) => {
                (0..self.board.count(BONUS).min(2)).for_each(|_| self.gain(BONUS));
            }
            Step::Play(REFACTORING) if self.seats[player].hand.has(DEBT) => {
                self.remove(DEBT, witness);
                self.board += Cards::one(DEBT);
            }
            Step::Prioritize { drop, take } => self.prioritize(drop, take, witness),
            Step::Automate(kind) => {
                self.remove(kind, witness);
                self.seats[player].automated += Cards::one(kind);
            }
            _ => {}
        }
        self.plays -= 1;
        if self.due == 0 || !self.can_draw() {
            self.go_on(witness);
        }
    }

    fn prioritize(&mut self, drop: u8, take: u8, witness: &mut impl Witness) {
        self.remove(drop, witness);
        match self.obtainable(take) {
            Some(kind) => {
                self.board += Cards::one(drop);
                self.board -= Cards::one(kind);
                self.receive(kind, witness);
            }
            // The official referee loses the card.
            None => self.seats[self.active()].lost += Cards::one(drop),
        }
    }

    /// Goes on after a played card and its draws.
    pub(super) fn go_on(&mut self, witness: &mut impl Witness) {
        self.due = 0;
        if self.plays == 0 || !self.seats[self.active()].can_play() {
            self.stop_playing(witness);
        }
    }

    fn stop_playing(&mut self, witness: &mut impl Witness) {
        self.plays = 0;
        match self.releasable(self.active()) {
            0 => self.end_turn(witness),
            _ => self.phase = Phase::Release,
        }
    }

    fn release(&mut self, id: u8, witness: &mut impl Witness) {
        let player = self.active();
        let cost = self.cost(player, id).unwrap_or_default();
        self.applications &= !(1 << id);
        let seat = &mut self.seats[player];
        seat.score += 1;
        (0..seat.routines).for_each(|_| seat.discard += Cards::one(DAILY_ROUTINE));
        (0..seat.studies).for_each(|_| seat.discard += Cards::one(ARCHITECTURE_STUDY));
        (seat.routines, seat.studies) = (0, 0);
        self.gain_debt(cost);
        self.is_last_round |= self.has_reached_goal(player);
        self.end_turn(witness);
    }

    #[inline]
    fn remove(&mut self, kind: u8, witness: &mut impl Witness) {
        let player = self.active();
        self.seats[player].hand -= Cards::one(kind);
        witness.left(player, kind);
    }

    #[inline]
    fn receive(&mut self, kind: u8, witness: &mut impl Witness) {
        let player = self.active();
        self.seats[player].hand += Cards::one(kind);
        witness.came(player, kind);
    }

    fn put_back(&mut self, kind: u8, witness: &mut impl Witness) {
        self.remove(kind, witness);
        self.board += Cards::one(kind);
    }

    fn give(&mut self, kind: u8, witness: &mut impl Witness) {
        self.remove(kind, witness);
        let other = 1 - self.active();
        self.seats[other].hand += Cards::one(kind);
        self.seats[other].gift = kind;
        witness.came(other, kind);
    }

    /// Moves a card from its pool to the discard pile.
    #[inline]
    fn gain(&mut self, kind: u8) {
        self.board -= Cards::one(kind);
        let player = self.active();
        self.seats[player].discard += Cards::one(kind);
    }

    fn gain_debt(&mut self, count: u8) {
        (0..count.min(self.board.count(DEBT))).for_each(|_| self.gain(DEBT));
    }
}
