//! The result of a search, as plain data.

use std::fmt;

use crate::Action;
use crate::budget::StopReason;
use crate::notation::counted;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The move to play. `None` if there is no legal move, or there are several and nothing was searched.
    pub best: Option<Move>,
    /// Every legal action, most playouts first. An agent that does not go by playouts has its best action first.
    pub children: Vec<Child>,
    /// The principal variation: the best move, the answer with the most playouts, and so on.
    pub pv: Vec<Move>,
    /// True if means are scores of the game, false if they are win rates in 0..=1.
    pub scores: bool,
    /// True if the mean of an action is over its playouts, each of which is one sample: in `mcts` without regret
    /// matching, and in `flat`. Other agents have means of part of their playouts, or values of positions.
    pub has_samples: bool,
    /// The best playout of this search in a game for one player: a plan to the end of the game.
    pub best_playout: Option<Plan>,
    /// The number of playouts of this search. For a beam search, the number of playouts and positions.
    pub iterations: u64,
    /// The number of playouts in the tree from earlier searches.
    pub inherited: u64,
    /// The number of playouts a second.
    pub playouts_per_second: f64,
    /// The length of this search's longest path in the tree, in plies. For a beam search, the number of complete
    /// layers.
    pub depth: u32,
    /// The memory in use by the tree, in bytes. Free memory between its nodes does not count, so a full tree whose
    /// bytes are far below its bound has lost memory. Subtrees dropped by [`advance`](crate::Search::advance) count
    /// until their memory is needed.
    pub bytes: usize,
    /// The duration of the search in seconds.
    pub seconds: f64,
    /// The reason why the search ended.
    pub stop: StopReason,
    /// Remarks on the search, for its user.
    pub warnings: Vec<Warning>,
}

/// An action and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The code of the action.
    pub action: u32,
    /// Its text.
    pub text: String,
}

/// The answer of an agent, without the rest of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The codes of the legal actions: the one to play, and then the others, most playouts first. Empty where a report
    /// has no best move.
    pub ranked: Vec<u32>,
    /// The number of playouts of this search, as in a report.
    pub iterations: u64,
}

impl From<&Report> for Choice {
    fn from(report: &Report) -> Choice {
        let Report { best, children, iterations, .. } = report;
        let examined = children.iter().map(|child| child.action);
        let ranked = best.as_ref().map(|best| Choice::ranked(best.action, examined));
        Choice { ranked: ranked.unwrap_or_default(), iterations: *iterations }
    }
}

impl Choice {
    /// Puts the action to play before the others.
    pub fn ranked(best: u32, examined: impl Iterator<Item = u32>) -> Vec<u32> {
        std::iter::once(best).chain(examined.filter(|&action| action != best)).collect()
    }
}

/// A sequence of moves from the searched position to the end of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The value of the game at its end.
    pub score: f64,
    /// The moves, outcomes of chance included.
    pub moves: Vec<Move>,
}

/// The statistics of one legal action of the searched position.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The code of the action.
    pub action: u32,
    /// Its text.
    pub text: String,
    /// The number of playouts through the action; 0 too if a search by values knows no more than a bound of its value.
    pub playouts: u64,
    /// Their mean reward for the player to move, 0 without playouts. Where there is a [`value`](Child::value), the
    /// reward nearest to it.
    pub mean: f64,
    /// The value by which a search without playouts compares the action with others, in the scale of
    /// [`Game::evaluation`](crate::Game::evaluation). It is no win rate. `None` in searches by playouts, and where the
    /// search has found the end of the game.
    pub value: Option<f64>,
    /// The proven value, if the action ends the game or the solver has proven it.
    pub proven: Option<f64>,
    /// The probability of the action in the average strategy of regret matching.
    pub strategy: Option<f64>,
    /// The expected moves after the action, if it is one of the ten with most playouts. Empty in games of imperfect
    /// information, where the next move depends on what its player sees.
    pub line: Vec<Step>,
}

/// A move of an expected line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The code of the action.
    pub action: u32,
    /// Its text.
    pub text: String,
    /// The number of playouts through it in this line.
    pub playouts: u64,
}

/// The most actions of a report that have an expected line.
pub(crate) const LINES: usize = 10;

/// A remark on a search, for its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The search has more threads than there are cores.
    MoreThreadsThanCores {
        /// The number of threads.
        threads: usize,
        /// The number of cores.
        cores: usize,
    },
    /// The system gives less memory for trees than the settings ask for.
    LessMemory {
        /// The memory of the settings in bytes.
        asked: usize,
        /// The memory of the trees in bytes.
        given: usize,
    },
    /// The tree used up its memory and stopped growing.
    MemoryFull,
    /// A playout reached [`Game::MAX_PLIES`](crate::Game::MAX_PLIES) and was cut.
    PlayoutCut,
    /// A reward was NaN or not as [`Game::REWARDS`](crate::Game::REWARDS) declares. The nearest declared reward was
    /// used.
    RewardClamped,
    /// A player had no legal action at their turn. The game was scored as if cut.
    NoLegalAction,
    /// [`Game::turn`](crate::Game::turn) named a player that the game does not have.
    UnknownPlayer,
    /// Players did not alternate, although the game declares it, so rewards went to the wrong players.
    OutOfTurn,
    /// Chance drew an outcome that the game does not list there.
    UnlistedOutcome,
    /// A playout of an earlier search was still running when this search began. It takes a core, and it keeps the tree
    /// of its search, so this one may have begun with an empty tree; both trees together may take twice
    /// [`Settings::memory`](crate::Settings::memory) while the playout goes on. If there was no other tree, this search
    /// waited for the playout, and may have made none of its own.
    PlayoutGoesOn,
    /// The value of the position is proven.
    Solved,
    /// The tree is shallow, and the game goes on below it.
    Shallow {
        /// The length of the longest path in plies.
        depth: u32,
    },
    /// All moves got about as many playouts, though their means differ: the exploration constant is too large.
    TooMuchExploration,
    /// Most moves were given up after three playouts: the exploration constant is too small.
    TooLittleExploration {
        /// The number of moves.
        given_up: usize,
    },
    /// Nearly all time goes to slow playouts.
    SlowPlayouts {
        /// The duration of a playout.
        microseconds: u64,
    },
    /// Threads of a batched search waited for each other.
    ThreadsWait {
        /// The share of the time that they spent on playouts, in percent.
        busy: u32,
    },
    /// The budget ended before a beam search reached its last layer.
    BeamCut {
        /// The number of complete layers.
        reached: u32,
        /// The number of layers in the settings.
        asked: u32,
    },
    /// Players choose at the same time, and a plain tree lets each know the choices before.
    SeesChoices,
    /// The actions of other players and of chance and hidden information are drawn once for all lines, so values are no
    /// values of the game.
    OneDraw,
    /// A search by values tells no actions apart.
    AllEqual,
    /// A rank of a search over several machines gave no sign in time, so the answer has what all had found
    /// before.
    RankLost,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::MoreThreadsThanCores { threads, cores } => {
                let (threads, these) = (counted(threads, "threads"), counted(cores, "cores"));
                write!(f, "{threads} share {these}, which is slower than {} would be", counted(cores, "threads"))
            }
            Warning::LessMemory { asked, given } => write!(
                f,
                "the system gives no {} MiB of memory, so the tree has {} MiB",
                asked.div_ceil(1 << 20),
                given.div_ceil(1 << 20)
            ),
            Warning::MemoryFull => f.write_str("the tree used up its memory and stopped growing; give it more"),
            Warning::PlayoutCut => f.write_str(
                "a playout was cut at the game's declared maximum of plies and scored as an unfinished game",
            ),
            Warning::RewardClamped => {
                f.write_str("the game gave a reward it does not declare, and the nearest declared one was taken")
            }
            Warning::NoLegalAction => {
                f.write_str("the game has a position where a player is to move without a legal action")
            }
            Warning::UnknownPlayer => f.write_str("the game has a position where a player is to move that it has not"),
            Warning::OutOfTurn => f.write_str(
                "players do not act in turn, but the game declares TurnOrder::Alternating: results are wrong",
            ),
            Warning::PlayoutGoesOn => f.write_str(
                "a playout of an earlier search was still running: it shares the cores and the memory, and this search \
                 may have begun late or with nothing",
            ),
            Warning::Solved => f.write_str("the position is solved, so more search would find nothing more"),
            Warning::Shallow { depth } => write!(
                f,
                "the depth of the tree is only {depth}, so answers to answers were not seen; give it more time, a \
                 smaller c, or fewer moves to choose from"
            ),
            Warning::TooMuchExploration => f.write_str(
                "all moves got about as many playouts though their means differ; a smaller c would look closer at the \
                 best",
            ),
            Warning::TooLittleExploration { given_up } => {
                write!(
                    f,
                    "the search gave up {} after three playouts or fewer; a larger c would give more of a chance",
                    counted(given_up, "moves")
                )
            }
            Warning::SlowPlayouts { microseconds } => write!(
                f,
                "nearly all time goes to playouts of {} each; only a faster game makes more \
                 of them",
                counted(microseconds, "microseconds")
            ),
            Warning::ThreadsWait { busy } => write!(
                f,
                "threads played out for {busy} % of the time and waited for the rest; a larger batch or \
                 parallel=shared \
                 would use them better"
            ),
            Warning::BeamCut { reached, asked } => {
                write!(
                    f,
                    "the budget ended when the beam had the depth {reached} of {asked}; make it narrower to go \
                     deeper"
                )
            }
            Warning::SeesChoices => f.write_str(
                "players choose at the same time here, and a plain tree lets each know the choices made before, so the \
                 values are wrong; other trees do not",
            ),
            Warning::OneDraw => f.write_str(
                "what chance does, and what others do or hide, is drawn once here, so these values hold for that draw \
                 alone; mcts looks at many draws and for the best answers of others",
            ),
            Warning::AllEqual => f.write_str(
                "this search tells no moves apart, so the first one is given; mcts tells them apart by playouts",
            ),
            Warning::RankLost => f.write_str(
                "another rank gave no sign in time, so this answer is degraded: it has what the ranks had \
                 merged before, and what this one has found",
            ),
            Warning::UnlistedOutcome => {
                f.write_str("the game drew an outcome of chance that it does not list; playouts began before it")
            }
        }
    }
}

impl Report {
    /// The action to play, in the game's own type: `let action: Option<u8> = report.best_action();`.
    pub fn best_action<A: Action>(&self) -> Option<A> {
        self.best.as_ref().map(|best| A::from_code(best.action))
    }

    /// The statistics of the best move, from [`children`](Report::children).
    pub fn best_child(&self) -> Option<&Child> {
        let best = self.best.as_ref()?;
        self.children.iter().find(|child| child.text == best.text)
    }

    /// Writes a mean as text: a win rate in percent, or a score.
    pub fn worth(&self, mean: f64) -> String {
        if self.scores { format!("{mean:.2}") } else { format!("{:.1} %", mean * 100.0) }
    }

    /// Writes the value of an action as text, or its mean where it has none.
    pub fn worth_of(&self, child: &Child) -> String {
        child.value.map_or_else(|| self.worth(child.mean), |value| format!("{value:.2}"))
    }

    /// The number of samples in the mean of an action, from which its confidence interval follows. `None` if the mean
    /// is not over samples, or the value of the action is proven.
    pub fn samples_of(&self, child: &Child) -> Option<u64> {
        let is_sampled = self.has_samples && child.proven.is_none() && child.playouts > 0;
        is_sampled.then_some(child.playouts)
    }

    /// The name of what [`worth_of`](Report::worth_of) writes for most actions: `value`, `score` or `win rate`.
    pub fn unit(&self) -> &'static str {
        match self.scores {
            _ if self.children.iter().any(|child| child.value.is_some()) => "value",
            true => "score",
            false => "win rate",
        }
    }

    /// The principal variation as text.
    pub fn line(&self) -> String {
        self.pv.iter().map(|step| step.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Writes the best move with its principal variation, a line for each action, and the figures of the search.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best_child() {
            Some(best) => writeln!(f, "best {}, {}, line {}", best.text, self.worth_of(best), self.line())?,
            None => writeln!(f, "no move to play")?,
        }
        for child in &self.children {
            writeln!(f, "{:>8} {:>11} {:>8}", child.text, child.playouts, self.worth_of(child))?;
        }
        write!(
            f,
            "{} in {:.3} s, {:.0} a second, depth {}, {} KiB, ended by {}",
            counted(self.iterations, "playouts"),
            self.seconds,
            self.playouts_per_second,
            self.depth,
            self.bytes.div_ceil(1024),
            self.stop
        )?;
        if self.inherited > 0 {
            write!(f, ", {} inherited", counted(self.inherited, "playouts"))?;
        }
        self.warnings.iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}
