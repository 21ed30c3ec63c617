//! Games that wait for their round to be counted.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::statistics::Outcome;
use crate::{Clock, Fault, Planned, Record};

/// A game that waits for its round to be counted.
#[derive(Clone, Debug)]
pub(super) struct WaitingGame {
    pub(super) number: u64,
    /// Outcome for the first contestant, if it played against the second.
    pub(super) outcome: Option<Outcome>,
    /// Average reward of the seats of each contestant.
    pub(super) rewards: [Option<f64>; 2],
    pub(super) has_forfeit: [bool; 2],
    /// Result of each seat.
    pub(super) seats: Vec<SeatResult>,
    pub(super) plies: usize,
    pub(super) fingerprint: u64,
}

/// The result of one seat of a game.
#[derive(Clone, Debug)]
pub(super) struct SeatResult {
    pub(super) side: usize,
    pub(super) clock: Clock,
    pub(super) columns: BTreeMap<String, f64>,
    /// Name of the fault, and the fault in words.
    pub(super) fault: Option<(&'static str, String)>,
}

impl WaitingGame {
    /// Reads the result of a planned game from its record.
    pub(super) fn of(planned: &Planned, record: &Record) -> WaitingGame {
        let side_of = |seat: usize| planned.sides[seat];
        let of_side = |side: usize| -> Vec<f64> {
            (0..record.rewards.len()).filter(|&seat| side_of(seat) == side).map(|seat| record.rewards[seat]).collect()
        };
        let has_forfeit = [0, 1].map(|side| record.ending.faults().iter().any(|(seat, _)| side_of(*seat) == side));
        let [own, others] = [of_side(0), of_side(1)];
        let best = others.iter().copied().reduce(f64::max);
        let outcome = match (own.first(), best, has_forfeit) {
            (Some(_), Some(_), [true, false]) => Some(Outcome::Loss),
            (Some(_), Some(_), [false, true]) if planned.sides.len() == 2 => Some(Outcome::Win),
            (Some(own), Some(best), _) => Some(Outcome::of(*own, best)),
            _ => None,
        };
        let mean = |rewards: &[f64]| (!rewards.is_empty()).then(|| rewards.iter().sum::<f64>() / rewards.len() as f64);
        let seat = |seat: usize| SeatResult {
            side: side_of(seat),
            clock: record.clocks[seat],
            columns: record.columns[seat].clone(),
            // A resignation loses the game, and is nothing to be told of.
            fault: record
                .ending
                .faults()
                .iter()
                .find(|(loser, fault)| *loser == seat && *fault != Fault::Resigned)
                .map(|(_, fault)| {
                    let when = match fault {
                        Fault::NotStarted(_) => String::new(),
                        _ => format!(" at move {}", record.opening.len() + record.moves.len() + 1),
                    };
                    let fault_and_words = fault.with_last_words(&record.notes[seat]);
                    (fault.name(), format!("in game {}{when} it {fault_and_words}", record.number))
                }),
        };
        WaitingGame {
            number: record.number,
            outcome,
            rewards: [mean(&own), mean(&others)],
            has_forfeit,
            seats: (0..planned.sides.len()).map(seat).collect(),
            plies: record.opening.len() + record.moves.len(),
            fingerprint: fingerprint(planned, record),
        }
    }
}

/// Hashes the moves of a game and the sides of its seats.
fn fingerprint(planned: &Planned, record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&planned.sides, &record.opening, &record.moves).hash(&mut hasher);
    hasher.finish()
}
