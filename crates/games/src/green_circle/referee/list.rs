//! Offers of the official referee, in its words, its order and with its repetitions.

use super::super::cards::{BONUS, CONTINUOUS_INTEGRATION, DEBT, DESKS, TASK_PRIORITIZATION};
use super::super::position::{GreenCircle, Phase};
use super::super::protocol::command_text;
use super::super::step::Step;

/// An offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A step of the game.
    Step(Step),
    /// The referee chooses a step.
    Random,
}

impl std::fmt::Display for Offer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Offer::Step(step) => f.write_str(&command_text(*step)),
            Offer::Random => f.write_str("RANDOM"),
        }
    }
}

/// The offers to the player to move, whose hand has this order.
pub fn offers(position: &GreenCircle, hand: &[u8]) -> Vec<Offer> {
    let mut steps = Vec::new();
    match position.phase() {
        Phase::Move => moves(position, &mut steps),
        Phase::Throw => hand.iter().filter(|&&kind| kind < DEBT).for_each(|&kind| once(Step::Throw(kind), &mut steps)),
        Phase::Give => hand.iter().filter(|&&kind| kind < DEBT).for_each(|&kind| once(Step::Give(kind), &mut steps)),
        Phase::Play => plays(hand, &mut steps),
        Phase::Release => {
            let set = position.releasable(position.active());
            steps.extend(position.open_applications().filter(|id| set >> id & 1 == 1).map(Step::Release));
        }
        Phase::Redraw => return Vec::new(),
    }
    let waits = matches!(position.phase(), Phase::Play | Phase::Release).then_some(Offer::Step(Step::Wait));
    steps.into_iter().map(Offer::Step).chain([Offer::Random]).chain(waits).collect()
}

fn once(step: Step, steps: &mut Vec<Step>) {
    if !steps.contains(&step) {
        steps.push(step);
    }
}

/// Lists desks from the next one on, each with those in reach from left to right. A player whose reach goes round the
/// ring is offered desks twice.
fn moves(position: &GreenCircle, steps: &mut Vec<Step>) {
    let seat = position.seat(position.active());
    let (ring, reach) = (i32::from(DESKS), i32::from(seat.routines));
    let location = i32::from(seat.location);
    let last = if location < 0 { ring } else { ring - 1 };
    for to in (1..=last).map(|way| (location + way) % ring) {
        let desks = (-reach..=reach).map(|way| (to + way).rem_euclid(ring));
        steps.extend(desks.map(|from| Step::Move { to: to as u8, from: from as u8 }));
    }
}

fn plays(hand: &[u8], steps: &mut Vec<Step>) {
    for (place, &kind) in hand.iter().enumerate().filter(|&(_, &kind)| kind < BONUS) {
        let others =
            hand.iter().enumerate().filter(|&(other, &kind)| other != place && kind < DEBT).map(|(_, &kind)| kind);
        match kind {
            TASK_PRIORITIZATION => others
                .flat_map(|drop| (0..=BONUS).filter(move |&take| take != drop).map(move |take| (drop, take)))
                .for_each(|(drop, take)| once(Step::Prioritize { drop, take }, steps)),
            CONTINUOUS_INTEGRATION => others.for_each(|other| once(Step::Automate(other), steps)),
            _ => once(Step::Play(kind), steps),
        }
    }
}
