//! Exhaustive search of the player's own turn: every chain of actions to its end, each once.
//!
//! It is for games whose turns are chains of many small decisions, where one of them makes all the difference within the turn, while
//! what the turn comes to is judged easily. A small turn is searched completely, after which the search stops; of a large one as
//! much as the budget allows, in random order but for the last steps from one position, which are taken together. Chains end
//! where the turn ends, and their last position is valued by [`Game::evaluation`] or by playouts. (The search of a player of
//! CodinGame's contest Green Circle, 16th of 1,758, 2022.)
//!
//! Each action has a search of its own ([`Chains`]) with random numbers of its own, and all get the same number of chains in
//! each round, but for those that are fully searched. Where few searches are left, the largest is split between rounds into one for
//! each of its next actions ([`Knots`] puts together what they find), so that there is work for many threads to the end. Who
//! searches what does not depend on their number, so the result of an iteration budget does not either, and no thread ever waits
//! for another within a round.
//!
//! Where something is hidden, chains are followed in one position that is drawn from what the player knows, and each playout
//! begins with another.

mod knots;

use parking_lot::Mutex;

use self::knots::Knots;
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
    /// The most actions of a chain, those of chance included; at least 1.
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

/// As long as fewer searches are open, the largest is split.
const WANTED: usize = 16;

/// No search of fewer nodes is split.
const LEAST_SPLIT: usize = 128;

/// Chains that begin alike.
struct Branch<G: Game> {
    chains: Chains<G>,
    /// The place of the first action among the legal ones.
    action: usize,
    /// Where its value belongs.
    knot: usize,
    /// How many actions lead there.
    level: usize,
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
        let knots = Mutex::new(Knots::new(task.actions.len()));
        let mut branches: Vec<Branch<G>> = (0..task.actions.len()).map(|n| self.branch(task, &hands, n)).collect();
        let mut slice = FIRST_SLICE;
        loop {
            self.share_memory(&mut branches);
            let mut plan = plan(task, &mut branches, slice);
            if plan.is_empty() {
                if branches.iter().any(|branch| branch.is_full) {
                    task.progress.course.stop(StopReason::MemoryFull);
                }
                return;
            }
            let plan: Vec<_> = plan.iter_mut().map(Mutex::new).collect();
            task.map(plan.len(), None, &|hands, n| {
                let (branch, share) = &mut **plan[n].lock();
                self.search(task, hands, &knots, branch, *share);
            });
            task.progress.found(|found| found.bytes = found.bytes.max(bytes(&branches)));
            if task.progress.is_done() {
                return;
            }
            // Knots keep what others have found, and their memory is for those that had none.
            let before = branches.len();
            branches.retain(|branch| branch.is_open() || branch.is_full);
            if branches.len() < before {
                branches.iter_mut().for_each(|branch| branch.is_full = false);
            }
            self.split(&mut knots.lock(), &mut branches);
            slice = (2 * slice).min(MOST_SLICE);
        }
    }
}

/// Which branches are searched in the next round, and how many chains of each: as many for each action, shared by its branches.
fn plan<'b, G: Game>(task: &Task<G>, branches: &'b mut [Branch<G>], slice: u64) -> Vec<(&'b mut Branch<G>, u64)> {
    let mut counts = vec![0; task.actions.len()];
    branches.iter().filter(|branch| branch.is_open()).for_each(|branch| counts[branch.action] += 1);
    let open = counts.iter().filter(|&&count| count > 0).count().max(1) as u64;
    let room = task.progress.room();
    let mut more = room % open;
    let shares: Vec<u64> = counts
        .iter()
        .map(|&count| {
            let extra = u64::from(count > 0 && more > 0);
            more -= extra;
            slice.min(room / open + extra)
        })
        .collect();
    let mut places = vec![0; counts.len()];
    let open = branches.iter_mut().filter(|branch| branch.is_open());
    open.map(|branch| {
        let (share, count, place) = (shares[branch.action], counts[branch.action], places[branch.action]);
        places[branch.action] += 1;
        (branch, share * (place + 1) / count - share * place / count)
    })
    .collect()
}

/// The memory that branches take.
fn bytes<G: Game>(branches: &[Branch<G>]) -> usize {
    branches.iter().map(|branch| branch.chains.bytes()).sum()
}

impl Exhaustive {
    fn branch<G: Game>(&self, task: &Task<G>, hands: &Hands<G>, number: usize) -> Branch<G> {
        let (mut start, action) = (hands.position.clone(), task.actions[number]);
        start.apply(action);
        let (depth, rng) = (self.depth.saturating_sub(1) as usize, task.rng(number as u64 + 1));
        let chains = Chains::new(start, action, task.player, depth, 0, rng);
        Branch { chains, action: number, knot: number, level: 1, is_full: false }
    }

    /// Splits the largest branches until there are enough, as long as there is memory for a copy.
    fn split<G: Game>(&self, knots: &mut Knots, branches: &mut Vec<Branch<G>>) {
        while branches.iter().filter(|branch| branch.is_open()).count() < WANTED {
            let sizes = branches.iter().map(|branch| if branch.is_open() { branch.chains.size() } else { 0 });
            // Of equals the first.
            let largest = sizes.enumerate().max_by_key(|&(place, size)| (size, std::cmp::Reverse(place)));
            let Some((place, _)) = largest.filter(|&(_, size)| size >= LEAST_SPLIT) else { return };
            if branches[place].chains.bytes() > self.memory.saturating_sub(bytes(branches)) {
                return;
            }
            let Branch { chains, action, knot, level, .. } = branches.remove(place);
            let (is_luck, next) = chains.split();
            let first = knots.split(knot, is_luck, next.iter().map(|next| (next.weight, next.value)));
            let open = next.into_iter().enumerate().filter_map(|(n, next)| Some((first + n, next.chains?)));
            branches.extend(open.map(|(knot, chains)| Branch {
                chains,
                action,
                knot,
                level: level + 1,
                is_full: false,
            }));
        }
    }

    /// What memory is left is for all branches that are open.
    fn share_memory<G: Game>(&self, branches: &mut [Branch<G>]) {
        let left = self.memory.saturating_sub(bytes(branches));
        let open = branches.iter().filter(|branch| branch.is_open()).count().max(1);
        for branch in branches.iter_mut().filter(|branch| branch.is_open()) {
            branch.chains.limit(branch.chains.bytes() + left / open);
        }
    }

    /// Searches some more chains of a branch and tells what they came to.
    fn search<G: Game>(
        &self,
        task: &Task<G>,
        hands: &mut Hands<G>,
        knots: &Mutex<Knots>,
        branch: &mut Branch<G>,
        share: u64,
    ) {
        let playouts = if self.playouts == 0 && !G::EVALUATES { 1 } else { self.playouts };
        let at_once = if playouts == 0 { AT_ONCE } else { 1 };
        let mut leaf = |position: &G, rng: &mut Rng| match position.turn() {
            Turn::Over => position.reward(task.player),
            _ if playouts == 0 => position.evaluation(task.player),
            _ => (0..playouts).map(|_| play_out(task, hands, position, rng)).sum::<f64>() / f64::from(playouts),
        };
        let mut left = share;
        while left > 0 && branch.is_open() && !task.progress.course.is_over() {
            let made = branch.chains.made();
            let most = made + at_once.min(left);
            while branch.is_open() && branch.chains.made() < most {
                branch.is_full = branch.chains.descend(most - branch.chains.made(), &mut leaf) == Descent::Full;
            }
            left = (left + made).saturating_sub(branch.chains.made());
            branch.tell(task, knots, made);
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

    /// Tells what was found since there were so many chains.
    fn tell(&self, task: &Task<G>, knots: &Mutex<Knots>, made: u64) {
        let Some(value) = self.chains.value() else { return };
        // Held until all is told, so that nobody tells an older value later.
        let mut knots = knots.lock();
        let value = knots.found(self.knot, value);
        // An evaluation may be on any scale. Lines are put in order by what it says, and shown as near to it as rewards allow.
        let rewards = Rewards { halves: false, ..G::REWARDS };
        let (shown, _) = to_units(&rewards, value, units::<G>());
        task.progress.found(|found| {
            let made = self.chains.made() - made;
            found.iterations += made;
            found.depth = found.depth.max((self.level + self.chains.longest()) as u32);
            let line = &mut found.lines[self.action];
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
