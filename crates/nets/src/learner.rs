//! Temporal differences on the positions after moves (afterstates).

use boughs::{Rng, Session, Turn};
use boughs_games::{Choices, StartedGame, logistic};

use crate::network::Network;
use crate::table::Table;

/// The settings of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
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
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { rate: 1.0, lambda: 0.5, explore: 0.0, coherence: true }
    }
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The reward of the player 0.
    pub reward: f64,
    /// The number of moves of players.
    pub moves: u64,
}

/// A network that learns by games against itself. Any number of threads play games at the same time and learn from
/// them; with one thread the weights depend on the random numbers alone.
///
/// The value of a board is that for the player who has moved: in games with scores the score that is still to come, and
/// else the reward at the end, of which the sum of weights is the logarithm of the odds. Rewards of two players add up
/// to 1.
pub struct Learner {
    network: Network,
    learning: Learning,
    start: StartedGame,
    /// The cells of a board.
    cells: usize,
    /// True if the rewards are scores, of which a move may add some.
    has_scores: bool,
    coherence: Option<Coherence>,
}

/// The errors of the lessons of each weight: their sums, and the sums of their amounts.
struct Coherence {
    sums: Table,
    amounts: Table,
}

/// A game as its lessons need it: the moves of players, and the boards after them, one after the other.
#[derive(Default)]
struct Course {
    moves: Vec<Move>,
    boards: Vec<u8>,
}

struct Move {
    player: usize,
    /// The points that it has scored.
    points: f32,
    /// The value of the best move, if another one was drawn at random.
    best: Option<f32>,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("network", &self.network)
            .field("learning", &self.learning)
            .finish_non_exhaustive()
    }
}

impl Learner {
    /// Begins to learn a game from its start. `None` if there is no memory for it.
    pub fn new(start: StartedGame, network: Network, learning: Learning) -> Option<Learner> {
        let table = || Table::new(network.weights().len());
        let coherence = match learning.coherence {
            true => Some(Coherence { sums: table()?, amounts: table()? }),
            false => None,
        };
        let cells = network.tuples().shape().cells();
        let has_scores = start.position.facts().rewards.bounds.is_none();
        Some(Learner { network, learning, start, cells, has_scores, coherence })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Plays a game and learns from it.
    pub fn play(&self, rng: &mut Rng) -> Outcome {
        let mut course = Course::default();
        let (end, outcome) = self.play_out(rng, Some(&mut course));
        self.learn(&course, &*end);
        outcome
    }

    /// Plays a game by the moves of greatest value and learns nothing.
    pub fn test(&self, rng: &mut Rng) -> Outcome {
        self.play_out(rng, None).1
    }

    /// The move of greatest value for the player who acts in a position; `None` if no player does.
    pub fn choose(&self, position: &dyn Session) -> Option<u32> {
        let Turn::Player(player) = position.turn() else { return None };
        let mut choices = Choices::default();
        self.start.entry.list_choices(position, &mut choices);
        self.best(&choices, player).map(|(place, _)| choices.codes[place])
    }

    /// The value of a board after a move of a player.
    #[inline]
    fn value(&self, player: usize, board: &[u8]) -> f32 {
        let sum = self.network.value(player, board);
        if self.has_scores { sum } else { logistic(f64::from(sum)) as f32 }
    }

    /// The place of the move of greatest value, the first of equals, and the value.
    fn best(&self, choices: &Choices, player: usize) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (place, board) in choices.boards.chunks_exact(self.cells).enumerate() {
            let value = match (choices.ends[place], self.has_scores) {
                (None, _) => choices.points[place] + self.value(player, board),
                (Some(_), true) => choices.points[place],
                (Some(reward), false) => reward,
            };
            if best.is_none_or(|(_, greatest)| value > greatest) {
                best = Some((place, value));
            }
        }
        best
    }

    /// Plays a game to its end. With a course to write, some moves are drawn at random.
    fn play_out(&self, rng: &mut Rng, mut course: Option<&mut Course>) -> (Box<dyn Session>, Outcome) {
        let mut game = self.start.position.clone();
        let mut choices = Choices::default();
        let mut moves = 0;
        for _ in 0..game.facts().max_plies {
            let player = match game.turn() {
                Turn::Player(player) => player,
                Turn::Over => break,
                Turn::Chance => {
                    let Some(outcome) = game.chance(rng) else { break };
                    game.apply(outcome);
                    continue;
                }
            };
            self.start.entry.list_choices(&*game, &mut choices);
            let Some((best, value)) = self.best(&choices, player) else { break };
            let explores = course.is_some() && self.learning.explore > 0.0 && rng.unit() < self.learning.explore;
            let played = if explores { rng.below(choices.codes.len() as u32) as usize } else { best };
            game.apply(choices.codes[played]);
            moves += 1;
            if let Some(course) = course.as_deref_mut() {
                let points = choices.points[played];
                course.moves.push(Move { player, points, best: explores.then_some(value) });
                course.boards.extend_from_slice(&choices.boards[self.cells * played..self.cells * (played + 1)]);
            }
        }
        let outcome = Outcome { reward: reward(&*game, 0), moves };
        (game, outcome)
    }

    /// Learns from a game, from its end to its start.
    fn learn(&self, course: &Course, end: &dyn Session) {
        let lambda = self.learning.lambda;
        // The move after the one at hand, and the value of the position before it for its player.
        let mut later: Option<(&Move, f32)> = None;
        for (it, board) in course.moves.iter().zip(course.boards.chunks_exact(self.cells)).rev() {
            let target = match later {
                None if self.has_scores => 0.0,
                None => reward(end, it.player) as f32,
                Some((next, value)) if self.has_scores || next.player == it.player => value,
                Some((_, value)) => 1.0 - value,
            };
            self.correct(it.player, board, target - self.value(it.player, board));
            let value = it.points + lambda * target + (1.0 - lambda) * self.value(it.player, board);
            // What came after a random move says nothing about the best one.
            later = Some((it, it.best.unwrap_or(value)));
        }
    }

    /// Corrects the value of a board by an error.
    fn correct(&self, player: usize, board: &[u8], error: f32) {
        let weights = self.network.weights();
        let step = self.learning.rate * error / self.network.terms() as f32;
        match &self.coherence {
            None => self.network.each_place(player, board, |place| weights.add(place, step)),
            Some(Coherence { sums, amounts }) => self.network.each_place(player, board, |place| {
                let (sum, amount) = (sums.get(place), amounts.get(place));
                let rate = if amount > 0.0 { sum.abs() / amount } else { 1.0 };
                weights.add(place, rate * step);
                sums.set(place, sum + error);
                amounts.set(place, amount + error.abs());
            }),
        }
    }
}

/// The reward of a game that is over, or that is cut.
fn reward(game: &dyn Session, player: usize) -> f64 {
    match game.turn() {
        Turn::Over => game.reward(player),
        _ => game.cut_reward(player),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Tuples;
    use boughs_games::{CellsShape, Symmetries, start};

    /// The cells of a game.
    fn shape(game: &str) -> CellsShape {
        let start = start(game).unwrap();
        start.entry.cells_shape(&*start.position).unwrap()
    }

    fn learner(game: &str, tuples: &Tuples, learning: Learning) -> Learner {
        let start = start(game).unwrap();
        let network = Network::new(tuples, start.position.players()).unwrap();
        Learner::new(start, network, learning).unwrap()
    }

    fn of_2048(learning: Learning) -> Learner {
        learner("2048", &Tuples::lines(shape("2048")), learning)
    }

    #[test]
    fn learning_2048_raises_the_score_and_repeats_itself() {
        let [first, second] = [0, 1].map(|_| {
            let learner = of_2048(Learning::default());
            let mean = |games: std::ops::Range<u64>| {
                let scores = games.clone().map(|game| learner.test(&mut Rng::new(9, game)).reward);
                scores.sum::<f64>() / (games.end - games.start) as f64
            };
            let before = mean(0..20);
            (0..300).for_each(|game| _ = learner.play(&mut Rng::new(1, game)));
            let after = mean(0..20);
            assert!(after > 1.4 * before, "{before} points before and {after} after");
            let weights = learner.network().weights();
            (0..weights.len() as u32).map(|place| weights.get(place).to_bits()).collect::<Vec<u32>>()
        });
        assert!(first == second);
    }

    #[test]
    fn learning_connect_four_wins_against_random_moves() {
        let tuples = Tuples::walks(shape("connect4"), 20, 6, &mut Rng::new(3, 0));
        let learner = learner("connect4", &tuples, Learning { explore: 0.1, ..Learning::default() });
        (0..4_000).for_each(|game| _ = learner.play(&mut Rng::new(1, game)));
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
        assert!(won >= 190.0, "{won} of 200");
    }

    #[test]
    fn a_lesson_corrects_a_value_by_the_rate() {
        for (rate, coherence) in [(1.0, true), (0.25, false)] {
            let learner = of_2048(Learning { rate, coherence, ..Learning::default() });
            let board: Vec<u8> = (0..16).collect();
            learner.correct(0, &board, 80.0);
            assert!((learner.value(0, &board) - 80.0 * rate).abs() < 1e-3);
        }
    }

    #[test]
    fn weights_whose_lessons_contradict_each_other_learn_slowly() {
        let learner = of_2048(Learning::default());
        let board: Vec<u8> = (0..16).collect();
        [80.0, -80.0, 80.0, -80.0].into_iter().for_each(|error| learner.correct(0, &board, error));
        let before = learner.value(0, &board);
        learner.correct(0, &board, 80.0);
        assert!((learner.value(0, &board) - before).abs() < 1e-3);
    }

    #[test]
    fn a_random_move_teaches_nothing_about_the_moves_before_it() {
        // Each board of this game has a weight of its own.
        let shape = CellsShape { symmetries: Symmetries::None, ..shape("connect4") };
        let tuples = Tuples::new(shape, vec![vec![14, 15, 21, 22, 28, 29, 35, 36]]).unwrap();
        let taught = |best| {
            let learning = Learning { rate: 1.0, lambda: 1.0, coherence: false, explore: 0.5 };
            let learner = learner("connect4", &tuples, learning);
            let mut game = start("connect4").unwrap().position;
            let mut course = Course::default();
            let mut choices = Choices::default();
            // The first player wins with the fourth stone, and the move before is the second player's.
            for (number, column) in [0u32, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
                learner.start.entry.list_choices(&*game, &mut choices);
                let place = choices.codes.iter().position(|&code| code == column).unwrap();
                course.boards.extend_from_slice(&choices.boards[42 * place..42 * (place + 1)]);
                game.apply(column);
                let best = if number == 5 { best } else { None };
                course.moves.push(Move { player: number % 2, points: 0.0, best });
            }
            assert_eq!((game.turn(), game.reward(0)), (Turn::Over, 1.0));
            learner.learn(&course, &*game);
            let value = |after: usize| learner.value(after % 2, &course.boards[42 * after..42 * (after + 1)]);
            [value(6), value(4)]
        };
        let [won, before] = taught(None);
        assert!(won > 0.5 && before > 0.5, "{won} {before}");
        // The best move of the second player would have won, so the position before is a bad one for the first.
        let [won, before] = taught(Some(0.9));
        assert!(won > 0.5 && before < 0.5, "{won} {before}");
    }
}
