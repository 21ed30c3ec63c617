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
/// The games of a test, and the random moves at the start of each.
const TEST: u64 = 40;
const OPENING: u64 = 2;

/// Learning a network of a game.
#[derive(Debug)]
pub struct NetRun {
    game: &'static str,
    learner: Learner,
    progress: Progress,
}

impl NetRun {
    /// A network of the tuples of a text ([`Tuples::read`]) in some stages, to learn a game from nothing.
    ///
    /// # Errors
    /// If the game has no cells or too many players, a tuple is none of its board, or there is no memory for the
    /// network.
    pub fn nothing(tuples: &str, stages: usize, game: &StartedGame, learning: Learning) -> Result<Network, NetError> {
        let shape = shape(game)?;
        let tuples = Tuples::read(shape, tuples, &mut Rng::new(learning.seed, TUPLES)).map_err(NetError::Tuples)?;
        Network::new(&tuples.in_stages(stages), game.position.players()).ok_or(NetError::Memory)
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

    /// Begins to learn the game of a text, from the weights of a network.
    ///
    /// # Errors
    /// If there are no threads or no memory for them.
    pub fn new(
        spec: &str,
        network: Network,
        game: StartedGame,
        learning: Learning,
        threads: usize,
    ) -> Result<NetRun, NetError> {
        let name = game.entry.name;
        let learner = Learner::new(game, network, learning, threads)?;
        Ok(NetRun { game: name, learner, progress: Progress { game: spec.to_string(), ..Progress::default() } })
    }

    /// Goes on from the course in a file, of a network of these tuples and these settings.
    ///
    /// # Errors
    /// One sentence about the file.
    pub fn resume(
        spec: &str,
        tuples: &Tuples,
        game: StartedGame,
        learning: Learning,
        threads: usize,
        from: impl Read,
    ) -> Result<NetRun, NetError> {
        let name = game.entry.name;
        let (learner, mut progress) = boughs_nets::read_learner(game, threads, from)?;
        if progress.game.is_empty() {
            progress.game = spec.to_string();
        }
        match (learner.learning(), learner.network().tuples(), &*progress.game) == (learning, tuples, spec) {
            true => Ok(NetRun { game: name, learner, progress }),
            false => Err(NetError::OtherSettings),
        }
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
        let rewards = match self.learner.players() {
            1 => self.learner.test(0..TEST).iter().map(|outcome| outcome.reward).collect(),
            _ => self.points(stop)?,
        };
        if rewards.is_empty() {
            return Ok(None);
        }
        let (strength, error) = mean(&rewards);
        let Progress { games, seconds, .. } = self.progress;
        self.progress.add(Point { games, seconds, strength, error });
        Ok(Some(strength))
    }

    /// The points of games against a tree search, each opening once from either side. None if the flag is raised
    /// meanwhile.
    fn points(&self, stop: &StopFlag) -> Result<Vec<f64>, SearchError> {
        let mut points = Vec::new();
        for number in 0..TEST {
            if stop.is_raised() {
                return Ok(Vec::new());
            }
            points.push(self.game_against(number)?);
        }
        Ok(points)
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

/// The mean of numbers, and half the width of its 95 % interval.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}
