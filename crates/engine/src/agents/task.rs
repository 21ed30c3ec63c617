//! One search of an agent that compares lines of play by playouts: what is asked, how work is shared by threads, and what
//! has been found by now.
//!
//! Whoever waits for the search reads what has been found at any time, so the answer is there at the deadline, whatever a
//! playout is doing. Rewards are summed as integers and every playout draws from the stream of its own number, so that under
//! an iteration budget the result does not depend on the number of threads or their timing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rayon::prelude::*;

use super::found::Progress;
use crate::clock::now;
use crate::playout::End;
use crate::report::Warning;
use crate::scale::{to_reward, to_units};
use crate::tree::Layout;
use crate::{Action, Game, Information, Playout, Rng, Turn};

/// How long a thread keeps to itself what it has found.
const TELLS_APART: Duration = Duration::from_micros(50);

/// The most playouts a thread takes at a time.
const MOST_AT_ONCE: u64 = 16;

/// What is asked, and what has been found.
pub(super) struct Task<G: Game> {
    pub(super) position: G,
    /// Who acts there.
    pub(super) player: usize,
    /// Every legal action.
    pub(super) actions: Vec<G::Action>,
    pub(super) playout: Arc<dyn Playout<G>>,
    pub(super) threads: usize,
    /// The seed of this search.
    pub(super) seed: u64,
    pub(super) progress: Progress,
}

/// A playout to make: of which line, and with the random numbers of which stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) line: usize,
    pub(super) stream: u64,
}

/// Which playouts to make.
pub(super) struct Plan<'p> {
    /// How many, unless the search is over before.
    pub(super) count: u64,
    /// Or until when.
    pub(super) until: Option<Instant>,
    /// The playout of each number below the count.
    pub(super) slot: &'p (dyn Fn(u64) -> Slot + Sync),
}

/// What a thread works with.
pub(super) struct Hands<G: Game> {
    pub(super) position: G,
    pub(super) rng: Rng,
    pub(super) scratch: Vec<G::Action>,
    /// How many actions were played since the position that was asked about.
    pub(super) plies: u32,
    /// Their codes, where they are wanted.
    pub(super) moves: Option<Vec<u32>>,
    /// The best reward this thread knows of, where they are.
    best: f64,
}

impl<G: Game> Hands<G> {
    /// Plays an action.
    pub(super) fn apply(&mut self, action: G::Action) {
        self.position.apply(action);
        self.plies += 1;
        if let Some(moves) = &mut self.moves {
            moves.push(action.code());
        }
    }
}

impl<G: Game> Task<G> {
    /// Whether the best playout is worth keeping: in a game for one that knows everything it is a plan.
    pub(super) fn wants_plan(&self) -> bool {
        G::INFORMATION == Information::Perfect && self.position.players() == 1
    }

    pub(super) fn hands(&self) -> Hands<G> {
        Hands {
            position: self.position.clone(),
            rng: self.rng(0),
            scratch: Vec::new(),
            plies: 0,
            moves: self.wants_plan().then(Vec::new),
            best: f64::NEG_INFINITY,
        }
    }

    pub(super) fn rng(&self, stream: u64) -> Rng {
        Rng::new(self.seed, stream)
    }

    /// Lets every thread do this, and waits for all. A panic of the game ends the search.
    fn all_hands(&self, work: &(dyn Fn() + Sync)) {
        let guarded = |_| {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                self.progress.course.panicked(crate::panic_text(&*panic));
            }
        };
        (0..self.threads).into_par_iter().with_max_len(1).for_each(guarded);
    }

    /// Makes something of each number below `count`, in parallel; nothing of those for which there was no time.
    pub(super) fn map<T: Send>(
        &self,
        count: usize,
        until: Option<Instant>,
        make: &(dyn Fn(&mut Hands<G>, usize) -> T + Sync),
    ) -> Vec<Option<T>> {
        let next = AtomicUsize::new(0);
        let made = Mutex::new(Vec::new());
        self.all_hands(&|| {
            let mut hands = self.hands();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= count || self.progress.course.is_over() || is_past(until) {
                    break;
                }
                let thing = make(&mut hands, number);
                made.lock().push((number, thing));
            }
        });
        let mut things: Vec<Option<T>> = (0..count).map(|_| None).collect();
        made.into_inner().into_iter().for_each(|(number, thing)| things[number] = Some(thing));
        things
    }

    /// Makes the playouts of a plan in the order of their numbers, each from where `begin` puts it.
    pub(super) fn play(&self, plan: &Plan<'_>, begin: &(dyn Fn(&mut Hands<G>, usize) + Sync)) {
        let next = AtomicU64::new(0);
        let end = [plan.until, self.progress.course.deadline()].into_iter().flatten().min();
        self.all_hands(&|| {
            let (mut hands, mut news, mut time) = (self.hands(), Vec::new(), now());
            let mut told = time;
            'work: loop {
                let left = plan.count.saturating_sub(next.load(Relaxed));
                let several = (left / (8 * self.threads as u64)).clamp(1, MOST_AT_ONCE);
                let first = next.fetch_add(several, Relaxed);
                if first >= plan.count {
                    break;
                }
                for number in first..first.saturating_add(several).min(plan.count) {
                    if self.progress.course.is_stopped() || end.is_some_and(|end| end <= time) {
                        // If it is the deadline, that is why the search ends.
                        self.progress.course.is_over();
                        break 'work;
                    }
                    news.push(self.play_one((plan.slot)(number), &mut hands, begin));
                    time = now();
                    if time.duration_since(told) >= TELLS_APART {
                        told = time;
                        self.tell(&mut news);
                    }
                }
            }
            self.tell(&mut news);
        });
    }

    /// Makes one playout, and says of which line and what it came to, in units.
    fn play_one(
        &self,
        slot: Slot,
        hands: &mut Hands<G>,
        begin: &(dyn Fn(&mut Hands<G>, usize) + Sync),
    ) -> (usize, u64) {
        hands.rng = self.rng(slot.stream);
        hands.plies = 0;
        if let Some(moves) = &mut hands.moves {
            moves.clear();
        }
        begin(hands, slot.line);
        let limit = G::MAX_PLIES.saturating_sub(hands.plies);
        let Hands { position, rng, scratch, moves, .. } = hands;
        let end = self.playout.play(position, rng, scratch, limit, moves.as_mut());
        let reward = self.reward(position, end);
        if let Some(moves) = moves
            && reward >= hands.best
        {
            hands.best = reward;
            self.progress.found(|found| found.offer(reward, moves));
        }
        (slot.line, self.units(reward))
    }

    fn tell(&self, news: &mut Vec<(usize, u64)>) {
        self.progress.found(|found| news.drain(..).for_each(|(line, units)| found.add(line, units)));
    }

    /// What a position is worth to the player, now that a playout has ended there.
    pub(super) fn reward(&self, position: &G, end: End) -> f64 {
        match end {
            End::Over => return position.reward(self.player),
            End::Cut => self.progress.course.warn(&Warning::PlayoutCut),
            End::Stuck => self.progress.course.warn(&Warning::NoLegalAction),
        }
        position.cut_reward(self.player)
    }

    fn units(&self, reward: f64) -> u64 {
        let (units, declared) = to_units(&G::REWARDS, reward, units::<G>());
        if !declared {
            self.progress.course.warn(&Warning::RewardClamped);
        }
        units
    }

    /// A reward, or instead of one that the game does not declare the nearest that it does.
    pub(super) fn declared(&self, reward: f64) -> f64 {
        to_reward(&G::REWARDS, self.units(reward).cast_signed() as f64 / units::<G>())
    }

    /// Puts a thread into a position that the player cannot tell from the true one, at the player's turn.
    pub(super) fn imagine(&self, hands: &mut Hands<G>) -> Option<End> {
        hands.position.clone_from(&self.position);
        hands.plies = 0;
        if G::INFORMATION == Information::Perfect {
            return None;
        }
        hands.position.determinise(self.player, &mut hands.rng);
        self.pass(hands)
    }

    /// Lets others and chance act, as in a playout, until it is the player's turn, or says how the game has ended before.
    pub(super) fn pass(&self, hands: &mut Hands<G>) -> Option<End> {
        while hands.plies < G::MAX_PLIES {
            let Hands { position, rng, scratch, .. } = &mut *hands;
            let action = match position.turn() {
                Turn::Over => return Some(End::Over),
                Turn::Player(player) if player == self.player => return None,
                Turn::Player(_) => self.playout.choose(position, rng, scratch),
                Turn::Chance => position.chance(rng, scratch),
            };
            let Some(action) = action else { return Some(End::Stuck) };
            hands.apply(action);
        }
        Some(End::Cut)
    }
}

/// How many units make a reward of 1, or the greatest reward where bounds are declared.
pub(super) fn units<G: Game>() -> f64 {
    let layout = if G::REWARDS.bounds.is_some() { Layout::Wide } else { Layout::Scores };
    layout.units()
}

fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| time <= now())
}
