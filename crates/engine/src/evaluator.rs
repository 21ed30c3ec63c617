//! Evaluators: the value of a leaf, and the priors of its actions, without playing the game out.
//!
//! A search that has an evaluator ([`Search::with_evaluator`](crate::Search::with_evaluator)) asks it for the value of
//! each leaf instead of a playout, or beside one ([`Settings::mix`](crate::Settings::mix)). Leaves come in batches,
//! because an evaluator that is a network, or another process, takes about as long for many as for one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::notation::counted;
use crate::run::RunStatus;
use crate::{Game, MAX_PLAYERS, Session};

/// The knowledge of an evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knowledge {
    /// There is no evaluator.
    #[default]
    None,
    /// The value of a leaf for each player.
    Values,
    /// The value of a leaf, and a prior for each of its actions.
    ValuesAndPriors,
}

/// A leaf that waits for its evaluation. The game is not over there.
#[derive(Debug)]
pub struct Leaf<'l, G: Game> {
    /// The position.
    pub position: &'l G,
    /// The legal actions, as [`Game::actions`] lists them. Empty where chance acts, where the evaluator does not expand
    /// the position, and for an evaluator without priors.
    pub actions: &'l [G::Action],
    /// The seed of the random numbers of this evaluation. It is another one for each simulation. In a batched search it
    /// does not depend on the number of threads.
    pub seed: u64,
    pub(crate) end: &'l SearchEnd<'l>,
}

impl<G: Game> Leaf<'_, G> {
    /// Returns true if the search has to end. A long evaluation asks now and then, at most every microsecond, because
    /// this reads the clock, and breaks off with any value: the search drops the batch.
    pub fn is_over(&self) -> bool {
        self.end.is_over()
    }
}

/// The end of a search, as the evaluations of one batch see it.
pub(crate) struct SearchEnd<'s> {
    status: &'s RunStatus,
    /// True once an evaluation has seen the end.
    is_seen: AtomicBool,
}

impl fmt::Debug for SearchEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchEnd").field("is_seen", &self.is_seen).finish_non_exhaustive()
    }
}

impl<'s> SearchEnd<'s> {
    pub(crate) fn of(status: &'s RunStatus) -> SearchEnd<'s> {
        SearchEnd { status, is_seen: AtomicBool::new(false) }
    }

    fn is_over(&self) -> bool {
        let is_over = self.status.is_over();
        if is_over {
            self.is_seen.store(true, Relaxed);
        }
        is_over
    }

    /// Returns true if an evaluation has seen the end and may have broken off.
    pub(crate) fn is_seen(&self) -> bool {
        self.is_seen.load(Relaxed)
    }
}

/// Knowledge of a game that takes the place of playouts.
///
/// The evaluation of a leaf must not depend on the other leaves of its batch. One that depends on chance draws its
/// random numbers from [`Leaf::seed`]. All threads of a search share the
/// evaluator and call it at the same time. A panic, a value that is not finite, a wrong number of evaluations, values
/// or priors, and a negative prior end the search with [`SearchError::Evaluator`](crate::SearchError::Evaluator). A
/// value outside of the bounds of [`Game::REWARDS`] is clamped and warned of, as a reward is.
///
/// ```
/// use std::sync::Arc;
///
/// use boughs::{Budget, Evaluations, Evaluator, Game, Leaf, Search, Settings, Turn};
///
/// #[derive(Clone)]
/// struct Nim { stones: u8, player: usize }
///
/// impl Game for Nim {
///     type Action = u8;
///     fn turn(&self) -> Turn { if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) } }
///     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(3)); }
///     fn apply(&mut self, take: u8) { self.stones -= take; self.player = 1 - self.player; }
///     fn reward(&self, player: usize) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// }
///
/// /// The player to move loses if the number of stones is a multiple of four.
/// struct Theory;
///
/// impl Evaluator<Nim> for Theory {
///     fn evaluate(&self, leaves: &[Leaf<'_, Nim>], out: &mut Evaluations) {
///         for leaf in leaves {
///             let mut values = [0.9, 0.9];
///             let wins = leaf.position.stones % 4 > 0;
///             values[if wins { 1 - leaf.position.player } else { leaf.position.player }] = 0.1;
///             out.push(&values, &[]);
///         }
///     }
/// }
///
/// let nim = Nim { stones: 90, player: 0 };
/// let mut search = Search::with_evaluator(nim, Settings::default(), Arc::new(Theory))?;
/// let report = search.run(Budget::iterations(50))?;
/// assert_eq!(report.best_action(), Some(2u8));
/// # Ok::<(), boughs::SearchError>(())
/// ```
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// The knowledge of the evaluator: values alone, unless an implementation says otherwise.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Values
    }

    /// Returns false if the tree ends at a position, although the game goes on there (a horizon). Such a leaf has no
    /// children and is evaluated anew at each visit. For positions that a search hardly ever reaches twice, such as
    /// those after a draw of many cards. The root is always expanded.
    fn expands(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// Pushes the evaluation of each leaf, in their order.
    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations);
}

/// An evaluator of any game: it knows positions by the trait [`Session`] and actions by their codes.
/// [`Session::tree_search_with`] searches by it.
///
/// What an [`Evaluator`] must and must not do holds for it too.
pub trait SessionEvaluator: Send + Sync + 'static {
    /// The knowledge of the evaluator: values alone, unless an implementation says otherwise.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Values
    }

    /// Pushes the evaluation of each position, in their order. Priors are those of the actions of a player, as
    /// [`Position::actions`](crate::Position::actions) lists them, and empty where chance acts.
    fn evaluate(&self, positions: &[&dyn Session], out: &mut Evaluations);
}

/// An evaluator of any game as that of one.
pub(crate) struct OfSessions(pub(crate) Arc<dyn SessionEvaluator>);

impl<G: Game> Evaluator<G> for OfSessions {
    fn knowledge(&self) -> Knowledge {
        self.0.knowledge()
    }

    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        let positions: Vec<&dyn Session> = leaves.iter().map(|leaf| leaf.position as &dyn Session).collect();
        self.0.evaluate(&positions, out);
    }
}

/// The evaluations of a batch of leaves.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    values: Vec<f64>,
    priors: Vec<f32>,
    /// The ends of each leaf's values and priors in the lists.
    ends: Vec<[usize; 2]>,
}

impl Evaluations {
    /// Adds the evaluation of the next leaf: the value for each player, as [`Game::reward`] counts, and a prior for
    /// each action of the leaf. Priors are at least 0; the search divides them by their sum, and takes all actions for
    /// equal if that is 0.
    pub fn push(&mut self, values: &[f64], priors: &[f32]) {
        self.values.extend_from_slice(values);
        self.priors.extend_from_slice(priors);
        self.ends.push([self.values.len(), self.priors.len()]);
    }

    /// The number of evaluations.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The values and the priors of leaf number `leaf`, as they were pushed.
    pub fn get(&self, leaf: usize) -> Option<(&[f64], &[f32])> {
        let [values, priors] = *self.ends.get(leaf)?;
        let [first_value, first_prior] = leaf.checked_sub(1).map_or([0, 0], |before| self.ends[before]);
        Some((&self.values[first_value..values], &self.priors[first_prior..priors]))
    }

    /// Removes all evaluations and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Checks that there is one evaluation for each of `leaves` leaves.
    pub(crate) fn check_count(&self, leaves: usize) -> Result<(), Malformed> {
        if self.len() == leaves { Ok(()) } else { Err(Malformed::Count { leaves, evaluations: self.len() }) }
    }

    /// Takes over the evaluation of leaf number `leaf`, which has `actions` actions and `players` players. The priors
    /// are divided by their sum.
    pub(crate) fn take(
        &self,
        leaf: usize,
        (players, actions): (usize, usize),
        values: &mut [f64; MAX_PLAYERS],
        priors: &mut Vec<f32>,
    ) -> Result<(), Malformed> {
        let (own_values, own_priors) = self.get(leaf).unwrap_or_default();
        if own_values.len() != players {
            return Err(Malformed::Values { players, values: own_values.len() });
        }
        if own_priors.len() != actions {
            return Err(Malformed::Priors { actions, priors: own_priors.len() });
        }
        if let Some(&value) = own_values.iter().find(|value| !value.is_finite()) {
            return Err(Malformed::Value(value));
        }
        if let Some(&prior) = own_priors.iter().find(|prior| !(0.0..=f32::MAX).contains(*prior)) {
            return Err(Malformed::Prior(prior));
        }
        values[..players].copy_from_slice(own_values);
        let sum: f64 = own_priors.iter().map(|&prior| f64::from(prior)).sum();
        let equal = 1.0 / actions.max(1) as f32;
        priors.clear();
        priors.extend(own_priors.iter().map(|&prior| if sum > 0.0 { (f64::from(prior) / sum) as f32 } else { equal }));
        Ok(())
    }
}

/// A fault in what an evaluator returns. `Display` gives one sentence that names the fault and its cure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Malformed {
    Count { leaves: usize, evaluations: usize },
    Values { players: usize, values: usize },
    Priors { actions: usize, priors: usize },
    Value(f64),
    Prior(f32),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Malformed::Count { leaves, evaluations } => {
                let evaluations = counted(evaluations, "evaluations");
                write!(f, "it pushes {evaluations} for a batch of {leaves}; push one for each leaf")
            }
            Malformed::Values { players, values } => {
                let (values, players) = (counted(values, "values"), counted(players, "players"));
                write!(f, "it gives {values} in a game of {players}; give one for each player")
            }
            Malformed::Priors { actions, priors } => {
                let (priors, actions) = (counted(priors, "priors"), counted(actions, "actions"));
                write!(f, "it gives {priors} for {actions}; give one for each action of the leaf")
            }
            Malformed::Value(value) => write!(f, "it gives the value {value}; give a finite number"),
            Malformed::Prior(prior) => write!(f, "it gives the prior {prior}; give a number of at least 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(values: &[f64], priors: &[f32], actions: usize) -> Result<([f64; 2], Vec<f32>), Malformed> {
        let mut evaluations = Evaluations::default();
        evaluations.push(&[0.5, 0.5], &[9.0, 9.0]);
        evaluations.push(values, priors);
        let (mut all, mut normal) = ([0.0; MAX_PLAYERS], vec![7.0]);
        evaluations.take(1, (2, actions), &mut all, &mut normal)?;
        Ok(([all[0], all[1]], normal))
    }

    #[test]
    fn priors_are_divided_by_their_sum() {
        assert_eq!(taken(&[0.25, 0.75], &[1.0, 0.0, 3.0], 3), Ok(([0.25, 0.75], vec![0.25, 0.0, 0.75])));
        assert_eq!(taken(&[0.0, 1.0], &[0.0, 0.0], 2), Ok(([0.0, 1.0], vec![0.5, 0.5])));
        assert_eq!(taken(&[0.0, 1.0], &[f32::MAX, f32::MAX], 2), Ok(([0.0, 1.0], vec![0.5, 0.5])));
        assert_eq!(taken(&[0.0, 1.0], &[], 0), Ok(([0.0, 1.0], vec![])));
    }

    #[test]
    fn faults_are_named_with_their_cure() {
        let fault = |values: &[f64], priors: &[f32]| taken(values, priors, 2).unwrap_err().to_string();
        assert_eq!(fault(&[0.5], &[1.0, 1.0]), "it gives 1 value in a game of 2 players; give one for each player");
        assert_eq!(fault(&[0.5, 0.5], &[1.0]), "it gives 1 prior for 2 actions; give one for each action of the leaf");
        assert_eq!(fault(&[f64::NAN, 0.5], &[1.0, 1.0]), "it gives the value NaN; give a finite number");
        assert_eq!(fault(&[0.5, 0.5], &[-1.0, 2.0]), "it gives the prior -1; give a number of at least 0");
        assert_eq!(fault(&[0.5, 0.5], &[f32::NAN, 2.0]), "it gives the prior NaN; give a number of at least 0");
        assert_eq!(fault(&[0.5, 0.5], &[f32::INFINITY, 2.0]), "it gives the prior inf; give a number of at least 0");
        assert_eq!(
            Evaluations::default().check_count(3).unwrap_err().to_string(),
            "it pushes 0 evaluations for a batch of 3; push one for each leaf"
        );
    }
}
