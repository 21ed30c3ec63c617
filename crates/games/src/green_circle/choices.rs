//! Choices of a player: their list for searches, in an order of its own, and a random one without the list.

use boughs::Rng;

use super::application::APPLICATIONS;
use super::cards::{BONUS, CONTINUOUS_INTEGRATION, Cards, DESKS, TASK_PRIORITIZATION};
use super::kinds::Kinds;
use super::position::{GreenCircle, Phase};
use super::step::Step;

/// The number of kinds that a dropped card can be exchanged for: all but itself and TECHNICAL_DEBT.
const EXCHANGES: u32 = BONUS as u32;

impl GreenCircle {
    /// Appends all choices of the player.
    #[inline]
    pub(super) fn list(&self, out: &mut Vec<Step>) {
        let kinds = self.seats[self.active()].hand.kinds();
        match self.phase {
            Phase::Move => out.extend((0..self.moves()).map(|n| self.nth_move(n))),
            Phase::Throw => out.extend(kinds.iter().map(Step::Throw)),
            Phase::Give => out.extend(kinds.iter().map(Step::Give)),
            Phase::Play => {
                out.extend(kinds.simple().iter().map(Step::Play));
                for drop in self.beside(TASK_PRIORITIZATION).iter() {
                    out.extend((0..EXCHANGES).map(|n| exchange(drop, n)));
                }
                out.extend(self.beside(CONTINUOUS_INTEGRATION).iter().map(Step::Automate));
                out.push(Step::Wait);
            }
            Phase::Release => {
                let set = self.releasable(self.active());
                out.extend((0..32).filter(|id| set >> id & 1 == 1).map(Step::Release));
                out.push(Step::Wait);
            }
            Phase::Redraw => {}
        }
    }

    /// Picks one of the listed choices, each equally likely.
    #[inline]
    pub(super) fn pick(&self, rng: &mut Rng) -> Option<Step> {
        let kinds = self.seats[self.active()].hand.kinds();
        Some(match self.phase {
            Phase::Move => self.nth_move(rng.below(self.moves())),
            Phase::Throw => Step::Throw(kinds.pick(rng)),
            Phase::Give => Step::Give(kinds.pick(rng)),
            Phase::Play => self.pick_play(kinds.simple(), rng),
            Phase::Release => {
                let set = self.releasable(self.active());
                // The bit above all applications stands for waiting.
                match rng.pick_bit(u64::from(set) | 1 << 32) {
                    32 => Step::Wait,
                    id => Step::Release(id as u8),
                }
            }
            Phase::Redraw => return None,
        })
    }

    #[inline]
    fn pick_play(&self, simple: Kinds, rng: &mut Rng) -> Step {
        let (drops, automations) = (self.beside(TASK_PRIORITIZATION), self.beside(CONTINUOUS_INTEGRATION));
        let counts = [simple.len(), drops.len() * EXCHANGES, automations.len()];
        let mut n = rng.below(counts.iter().sum::<u32>() + 1);
        if n < counts[0] {
            return Step::Play(simple.nth(n));
        }
        n -= counts[0];
        if n < counts[1] {
            return exchange(drops.nth(n / EXCHANGES), n % EXCHANGES);
        }
        n -= counts[1];
        if n < counts[2] { Step::Automate(automations.nth(n)) } else { Step::Wait }
    }

    /// The kinds of skill cards in hand beside one card of a kind; none if there is no such card.
    #[inline]
    pub(super) fn beside(&self, kind: u8) -> Kinds {
        let hand = self.seats[self.active()].hand;
        match hand.count(kind) {
            0 => Cards::NONE.kinds(),
            1 => hand.kinds().without(kind),
            _ => hand.kinds(),
        }
    }

    /// The number of moves: desks to go to, times desks to take from.
    #[inline]
    fn moves(&self) -> u32 {
        let seat = &self.seats[self.active()];
        (u32::from(DESKS) - u32::from(seat.location >= 0)) * self.reach()
    }

    /// The number of desks within reach.
    #[inline]
    fn reach(&self) -> u32 {
        (2 * u32::from(self.seats[self.active()].routines) + 1).min(u32::from(DESKS))
    }

    #[inline]
    fn nth_move(&self, n: u32) -> Step {
        let (seat, reach) = (&self.seats[self.active()], self.reach());
        let to = (seat.location + 1) as u32 + n / reach;
        let from = to + n % reach + u32::from(DESKS) - reach / 2;
        let desk = |number: u32| (number % u32::from(DESKS)) as u8;
        Step::Move { to: desk(to), from: desk(from) }
    }

    /// Returns true if the rules allow a step here, listed or not. The official referee allows a few steps that it does
    /// not list.
    pub fn allows(&self, step: Step) -> bool {
        let seat = &self.seats[self.active()];
        let has_skill = |kind: u8| kind <= BONUS && seat.hand.has(kind);
        let has_another = |kind: u8, played: u8| {
            has_skill(kind) && seat.hand.has(played) && (kind != played || seat.hand.count(kind) > 1)
        };
        match (self.phase, step) {
            _ if self.is_over() || self.due > 0 => false,
            (Phase::Move, Step::Move { to, from }) => {
                let around = to.abs_diff(from).min(DESKS.wrapping_sub(to.abs_diff(from)));
                to < DESKS && from < DESKS && to as i8 != seat.location && around <= seat.routines
            }
            (Phase::Throw, Step::Throw(kind)) | (Phase::Give, Step::Give(kind)) => has_skill(kind),
            (Phase::Play, Step::Play(kind)) => {
                kind < DESKS && ![TASK_PRIORITIZATION, CONTINUOUS_INTEGRATION].contains(&kind) && seat.hand.has(kind)
            }
            (Phase::Play, Step::Prioritize { drop, take }) => take <= BONUS && has_another(drop, TASK_PRIORITIZATION),
            (Phase::Play, Step::Automate(kind)) => has_another(kind, CONTINUOUS_INTEGRATION),
            (Phase::Play | Phase::Release, Step::Wait) => true,
            (Phase::Release, Step::Release(id)) => {
                id < APPLICATIONS && self.applications >> id & 1 == 1 && self.cost(self.active(), id).is_some()
            }
            _ => false,
        }
    }
}

#[inline]
fn exchange(drop: u8, n: u32) -> Step {
    Step::Prioritize { drop, take: n as u8 + u8::from(n >= u32::from(drop)) }
}
