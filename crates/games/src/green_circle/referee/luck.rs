//! The official referee's chance: shuffles, and answers of RANDOM.

use boughs::Rng;

use super::super::cards::{BONUS, CONTINUOUS_INTEGRATION, Cards, DESKS, TASK_PRIORITIZATION};
use super::super::position::{GreenCircle, Phase};
use super::super::step::Step;

/// A source of chance: a generator, or a recording.
pub trait Luck {
    /// Shuffles the cards, from bottom to top.
    fn shuffle(&mut self, cards: Cards) -> Vec<u8>;
    /// Picks one of these steps by their weights.
    fn pick(&mut self, steps: &[(Step, u32)]) -> Option<Step>;
}

/// Chance from a seed of this crate.
#[derive(Clone, Debug)]
pub struct OwnLuck(Rng);

impl OwnLuck {
    /// The chance of a seed.
    pub fn new(seed: u64) -> OwnLuck {
        // Stream 0 makes the set-up.
        Rng::new(seed, 1).into()
    }
}

impl From<Rng> for OwnLuck {
    fn from(rng: Rng) -> OwnLuck {
        OwnLuck(rng)
    }
}

impl Luck for OwnLuck {
    fn shuffle(&mut self, cards: Cards) -> Vec<u8> {
        let mut list: Vec<u8> = cards.list().collect();
        self.0.shuffle(&mut list);
        list
    }

    fn pick(&mut self, steps: &[(Step, u32)]) -> Option<Step> {
        let mut place = self.0.below(steps.iter().map(|(_, weight)| weight).sum());
        for &(step, weight) in steps {
            if place < weight {
                return Some(step);
            }
            place -= weight;
        }
        None
    }
}

/// The steps that RANDOM may stand for, with weights. The official referee plays cards with action cards only,
/// exchanges for desks only, moves from the start to any desk but 7, takes where it goes, and never waits where it can
/// do something.
pub fn random_steps(position: &GreenCircle) -> Vec<(Step, u32)> {
    let seat = position.seat(position.active());
    let skills = (0..=BONUS).map(|kind| (kind, u32::from(seat.hand.count(kind)))).filter(|&(_, count)| count > 0);
    match position.phase() {
        Phase::Move => (1..i32::from(DESKS))
            .map(|way| ((i32::from(seat.location) + way) % i32::from(DESKS)) as u8)
            .map(|desk| (Step::Move { to: desk, from: desk }, 1))
            .collect(),
        Phase::Throw => skills.map(|(kind, count)| (Step::Throw(kind), count)).collect(),
        Phase::Give => skills.map(|(kind, count)| (Step::Give(kind), count)).collect(),
        Phase::Play => random_plays(seat.hand),
        Phase::Release => {
            let set = position.releasable(position.active());
            position.open_applications().filter(|id| set >> id & 1 == 1).map(|id| (Step::Release(id), 1)).collect()
        }
        Phase::Redraw => Vec::new(),
    }
}

/// All action cards are equally likely, then all other action cards, then all desks.
fn random_plays(hand: Cards) -> Vec<(Step, u32)> {
    let others = hand.actions().saturating_sub(1);
    let desks = u32::from(DESKS);
    let weight = others.max(1) * desks;
    let mut steps = Vec::new();
    for kind in 0..DESKS {
        let copies = u32::from(hand.count(kind));
        let is_paired = [TASK_PRIORITIZATION, CONTINUOUS_INTEGRATION].contains(&kind);
        if copies == 0 {
            continue;
        }
        if !is_paired || others == 0 {
            steps.push((if is_paired { Step::Wait } else { Step::Play(kind) }, copies * weight));
            continue;
        }
        for second in (0..DESKS).filter(|&second| hand.has(second)) {
            let pairs = copies * (u32::from(hand.count(second)) - u32::from(second == kind));
            if pairs > 0 && kind == CONTINUOUS_INTEGRATION {
                steps.push((Step::Automate(second), pairs * desks));
            } else if pairs > 0 {
                steps.extend((0..DESKS).map(|take| (Step::Prioritize { drop: second, take }, pairs)));
            }
        }
    }
    match steps.is_empty() {
        true => vec![(Step::Wait, 1)],
        false => steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_card_is_as_likely_to_be_played() {
        let hand = Cards::of([1, 0, 0, 2, 0, 1, 0, 0, 3, 1]).expect("a hand");
        let steps = random_plays(hand);
        let weight =
            |fits: fn(Step) -> bool| steps.iter().filter(|(step, _)| fits(*step)).map(|(_, weight)| weight).sum();
        let [play, exchange, automate]: [u32; 3] = [
            weight(|step| step == Step::Play(0)),
            weight(|step| matches!(step, Step::Prioritize { .. })),
            weight(|step| matches!(step, Step::Automate(_))),
        ];
        assert_eq!([exchange, automate], [2 * play, play]);
        assert!(steps.iter().any(|&(step, _)| step == Step::Prioritize { drop: 3, take: 3 }));
    }

    #[test]
    fn a_card_that_needs_another_waits_alone() {
        for hand in [[0, 0, 0, 1, 0, 0, 0, 0, 3, 1], [0, 0, 0, 0, 0, 1, 0, 0, 1, 0]] {
            let steps = random_plays(Cards::of(hand).expect("a hand"));
            assert!(steps.iter().all(|&(step, _)| step == Step::Wait) && steps.len() == 1);
        }
    }
}
