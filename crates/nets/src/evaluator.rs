//! Networks as evaluators of leaves.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use boughs::spec::BUILT_IN;
use boughs::{Evaluations, Knowledge, Session, SessionEvaluator, Turn, named_file};
use boughs_games::GameEntry;

use crate::built_in::read_built_in;
use crate::error::NetError;
use crate::file;
use crate::judge::{Judge, Options, board, exp, reward};
use crate::network::Network;

/// A difference of two values that makes a prior e times as great: of two rewards from 0 to 1, and of two scores as a
/// share of the best one.
const TEMPERATURE: f32 = 0.15;
const SCORE_TEMPERATURE: f32 = 0.1;

thread_local! {
    /// The lists of moves and priors that the thread has used last.
    static SPARE: Cell<(Options, Vec<f32>)> = Cell::default();
}

/// Reads the network of the game that a position is of: a file whose name ends in `.onnx` is one of ONNX, any other one
/// of n-tuples, and [`BUILT_IN`] means the one that comes with the program.
///
/// # Errors
/// One sentence about the file, the game, or a program that is built without the feature `onnx`.
pub fn read_evaluator(position: &dyn Session, path: &Path) -> Result<Arc<dyn SessionEvaluator>, NetError> {
    if path == Path::new(BUILT_IN) {
        return read_built_in(position);
    }
    if path.extension().is_some_and(|ending| ending == "onnx") {
        return read_onnx(position, path);
    }
    Ok(Arc::new(NetEvaluator::read(position, path)?))
}

#[cfg(feature = "onnx")]
fn read_onnx(position: &dyn Session, path: &Path) -> Result<Arc<dyn SessionEvaluator>, NetError> {
    Ok(Arc::new(crate::onnx::OnnxEvaluator::read(position, path)?))
}

#[cfg(not(feature = "onnx"))]
fn read_onnx(_: &dyn Session, _: &Path) -> Result<Arc<dyn SessionEvaluator>, NetError> {
    Err(NetError::Onnx(
        "this program is built without ONNX; build it with 'cargo build --release --features onnx' \
         (docs/EVALUATORS.md)"
            .to_string(),
    ))
}

/// A network that values the leaves of a tree search.
///
/// A position in which a player acts is worth its best move. The network's priors are those of the moves; of one that
/// has learned none, the values of the moves make them. Where chance acts, a position of a game for one player is worth
/// the value of its board, and one of two players the mean of the positions that follow.
pub struct NetEvaluator(Judge);

impl std::fmt::Debug for NetEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NetEvaluator").field(&self.0.network).finish()
    }
}

impl NetEvaluator {
    /// Reads the network of the game that a position is of.
    ///
    /// # Errors
    /// One sentence about the file or the game.
    pub fn read(position: &dyn Session, path: &Path) -> Result<NetEvaluator, NetError> {
        let (game, shape) = board(position)?;
        let network = file::read(game.name, shape, position.players(), named_file::open(path)?)?;
        Ok(NetEvaluator::new(network, game, position))
    }

    /// Makes a network of a game an evaluator.
    pub(crate) fn new(network: Network, game: &'static GameEntry, position: &dyn Session) -> NetEvaluator {
        NetEvaluator(Judge::new(network, game, position))
    }

    /// The value of a position for the player 0, and the priors of a player's moves.
    fn evaluate(&self, position: &dyn Session, options: &mut Options, priors: &mut Vec<f32>) -> f64 {
        let judge = &self.0;
        match position.turn() {
            Turn::Over => position.reward(0),
            Turn::Chance if position.players() == 1 => {
                let mut board = vec![0; judge.cells()];
                judge.game.cells(position, &mut board);
                let scored = if judge.has_scores { position.cut_reward(0) } else { 0.0 };
                scored + f64::from(judge.value(0, &board))
            }
            Turn::Chance => self.mean_of_outcomes(position, options, priors),
            Turn::Player(player) => {
                judge.judge(position, player, options);
                let Some(best) = options.best() else { return reward(position, 0) };
                let best = options.values[best];
                priors.clear();
                if judge.prior(options) {
                    priors.extend_from_slice(&options.priors);
                } else {
                    let temperature = match judge.has_scores {
                        true => SCORE_TEMPERATURE * best.abs().max(f32::MIN_POSITIVE),
                        false => TEMPERATURE,
                    };
                    let prior = |value: &f32| exp((value - best) / temperature);
                    priors.extend(options.values.iter().map(prior));
                }
                match (judge.has_scores, player) {
                    (true, _) => position.cut_reward(0) + f64::from(best),
                    (false, 0) => f64::from(best),
                    (false, _) => f64::from(1.0 - best),
                }
            }
        }
    }

    /// The mean value of the positions that chance may lead to; that of a cut game if they cannot be listed.
    fn mean_of_outcomes(&self, position: &dyn Session, options: &mut Options, priors: &mut Vec<f32>) -> f64 {
        let mut outcomes = Vec::new();
        position.actions(&mut outcomes);
        let (mut sum, mut weights) = (0.0, 0.0);
        for outcome in outcomes {
            let mut next = position.clone_session();
            next.apply(outcome);
            let weight = f64::from(position.weight(outcome));
            sum += weight * self.evaluate(&*next, options, priors);
            weights += weight;
        }
        priors.clear();
        if weights > 0.0 { sum / weights } else { reward(position, 0) }
    }
}

impl SessionEvaluator for NetEvaluator {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, positions: &[&dyn Session], out: &mut Evaluations) {
        // A search asks for one leaf at a time, and lists are not made anew for each.
        let (mut options, mut priors) = SPARE.take();
        for &position in positions {
            priors.clear();
            let value = NetEvaluator::evaluate(self, position, &mut options, &mut priors);
            match position.players() {
                1 => out.push(&[value], &priors),
                _ => out.push(&[value, 1.0 - value], &priors),
            }
        }
        SPARE.set((options, priors));
    }
}
