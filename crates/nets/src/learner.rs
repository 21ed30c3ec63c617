//! Temporal differences on the positions after moves (afterstates).

use std::io;
use std::ops::Range;

use boughs::{Rng, Session, Turn};
use boughs_games::StartedGame;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::file::NetError;
use crate::judge::{Judge, Options, reward};
use crate::network::{Board, Network};
use crate::table::Table;

/// The settings of learning.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Learning {
    /// The learning rate: the part of an error by which a lesson corrects a value. With temporal coherence it is that
    /// of weights whose lessons all agree.
    pub rate: f32,
    /// The lambda of TD(lambda): the share of what came later that counts, and not the value of the next position.
    pub lambda: f32,
    /// The share of moves that are drawn at random.
    pub explore: f64,
    /// True if each weight has a rate of its own, the less the more its lessons contradict each other: temporal
    /// coherence (Beal and Smith 1999).
    pub coherence: bool,
    /// True if threads learn from each game as soon as it is over, without locks (Hogwild: Niu et al. 2011). Then
    /// weights depend on the order in which threads run. Otherwise weights change between rounds alone, in which each
    /// of [`TABLES`] games goes on for [`MOVES`] moves, and are the same with any number of threads.
    pub hogwild: bool,
    /// The value of every board at first. One that is too great makes the learner try everything before it settles
    /// (Guei, Chen and Wu 2021). Where rewards are no scores it is the logarithm of the odds.
    #[serde(default)]
    pub optimism: f32,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { rate: 1.0, lambda: 0.5, explore: 0.0, coherence: true, hogwild: false, optimism: 0.0, seed: 0 }
    }
}

/// The course of learning so far.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Progress {
    /// The number of games that were learned from.
    pub games: u64,
    /// The number of moves in them.
    pub moves: u64,
    /// The time that they took, in seconds.
    pub seconds: f64,
    /// The points of the curve, in the order of time.
    pub curve: Vec<Point>,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Point {
    /// The number of games before it.
    pub games: u64,
    /// The time they took, in seconds.
    pub seconds: f64,
    /// The strength: a mean score, or a share of points.
    pub strength: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The reward of the player 0.
    pub reward: f64,
    /// The number of moves of players.
    pub moves: u64,
}

/// A network that learns by games against itself.
pub struct Learner {
    judge: Judge,
    learning: Learning,
    start: Box<dyn Session>,
    threads: ThreadPool,
    /// The errors of the lessons of each weight: their sum, and then the sum of their amounts.
    coherence: Option<Table>,
}

/// The games that are played at the same time where weights change between rounds.
pub const TABLES: u64 = 32;
/// The moves that each of them goes on in a round. Fewer would be more like learning after each move, and leave threads
/// less to do between two rounds.
pub const MOVES: usize = 32;

/// The random streams of games that are played to test what was learned begin here.
const TESTS: u64 = 1 << 62;

/// A game that is played.
struct Play {
    game: Box<dyn Session>,
    rng: Rng,
    /// The moves of players so far.
    count: u64,
    /// The moves that are not learned from, and the boards after them, one after the other.
    moves: Vec<Move>,
    boards: Vec<u8>,
}

struct Move {
    player: usize,
    /// The points that it has scored.
    points: f32,
    /// The value of the board after it, when it was played.
    value: f32,
    /// The value of the best move, if another one was drawn at random.
    best: Option<f32>,
}

/// Some lessons: boards after moves, one after the other, and the error of the value of each for the player who moved.
#[derive(Default)]
struct Lessons {
    boards: Vec<u8>,
    players: Vec<usize>,
    errors: Vec<f32>,
}

/// A place where one game is played after the other.
struct GameTable {
    /// The numbers of the games that are still to be played: this one, and those [`TABLES`] after it.
    next: u64,
    play: Option<Play>,
    options: Options,
    outcomes: Vec<Outcome>,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("network", &self.judge.network)
            .field("learning", &self.learning)
            .finish_non_exhaustive()
    }
}

impl Play {
    fn outcome(&self) -> Outcome {
        Outcome { reward: reward(&*self.game, 0), moves: self.count }
    }
}

impl Learner {
    /// Begins to learn a game from its start by a new network, by this number of threads.
    ///
    /// # Errors
    /// If there is no memory for it, there are no threads, or there are more than two players.
    pub fn new(start: StartedGame, network: Network, learning: Learning, threads: usize) -> Result<Learner, NetError> {
        // What a move is worth to one player says nothing of each of several others.
        if start.position.players() > 2 {
            return Err(NetError::Players);
        }
        let coherence = |weights: usize| Table::new(weights.checked_mul(2)?);
        let coherence = match learning.coherence {
            true => Some(coherence(network.weights().len()).ok_or(NetError::Memory)?),
            false => None,
        };
        if learning.optimism != 0.0 {
            network.fill(learning.optimism);
        }
        let judge = Judge::new(network, start.entry, &*start.position);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let threads = threads.map_err(|error| NetError::Io(io::Error::other(error)))?;
        Ok(Learner { judge, learning, start: start.position, threads, coherence })
    }

    /// The numbers that temporal coherence keeps of each weight, if it is used.
    pub(crate) fn coherence(&self) -> Option<&Table> {
        self.coherence.as_ref()
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.start.players()
    }

    /// The settings.
    pub fn learning(&self) -> Learning {
        self.learning
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.judge.network
    }

    /// Plays games and learns from them. Their numbers determine their random numbers.
    pub fn learn(&self, games: Range<u64>) -> Vec<Outcome> {
        if self.learning.hogwild {
            return self.threads.install(|| games.into_par_iter().map(|game| self.learn_now(game)).collect());
        }
        let table = |next: u64| GameTable { next, play: None, options: Options::default(), outcomes: Vec::new() };
        let mut tables: Vec<GameTable> = games.clone().take(TABLES as usize).map(table).collect();
        self.threads.install(|| {
            while tables.iter().any(|table| table.play.is_some() || table.next < games.end) {
                let round = tables.par_iter_mut().with_max_len(1).map(|table| self.go_on(table, games.end));
                self.correct_all(&round.collect::<Vec<Lessons>>());
            }
        });
        tables.into_iter().flat_map(|table| table.outcomes).collect()
    }

    /// Plays games by the moves of greatest value and learns nothing.
    pub fn test(&self, games: Range<u64>) -> Vec<Outcome> {
        let test = |game: u64| {
            let (mut play, mut options) = (self.begin(TESTS + game), Options::default());
            while self.step(&mut play, &mut options, false) {}
            play.outcome()
        };
        self.threads.install(|| games.into_par_iter().map(test).collect())
    }

    /// The move of greatest value for the player who acts in a position; `None` if no player does.
    pub fn choose(&self, position: &dyn Session) -> Option<u32> {
        let Turn::Player(player) = position.turn() else { return None };
        let mut options = Options::default();
        self.judge.judge(position, player, &mut options);
        options.best().map(|best| options.choices.codes[best])
    }

    /// Begins a game.
    fn begin(&self, stream: u64) -> Play {
        let (game, rng) = (self.start.clone(), Rng::new(self.learning.seed, stream));
        Play { game, rng, count: 0, moves: Vec::new(), boards: Vec::new() }
    }

    /// Goes on to the position after the next move of a player. If the game is to be learned from, some moves are drawn
    /// at random. Returns false if the game is over.
    fn step(&self, play: &mut Play, options: &mut Options, is_lesson: bool) -> bool {
        let Play { game, rng, count, .. } = play;
        while game.turn() == Turn::Chance {
            let Some(outcome) = game.chance(rng) else { return false };
            game.apply(outcome);
        }
        let Turn::Player(player) = game.turn() else { return false };
        if *count >= u64::from(game.facts().max_plies) {
            return false;
        }
        self.judge.judge(&**game, player, options);
        let Some(best) = options.best() else { return false };
        let Options { choices, values, .. } = options;
        let explores = is_lesson && self.learning.explore > 0.0 && rng.unit() < self.learning.explore;
        let played = if explores { rng.below(choices.codes.len() as u32) as usize } else { best };
        game.apply(choices.codes[played]);
        *count += 1;
        if is_lesson {
            let (cells, points) = (self.judge.cells(), choices.points[played]);
            let best = explores.then_some(values[best]);
            play.moves.push(Move { player, points, value: values[played] - points, best });
            play.boards.extend_from_slice(&choices.boards[cells * played..cells * (played + 1)]);
        }
        true
    }

    /// Goes through the moves of a game, or of its part so far, from the end to the start. `see` is called with the
    /// number of a move and the target for the value of the board after it, and returns that value. The last move of a
    /// part has no target yet.
    fn teach(&self, moves: &[Move], end: Option<&dyn Session>, mut see: impl FnMut(usize, f32) -> f32) {
        let lambda = self.learning.lambda;
        // The move after the one at hand, and the value of the position before it for its player.
        let mut later: Option<(&Move, f32)> = None;
        for (number, it) in moves.iter().enumerate().rev() {
            let target = match (later, end) {
                (None, None) => {
                    later = Some((it, it.best.unwrap_or(it.points + it.value)));
                    continue;
                }
                (None, Some(_)) if self.judge.has_scores => 0.0,
                (None, Some(end)) => reward(end, it.player) as f32,
                (Some((next, value)), _) if self.judge.has_scores || next.player == it.player => value,
                (Some((_, value)), _) => 1.0 - value,
            };
            let value = it.points + lambda * target + (1.0 - lambda) * see(number, target);
            // What came after a random move says nothing about the best one.
            later = Some((it, it.best.unwrap_or(value)));
        }
    }

    /// Plays a game and learns from it at once.
    fn learn_now(&self, game: u64) -> Outcome {
        let (mut play, mut options) = (self.begin(game), Options::default());
        while self.step(&mut play, &mut options, true) {}
        self.learn_from(&play);
        play.outcome()
    }

    fn learn_from(&self, play: &Play) {
        let (mut places, cells) = (Vec::new(), self.judge.cells());
        self.teach(&play.moves, Some(&*play.game), |number, target| {
            let board = &play.boards[cells * number..cells * (number + 1)];
            places.clear();
            self.judge.network.list_places(play.moves[number].player, &Board::of(board), &mut places);
            let error = target - self.judge.value_of(self.judge.network.sum(&places));
            places.iter().for_each(|&place| self.correct(place, error, error.abs()));
            self.judge.value_of(self.judge.network.sum(&places))
        });
    }

    /// Goes on with the games of a table, up to this number. Returns the lessons of a round.
    fn go_on(&self, table: &mut GameTable, end: u64) -> Lessons {
        let mut lessons = Lessons::default();
        let GameTable { next, play, options, outcomes } = table;
        for _ in 0..MOVES {
            if play.is_none() && *next < end {
                *play = Some(self.begin(*next));
                *next += TABLES;
            }
            let Some(game) = play else { break };
            if !self.step(game, options, true) {
                self.add_lessons(game, true, &mut lessons);
                outcomes.push(game.outcome());
                *play = None;
            }
        }
        if let Some(game) = play {
            self.add_lessons(game, false, &mut lessons);
        }
        lessons
    }

    /// Adds the lessons of a game that is over, or of its part so far.
    fn add_lessons(&self, play: &mut Play, is_over: bool, lessons: &mut Lessons) {
        let Play { game, moves, boards, .. } = play;
        let learned = if is_over { moves.len() } else { moves.len().saturating_sub(1) };
        let before = lessons.errors.len();
        lessons.errors.resize(before + learned, 0.0);
        let errors = &mut lessons.errors[before..];
        self.teach(moves, is_over.then_some(&**game), |number, target| {
            errors[number] = target - moves[number].value;
            moves[number].value
        });
        lessons.players.extend(moves.drain(..learned).map(|it| it.player));
        lessons.boards.extend(boards.drain(..self.judge.cells() * learned));
    }

    /// Corrects the weights by the lessons of a round. Each tuple of each player has weights of its own, so the order
    /// in which threads take them changes nothing.
    fn correct_all(&self, lessons: &[Lessons]) {
        let tuples = self.judge.network.tuples().cells.len();
        let tables: Vec<(usize, usize)> = (0..self.judge.network.players())
            .flat_map(|player| (0..tuples).map(move |tuple| (player, tuple)))
            .collect();
        tables.into_par_iter().with_max_len(1).for_each(|(player, tuple)| self.correct_tuple(lessons, player, tuple));
    }

    /// Corrects each weight of a tuple by the mean of its errors in a round. By their sum a weight that many boards
    /// share would go far beyond all its targets.
    fn correct_tuple(&self, lessons: &[Lessons], player: usize, tuple: usize) {
        // The place of a weight, and the number of the lesson.
        let mut visits: Vec<(u32, u32)> = Vec::new();
        let mut errors = Vec::new();
        for game in lessons {
            let boards = game.boards.chunks_exact(self.judge.cells()).zip(&game.players).zip(&game.errors);
            for ((board, _), &error) in boards.filter(|((_, of), _)| **of == player) {
                let number = errors.len() as u32;
                self.judge.network.each_place_of(tuple, &Board::of(board), |place| visits.push((place, number)));
                errors.push(error);
            }
        }
        visits.sort_unstable();
        let first = self.judge.network.weights_of(player, tuple).start;
        for visits in visits.chunk_by(|one, other| one.0 == other.0) {
            let (mut sum, mut amount) = (0.0, 0.0);
            for &(_, lesson) in visits {
                sum += errors[lesson as usize];
                amount += errors[lesson as usize].abs();
            }
            let count = visits.len() as f32;
            self.correct(first + visits[0].0, sum / count, amount / count);
        }
    }

    /// Corrects a weight by an error of a value, or by the mean of several and of their amounts.
    #[inline]
    fn correct(&self, place: u32, error: f32, amount: f32) {
        let step = self.learning.rate * error / self.judge.network.terms() as f32;
        let place = place as usize;
        let Some(coherence) = &self.coherence else { return self.judge.network.weights().add(place, step) };
        let (of_sum, of_amount) = (2 * place, 2 * place + 1);
        let (sum, all) = (coherence.get(of_sum), coherence.get(of_amount));
        let rate = if all > 0.0 { sum.abs() / all } else { 1.0 };
        self.judge.network.weights().add(place, rate * step);
        coherence.set(of_sum, sum + error);
        coherence.set(of_amount, all + amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Tuples;
    use boughs_games::{CellsShape, Choices, Symmetries, start};

    /// The cells of a game.
    fn shape(game: &str) -> CellsShape {
        let start = start(game).unwrap();
        start.entry.cells_shape(&*start.position).unwrap()
    }

    fn learner(game: &str, tuples: &Tuples, learning: Learning, threads: usize) -> Learner {
        let start = start(game).unwrap();
        let network = Network::new(tuples, start.position.players()).unwrap();
        Learner::new(start, network, learning, threads).unwrap()
    }

    fn of_2048(learning: Learning, threads: usize) -> Learner {
        learner("2048", &Tuples::lines(shape("2048")), learning, threads)
    }

    fn weights(learner: &Learner) -> Vec<u32> {
        let weights = learner.network().weights();
        (0..weights.len()).map(|place| weights.get(place).to_bits()).collect()
    }

    #[test]
    fn learning_2048_raises_the_score_and_repeats_itself_with_any_number_of_threads() {
        let mut found = Vec::new();
        for threads in [1, 3] {
            let learner = of_2048(Learning::default(), threads);
            let mean = || learner.test(0..20).iter().map(|game| game.reward).sum::<f64>() / 20.0;
            let before = mean();
            learner.learn(0..480);
            let after = mean();
            assert!(after > 1.4 * before, "{before} points before and {after} after");
            found.push(weights(&learner));
        }
        assert!(found[0] == found[1]);
        let other = of_2048(Learning { seed: 1, ..Learning::default() }, 1);
        other.learn(0..480);
        assert!(found[0] != weights(&other));
    }

    #[test]
    fn learning_connect_four_wins_against_random_moves() {
        for hogwild in [false, true] {
            let tuples = Tuples::walks(shape("connect4"), 20, 6, &mut Rng::new(3, 0));
            let learning = Learning { explore: 0.1, hogwild, ..Learning::default() };
            let learner = learner("connect4", &tuples, learning, 2);
            learner.learn(0..5_000);
            let mut rng = Rng::new(2, 0);
            let mut won = 0.0;
            for seat in (0..2).cycle().take(200) {
                let mut game = start("connect4").unwrap().position;
                while let Turn::Player(player) = game.turn() {
                    let action = match player == seat {
                        true => learner.choose(&*game),
                        false => game.random_action(&mut rng),
                    };
                    game.apply(action.unwrap());
                }
                won += game.reward(seat);
            }
            assert!(won >= 170.0, "{won} of 200, hogwild {hogwild}");
        }
    }

    /// Lessons of one player about a board.
    fn teach(learner: &Learner, board: &[u8], errors: &[f32]) {
        let (boards, players) = (board.repeat(errors.len()), vec![0; errors.len()]);
        learner.correct_all(&[Lessons { boards, players, errors: errors.to_vec() }]);
    }

    #[test]
    fn lessons_of_a_round_correct_a_value_by_their_mean_and_the_rate() {
        for (rate, coherence) in [(1.0, true), (0.25, false)] {
            let learner = of_2048(Learning { rate, coherence, ..Learning::default() }, 2);
            let board: Vec<u8> = (0..16).collect();
            teach(&learner, &board, &[60.0, 80.0, 100.0]);
            assert!((learner.judge.value(0, &board) - 80.0 * rate).abs() < 1e-3);
        }
    }

    #[test]
    fn weights_whose_lessons_contradict_each_other_learn_slowly() {
        let board: Vec<u8> = (0..16).collect();
        for contradiction in [&[&[80.0][..], &[-80.0], &[80.0], &[-80.0]][..], &[&[80.0, -80.0]]] {
            let learner = of_2048(Learning::default(), 1);
            contradiction.iter().for_each(|errors| teach(&learner, &board, errors));
            let before = learner.judge.value(0, &board);
            teach(&learner, &board, &[80.0]);
            assert!((learner.judge.value(0, &board) - before).abs() < 1e-3);
        }
    }

    #[test]
    fn a_random_move_teaches_nothing_about_the_moves_before_it() {
        // Each board of this game has a weight of its own.
        let shape = CellsShape { symmetries: Symmetries::None, ..shape("connect4") };
        let tuples = Tuples::new(shape, vec![vec![14, 15, 21, 22, 28, 29, 35, 36]]).unwrap();
        let taught = |best, is_round| {
            let learning = Learning { lambda: 1.0, coherence: false, explore: 0.5, ..Learning::default() };
            let learner = learner("connect4", &tuples, learning, 1);
            let mut play = learner.begin(0);
            let mut choices = Choices::default();
            // The first player wins with the fourth stone, and the move before is the second player's.
            for (number, column) in [0u32, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
                learner.judge.game.list_choices(&*play.game, &mut choices);
                let place = choices.codes.iter().position(|&code| code == column).unwrap();
                play.boards.extend_from_slice(&choices.boards[42 * place..42 * (place + 1)]);
                play.game.apply(column);
                let best = if number == 5 { best } else { None };
                play.moves.push(Move { player: number % 2, points: 0.0, value: 0.5, best });
            }
            assert_eq!((play.game.turn(), play.game.reward(0)), (Turn::Over, 1.0));
            let boards = play.boards.clone();
            let mut lessons = Lessons::default();
            match is_round {
                true => learner.add_lessons(&mut play, true, &mut lessons),
                false => learner.learn_from(&play),
            }
            learner.correct_all(&[lessons]);
            let value = |after: usize| learner.judge.value(after % 2, &boards[42 * after..42 * (after + 1)]);
            [value(6), value(4)]
        };
        for is_round in [true, false] {
            let [won, before] = taught(None, is_round);
            assert!(won > 0.5 && before > 0.5, "{won} {before}");
            // The best move of the second player would have won, so the position before is a bad one for the first.
            let [won, before] = taught(Some(0.9), is_round);
            assert!(won > 0.5 && before < 0.5, "{won} {before}");
        }
    }
}
