//! Learning a network, from its start or from a file, with a curve of its strength.

use std::io::{self, Read, Write};
use std::time::Instant;

use boughs::{Budget, Rng, SearchError, StopFlag, Turn};
use boughs_games::{CellsShape, StartedGame, start};
use boughs_nets::{Learner, Learning, NetError, Network, Point, Progress, Tuples};

use crate::list::AgentSpec;

/// The random stream of the tuples, far from those of games.
const TUPLES: u64 = 1 << 63;
/// The random streams of the openings of tests.
const OPENINGS: u64 = 3 << 61;

/// The opponent of tests in games of two players, and its playouts for each move.
const OPPONENT: &str = "mcts";
const PLAYOUTS: u64 = 200;
/// The opponent against which the share of points is measured, in words.
pub const AGAINST: &str = "against mcts with 200 playouts";
/// The games of a test, and the random moves at the start of each.
const TEST: u64 = 40;
const OPENING: u64 = 2;
/// The games of a test for one player between two looks at the flag.
const AT_ONCE: usize = 8;

/// Learning a network of a game.
#[derive(Debug)]
pub struct NetRun {
    game: &'static str,
    learner: Learner,
    progress: Progress,
}

impl NetRun {
    /// The tuples of a text ([`Tuples::read`]) on the board of a game, in some stages.
    ///
    /// # Errors
    /// If the game has no cells or too many players, or a tuple is none of its board.
    pub fn tuples(text: &str, stages: usize, game: &StartedGame, seed: u64) -> Result<Tuples, NetError> {
        let tuples = Tuples::read(shape(game)?, text, &mut Rng::new(seed, TUPLES)).map_err(NetError::Tuples)?;
        Ok(tuples.in_stages(stages))
    }

    /// A network that has learned nothing.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn nothing(tuples: &Tuples, game: &StartedGame) -> Result<Network, NetError> {
        Network::new(tuples, game.position.players()).ok_or(NetError::Memory)
    }

    /// The network in a file of a network or of its course, to learn on from its weights: in as many stages if it has
    /// one.
    ///
    /// # Errors
    /// One sentence about the file or the game.
    pub fn learned(from: impl Read, stages: Option<usize>, game: &StartedGame) -> Result<Network, NetError> {
        let network = boughs_nets::read(game.entry.name, shape(game)?, game.position.players(), from)?;
        let of_file = network.tuples().stages();
        match stages.filter(|&stages| stages != of_file) {
            None => Ok(network),
            Some(stages) if of_file == 1 => network.split(stages).ok_or(NetError::Memory),
            Some(_) => Err(NetError::Stages(of_file)),
        }
    }

    /// Begins to learn a game from the weights of a network. The progress is that of the start.
    ///
    /// # Errors
    /// If there are no threads or no memory for them.
    pub fn new(
        start: Progress,
        network: Network,
        game: StartedGame,
        learning: Learning,
        threads: usize,
    ) -> Result<NetRun, NetError> {
        let name = game.entry.name;
        let learner = Learner::new(game, network, learning, threads)?;
        Ok(NetRun { game: name, learner, progress: start })
    }

    /// Goes on from the course in a file, which has begun as this one would: of the same game, from the same file, with
    /// these settings and with tuples that fit.
    ///
    /// # Errors
    /// One sentence about the file.
    pub fn resume(
        start: &Progress,
        fits: impl FnOnce(&Tuples) -> bool,
        game: StartedGame,
        learning: Learning,
        threads: usize,
        from: impl Read,
    ) -> Result<NetRun, NetError> {
        let name = game.entry.name;
        let (learner, progress) = boughs_nets::read_learner(game, threads, from)?;
        let other = if progress.game != start.game {
            Some(format!("by {}", progress.game))
        } else if progress.from != start.from {
            let from = progress.from.as_ref();
            Some(from.map_or("without --from".to_string(), |file| format!("with --from {file}")))
        } else if !fits(learner.network().tuples()) {
            Some("with other --tuples or --stages".to_string())
        } else {
            learner.learning().difference(&learning)
        };
        match other {
            None => Ok(NetRun { game: name, learner, progress }),
            Some(own) => Err(NetError::OtherSettings(own)),
        }
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.learner.players()
    }

    /// The course so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Learns from as many games.
    pub fn learn(&mut self, games: u64) {
        let began = Instant::now();
        let first = self.progress.games;
        let outcomes = self.learner.learn(first..first + games);
        self.progress.games += games;
        self.progress.moves += outcomes.iter().map(|outcome| outcome.moves).sum::<u64>();
        self.progress.seconds += began.elapsed().as_secs_f64();
    }

    /// Measures the strength, and adds it to the curve: the mean score of games for one player, or the share of points
    /// against a tree search. None if the flag is raised meanwhile.
    ///
    /// # Errors
    /// If the opponent cannot be built.
    pub fn measure(&mut self, stop: &StopFlag) -> Result<Option<f64>, SearchError> {
        let found = match self.learner.players() {
            1 => self.scores(stop).map(|scores| mean(&scores)),
            _ => self.points(stop)?.map(|points| share(&points)),
        };
        let Some((strength, error)) = found else { return Ok(None) };
        let Progress { games, seconds, .. } = self.progress;
        self.progress.add(Point { games, seconds, strength, error });
        Ok(Some(strength))
    }

    /// The scores of games without learning. None if the flag is raised meanwhile.
    fn scores(&self, stop: &StopFlag) -> Option<Vec<f64>> {
        let mut scores = Vec::new();
        for first in (0..TEST).step_by(AT_ONCE) {
            if stop.is_raised() {
                return None;
            }
            scores.extend(self.learner.test(first..first + AT_ONCE as u64).iter().map(|outcome| outcome.reward));
        }
        Some(scores)
    }

    /// The points of games against a tree search, each opening once from either side. None if the flag is raised
    /// meanwhile.
    fn points(&self, stop: &StopFlag) -> Result<Option<Vec<f64>>, SearchError> {
        let mut points = Vec::new();
        for number in 0..TEST {
            if stop.is_raised() {
                return Ok(None);
            }
            points.push(self.game_against(number)?);
        }
        Ok(Some(points))
    }

    fn game_against(&self, number: u64) -> Result<f64, SearchError> {
        let own = (number % 2) as usize;
        let mut game = start(&self.progress.game).map_err(|_| SearchError::OtherGame)?.position;
        let mut rng = Rng::new(self.learner.learning().seed, OPENINGS + number / 2);
        for _ in 0..OPENING {
            game.random_step(&mut rng).into_iter().for_each(|step| game.apply(step));
        }
        let opponent: AgentSpec = OPPONENT.parse().unwrap_or_default();
        let mut opponent = opponent.with_seed(number).build(&*game)?;
        for _ in 0..game.facts().max_plies {
            let step = match game.turn() {
                Turn::Over => return Ok(game.reward(own)),
                Turn::Chance => game.random_step(&mut rng),
                Turn::Player(player) if player == own => self.learner.choose(&*game),
                Turn::Player(_) => opponent.choose(Budget::iterations(PLAYOUTS))?.ranked.first().copied(),
            };
            let Some(step) = step else { break };
            game.apply(step);
            opponent.advance(step)?;
        }
        Ok(if game.turn() == Turn::Over { game.reward(own) } else { game.cut_reward(own) })
    }

    /// Writes the network, to play by.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_net(&self, to: impl Write) -> io::Result<()> {
        boughs_nets::write(self.learner.network(), self.game, to)
    }

    /// Writes the network with weights of 8 bits.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_small(&self, to: impl Write) -> io::Result<()> {
        boughs_nets::write_small(self.learner.network(), self.game, to)
    }

    /// Writes all that is needed to go on.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_course(&self, to: impl Write) -> io::Result<()> {
        boughs_nets::write_learner(&self.learner, self.game, &self.progress, to)
    }
}

/// The board of a game that a network can learn.
fn shape(game: &StartedGame) -> Result<CellsShape, NetError> {
    if game.position.players() > 2 {
        return Err(NetError::Players);
    }
    game.entry.cells_shape(&*game.position).ok_or(NetError::NoCells)
}

/// The share of points, and half the width of its 95 % interval by Agresti and Coull (1998), which is not 0 if all are
/// won.
fn share(points: &[f64]) -> (f64, f64) {
    let (count, sum) = (points.len().max(1) as f64, points.iter().sum::<f64>());
    let adjusted = (sum + 2.0) / (count + 4.0);
    (sum / count, 1.96 * (adjusted * (1.0 - adjusted) / (count + 4.0)).sqrt())
}

/// The mean of numbers, and half the width of its 95 % interval.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_opponent() {
        assert_eq!(AGAINST, format!("against {OPPONENT} with {PLAYOUTS} playouts"));
    }
}
