//! What a search found, as plain data.

use std::fmt;

use crate::budget::StopReason;

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<A> {
    /// The move to play; `None` where there is none or nothing was searched.
    pub best: Option<Move<A>>,
    /// Every legal action, most playouts first.
    pub children: Vec<Child<A>>,
    /// The principal variation: the best move, the most played answer to it, and so on, while one is played most.
    pub pv: Vec<Move<A>>,
    /// Whether means are scores of the game's own, and not shares of a win.
    pub scores: bool,
    /// The best playout of this search, in a game for one: a plan to its end.
    pub best_playout: Option<Plan<A>>,
    /// Playouts this search made; a beam counts the positions it made too.
    pub iterations: u64,
    /// Playouts that were in the tree before, kept from earlier searches.
    pub inherited: u64,
    /// Playouts made in a second.
    pub playouts_per_second: f64,
    /// Plies of the longest line in the tree that this search went down; of a beam its complete layers.
    pub depth: u32,
    /// Bytes of memory the tree has taken, those included that fell out of use and wait to be used again.
    pub bytes: usize,
    /// How long the search took.
    pub seconds: f64,
    /// Why it ended.
    pub stop: StopReason,
    /// What its user should know.
    pub warnings: Vec<Warning>,
}

/// An action and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<A> {
    /// The action.
    pub action: A,
    /// Its text.
    pub text: String,
}

/// A way from the position that was searched to the end of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<A> {
    /// What the game is worth at its end.
    pub score: f64,
    /// The moves, outcomes of chance included.
    pub moves: Vec<Move<A>>,
}

/// One legal action of the position that was searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Child<A> {
    /// The action.
    pub action: A,
    /// Its text.
    pub text: String,
    /// Playouts that began with it.
    pub playouts: u64,
    /// Their mean reward for the player to move, 0 where there are none.
    pub mean: f64,
    /// What it is worth for certain, where that is known: the game is over after it, or the solver has proven it.
    pub proven: Option<f64>,
    /// How often the average strategy plays it, where regrets are matched.
    pub strategy: Option<f64>,
}

/// Something the user of a search should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// More threads were asked for than there are cores.
    MoreThreadsThanCores {
        /// What was asked for.
        threads: usize,
        /// What there is.
        cores: usize,
    },
    /// The tree used up its memory and stopped growing.
    MemoryFull,
    /// A playout went on after the game's declared maximum and was cut.
    PlayoutCut,
    /// A reward was no number, or not what the game declares; the nearest one was taken.
    RewardClamped,
    /// A player was to move and had no legal action; the game was scored as if cut.
    NoLegalAction,
    /// It was the turn of a player the game does not have.
    UnknownPlayer,
    /// Players did not act in turn though the game declares that they do, so rewards went to the wrong ones.
    OutOfTurn,
    /// Chance did something that the game does not list as an outcome there.
    UnlistedOutcome,
    /// It is known for certain what the position comes to.
    Solved,
    /// The tree reached only so many plies, and the game goes on.
    Shallow {
        /// Plies of the longest line.
        depth: u32,
    },
    /// All moves got about as many playouts, though their means differ: C is large for these rewards.
    TooMuchExploration,
    /// Most moves were given up after three playouts: C is small for these rewards.
    TooLittleExploration {
        /// How many moves.
        given_up: usize,
    },
    /// Nearly all time goes to playouts, and they are slow.
    SlowPlayouts {
        /// How long one takes.
        microseconds: u64,
    },
    /// Threads of a batched search waited for each other.
    ThreadsWait {
        /// How much of the time they played out, in percent.
        busy: u32,
    },
    /// The budget ended before a beam was as deep as it may go.
    BeamCut {
        /// Complete layers.
        reached: u32,
        /// Layers it may have.
        asked: u32,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::MoreThreadsThanCores { threads, cores } => {
                write!(f, "{threads} threads share {cores} cores, which is slower than {cores} threads would be")
            }
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
            Warning::Solved => f.write_str("the position is solved, so more search would find nothing more"),
            Warning::Shallow { depth } => write!(
                f,
                "the tree is only {depth} plies deep, so answers to answers were not seen; give it more time, a smaller c, \
                 or fewer moves to choose from"
            ),
            Warning::TooMuchExploration => f.write_str(
                "all moves got about as many playouts though their means differ; a smaller c would look closer at the best",
            ),
            Warning::TooLittleExploration { given_up } => {
                write!(f, "{given_up} moves were given up after three playouts or fewer; a larger c would give them a chance")
            }
            Warning::SlowPlayouts { microseconds } => write!(
                f,
                "nearly all time goes to playouts of {microseconds} microseconds each; only a faster game makes more of them"
            ),
            Warning::ThreadsWait { busy } => write!(
                f,
                "threads played out for {busy} % of the time and waited for the rest; a larger batch or parallel=shared \
                 would use them better"
            ),
            Warning::BeamCut { reached, asked } => {
                write!(
                    f,
                    "the budget ended when the beam was {reached} actions deep of {asked}; make it narrower to go deeper"
                )
            }
            Warning::UnlistedOutcome => {
                f.write_str("the game drew an outcome of chance that it does not list; playouts began before it")
            }
        }
    }
}

impl<A: Copy> Report<A> {
    /// The action to play.
    pub fn best_action(&self) -> Option<A> {
        self.best.as_ref().map(|best| best.action)
    }

    /// The best move's line in [`children`](Report::children).
    pub fn best_child(&self) -> Option<&Child<A>> {
        let best = self.best.as_ref()?;
        self.children.iter().find(|child| child.text == best.text)
    }

    /// A mean as text: a share of a win in percent, or a score.
    pub fn worth(&self, mean: f64) -> String {
        if self.scores { format!("{mean:.2}") } else { format!("{:.1} %", mean * 100.0) }
    }

    /// The principal variation as text.
    pub fn line(&self) -> String {
        self.pv.iter().map(|step| step.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// The best move and its line, then a line for each action, then how the search went.
impl<A: Copy> fmt::Display for Report<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best_child() {
            Some(best) => writeln!(f, "best {}, {}, line {}", best.text, self.worth(best.mean), self.line())?,
            None => writeln!(f, "no move to play")?,
        }
        for child in &self.children {
            writeln!(f, "{:>8} {:>11} {:>8}", child.text, child.playouts, self.worth(child.mean))?;
        }
        write!(
            f,
            "{} playouts in {:.3} s, {:.0} a second, depth {}, {} KiB, ended by {}",
            self.iterations,
            self.seconds,
            self.playouts_per_second,
            self.depth,
            self.bytes.div_ceil(1024),
            self.stop
        )?;
        if self.inherited > 0 {
            write!(f, ", {} playouts inherited", self.inherited)?;
        }
        self.warnings.iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}
