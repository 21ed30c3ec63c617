//! Exhaustive search of the player's own turn: every chain of actions to its end, each once.
//!
//! It is for games whose turns are chains of many small decisions, where one of them makes all the difference within the turn, while
//! what the turn comes to is judged easily. A small turn is searched completely, after which the search stops; of a large one as
//! much as the budget allows, in random order. Chains end where the turn ends, and their last position is valued by
//! [`Game::evaluation`] or by playouts. (The search of a player of CodinGame's contest Green Circle, 16th of 1,758, 2022.)
//!
//! Each action has a search of its own ([`Chains`]) with random numbers of its own, and all get the same number of chains in
//! each round, but for those that are fully searched. That makes the result of an iteration budget the same at any number of
//! threads, and no thread ever waits for another within a round; but no more threads are busy than there are actions.
//!
//! Where something is hidden, chains are followed in one position that is drawn from what the player knows, and each playout
//! begins with another.

use parking_lot::Mutex;

use super::task::{Hands, Task, units};
use super::thinker::Method;
use crate::budget::StopReason;
use crate::chains::{Chains, Descent};
use crate::memory::{default_memory, parse_size, write_size};
use crate::playout::PlayoutKind;
use crate::scale::to_units;
use crate::settings::MAX_THREADS;
use crate::spec::{Key, Spec, name_of, named, number};
use crate::{Game, Information, Rewards, Rng, Turn};

/// Everything that can be set about exhaustive search.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhaustive {
    /// The most actions of a chain, those of chance included.
    pub depth: u32,
    /// How often the end of a chain is played out; 0 for the game's evaluation, or for once where it has none.
    pub playouts: u32,
    /// How games are played out.
    pub playout: PlayoutKind,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// The most bytes the chains that are not fully searched may take.
    pub memory: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Exhaustive {
    fn default() -> Exhaustive {
        let memory = default_memory();
        Exhaustive { depth: 40, playouts: 0, playout: PlayoutKind::Light, threads: 1, memory, seed: 0 }
    }
}

impl Spec for Exhaustive {
    const NAME: &'static str = "exhaustive";
    const SUMMARY: &'static str = "exhaustive search: every chain of actions to the end of the own turn";
    const KEYS: &'static [Key<Exhaustive>] = &[
        Key {
            name: "depth",
            help: "most actions of a chain, those of chance included",
            values: "a whole number from 1 to 10000",
            get: |set| set.depth.to_string(),
            set: |set, text| number(text, 1..=10_000).map(|depth| set.depth = depth),
        },
        Key {
            name: "playouts",
            help: "playouts of the end of each chain; 0 for the game's evaluation, or for one where it has none",
            values: "a whole number from 0 to 1000000",
            get: |set| set.playouts.to_string(),
            set: |set, text| number(text, 0..=1_000_000).map(|playouts| set.playouts = playouts),
        },
        Key {
            name: "playout",
            help: "how a game is played out",
            values: "light or decisive",
            get: |set| name_of(set.playout, &PlayoutKind::ALL),
            set: |set, text| named(text, &PlayoutKind::ALL).map(|playout| set.playout = playout),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |set| set.threads.to_string(),
            set: |set, text| number(text, 0..=MAX_THREADS).map(|threads| set.threads = threads),
        },
        Key {
            name: "memory",
            help: "most memory for chains that are not fully searched",
            values: "a size such as 64M or 1.5G",
            get: |set| write_size(set.memory),
            set: |set, text| parse_size(text).ok().map(|bytes| set.memory = bytes),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// Chains of an action in the first round; each round has twice as many, up to the most.
const FIRST_SLICE: u64 = 16;
const MOST_SLICE: u64 = 4096;

/// Chains between two looks at the clock, and between two reports, where they take no playouts.
const AT_ONCE: u64 = 16;

/// The chains that begin with one action.
struct Branch<G: Game> {
    chains: Chains<G>,
    is_full: bool,
}

impl Method for Exhaustive {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn think<G: Game>(&self, task: &Task<G>) {
        task.progress.found(|found| found.guess = Some(0));
        let mut hands = task.hands();
        hands.rng = task.rng(0);
        if task.imagine(&mut hands).is_some() {
            return;
        }
        let branches: Vec<Mutex<Branch<G>>> = (0..task.actions.len()).map(|n| self.branch(task, &hands, n)).collect();
        let mut slice = FIRST_SLICE;
        loop {
            let open: Vec<usize> = (0..branches.len()).filter(|&n| branches[n].lock().is_open()).collect();
            if open.is_empty() {
                if branches.iter().any(|branch| branch.lock().is_full) {
                    task.progress.course.stop(StopReason::MemoryFull);
                }
                return;
            }
            let room = task.progress.room();
            let (each, more) = (room / open.len() as u64, room % open.len() as u64);
            task.map(open.len(), None, &|hands, n| {
                let share = slice.min(each + u64::from((n as u64) < more));
                self.search(task, hands, open[n], &mut branches[open[n]].lock(), share);
            });
            if task.progress.is_done() {
                return;
            }
            slice = (2 * slice).min(MOST_SLICE);
        }
    }
}

impl Exhaustive {
    fn branch<G: Game>(&self, task: &Task<G>, hands: &Hands<G>, number: usize) -> Mutex<Branch<G>> {
        let (mut start, action) = (hands.position.clone(), task.actions[number]);
        start.apply(action);
        let (depth, memory) = (self.depth as usize - 1, self.memory / task.actions.len());
        let chains = Chains::new(start, action, task.player, depth, memory, task.rng(number as u64 + 1));
        Mutex::new(Branch { chains, is_full: false })
    }

    /// Searches some more chains of a branch and tells what they came to.
    fn search<G: Game>(&self, task: &Task<G>, hands: &mut Hands<G>, number: usize, branch: &mut Branch<G>, share: u64) {
        let playouts = if self.playouts == 0 && !G::EVALUATES { 1 } else { self.playouts };
        let at_once = if playouts == 0 { AT_ONCE } else { 1 };
        let mut leaf = |position: &G, rng: &mut Rng| match position.turn() {
            Turn::Over => position.reward(task.player),
            _ if playouts == 0 => position.evaluation(task.player),
            _ => (0..playouts).map(|_| play_out(task, hands, position, rng)).sum::<f64>() / f64::from(playouts),
        };
        let mut left = share;
        while left > 0 && branch.is_open() && !task.progress.course.is_over() {
            let (made, bytes) = (branch.chains.made(), branch.chains.bytes());
            let most = made + at_once.min(left);
            while branch.is_open() && branch.chains.made() < most {
                branch.is_full = branch.chains.descend(most - branch.chains.made(), &mut leaf) == Descent::Full;
            }
            left = (left + made).saturating_sub(branch.chains.made());
            branch.tell(task, number, made, bytes);
        }
    }
}

/// What a position comes to when it is played out, with what the player does not know drawn anew.
fn play_out<G: Game>(task: &Task<G>, hands: &mut Hands<G>, position: &G, rng: &mut Rng) -> f64 {
    hands.position.clone_from(position);
    if G::INFORMATION != Information::Perfect {
        hands.position.determinise(task.player, rng);
    }
    let end = task.playout.play(&mut hands.position, rng, &mut hands.scratch, G::MAX_PLIES, None);
    task.declared(task.reward(&hands.position, end))
}

impl<G: Game> Branch<G> {
    fn is_open(&self) -> bool {
        !self.is_full && !self.chains.is_exhausted()
    }

    /// Tells what was found since there were so many chains in so much memory.
    fn tell(&self, task: &Task<G>, number: usize, made: u64, bytes: usize) {
        let Some(value) = self.chains.value() else { return };
        // An evaluation may be on any scale. Lines are put in order by what it says, and shown as near to it as rewards allow.
        let rewards = Rewards { halves: false, ..G::REWARDS };
        let (shown, _) = to_units(&rewards, value, units::<G>());
        task.progress.found(|found| {
            let made = self.chains.made() - made;
            found.iterations += made;
            found.depth = found.depth.max(self.chains.longest() as u32 + 1);
            found.bytes += self.chains.bytes() - bytes;
            let line = &mut found.lines[number];
            line.playouts += made;
            (line.sum, line.summed, line.rank) = (i128::from(shown.cast_signed()), 1, in_order(value));
        });
    }
}

/// Whole numbers that are in the same order.
fn in_order(value: f64) -> u64 {
    // All zeros are equal.
    let bits = (value + 0.0).to_bits();
    if value < 0.0 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn values_keep_their_order_as_whole_numbers() {
        let values = [f64::MIN, -2.5, -1.0, -1e-300, 0.0, 1e-300, 0.3, 7.0, f64::MAX];
        assert!(values.windows(2).all(|pair| in_order(pair[0]) < in_order(pair[1])));
        assert_eq!(in_order(-0.0), in_order(0.0));
    }
}
