//! Temporal differences on the positions after moves (afterstates).

mod rounds;

use std::ops::Range;

use boughs::{Rng, Session, Turn};
use boughs_games::{CellsShape, StartedGame};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::course::{Learning, Outcome};
use crate::error::NetError;
use crate::judge::{Judge, Options, check, reward};
use crate::lessons::{Corrector, Lessons};
use crate::lookahead::Spare;
use crate::network::Network;
use crate::table::Table;

pub use rounds::{MOVES, TABLES};

/// A network that learns by games against itself.
pub struct Learner {
    judge: Judge,
    learning: Learning,
    start: Box<dyn Session>,
    threads: ThreadPool,
    values: Corrector,
    /// That of the priors, if they are learned.
    priors: Option<Corrector>,
}

/// The random streams of games that are played to test what was learned begin here.
const TESTS: u64 = 1 << 62;

/// Priors are learned at one of as many positions, because they have lessons for each move and values only for the one
/// that is played.
const PRIORS_EVERY: u32 = 4;
/// The least error of a prior that is corrected: there are many moves, and few priors change at a time. A smaller one
/// counts as this one with a probability that keeps the mean.
const LEAST_ERROR: f32 = 0.05;

/// A game that is played.
struct Play {
    game: Box<dyn Session>,
    rng: Rng,
    /// The moves of players so far, and those of the random opening among them.
    count: u64,
    opening: u64,
    /// The moves that are not learned from, and the places of the weights of the boards after them, one after the
    /// other.
    moves: Vec<Move>,
    places: Vec<u32>,
}

struct Move {
    player: usize,
    /// The points that it has scored.
    points: f32,
    /// True if the game was over after it, and there is no board to value.
    is_end: bool,
    /// The value of the position before it, if a search has found it, or another move than the best one is played.
    found: Option<f32>,
    /// True if the move was drawn at random and is not the best one.
    is_random: bool,
}

/// The memory of a thread that plays.
#[derive(Default)]
struct Desk {
    options: Options,
    spare: Spare,
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
    /// The places of the weights of the board after a move.
    fn places_of(&self, number: usize, terms: usize) -> &[u32] {
        &self.places[terms * number..terms * (number + 1)]
    }

    fn outcome(&self) -> Outcome {
        Outcome { reward: reward(&*self.game, 0), moves: self.count - self.opening }
    }
}

impl Learner {
    /// Begins to learn a game from its start by a new network, by this number of threads. The network has priors if
    /// they are to be learned.
    ///
    /// # Errors
    /// If there is no memory for it, there are no threads, networks do not learn such games, the network is one of
    /// another board, or a game without scores is to begin with one.
    pub fn new(start: StartedGame, network: Network, learning: Learning, threads: usize) -> Result<Learner, NetError> {
        let learner = Learner::resume(start, network, learning, threads)?;
        if learning.optimism != 0.0 {
            if !learner.judge.has_scores {
                return Err(NetError::Unfit("optimism is a score at first, and this game has no scores; leave it out"));
            }
            learner.network().fill(learning.optimism);
        }
        Ok(learner)
    }

    /// Goes on to learn a game by a network that has learned something.
    pub(crate) fn resume(
        start: StartedGame,
        network: Network,
        learning: Learning,
        threads: usize,
    ) -> Result<Learner, NetError> {
        check(&*start.position)?;
        let players = start.position.players();
        let board = |shape: CellsShape| (shape.columns, shape.rows, shape.kinds);
        let of_game = start.entry.cells_shape(&*start.position).map(board);
        if (network.players(), Some(board(network.tuples().shape()))) != (players, of_game) {
            return Err(NetError::OtherGame("another board".to_string()));
        }
        let network = match (learning.policy, network.policy()) {
            (true, None) => network.with_policy().ok_or(NetError::Memory)?,
            (true, Some(_)) => network,
            (false, _) => network.without_policy(),
        };
        let corrector = |learning| Corrector::new(&network, &learning).ok_or(NetError::Memory);
        let of_priors = Learning { rate: learning.rate.min(1.0), ..learning };
        let (values, priors) = (corrector(learning)?, if learning.policy { Some(corrector(of_priors)?) } else { None });
        let judge = Judge::new(network, start.entry, &*start.position);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let threads = threads.map_err(|error| NetError::Threads(error.to_string()))?;
        Ok(Learner { judge, learning, start: start.position, threads, values, priors })
    }

    /// The tables that temporal coherence keeps, if it is used: of values, and of priors.
    pub(crate) fn coherence(&self) -> impl Iterator<Item = &Table> {
        [Some(&self.values), self.priors.as_ref()].into_iter().flatten().filter_map(Corrector::coherence)
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
        self.threads.install(|| match self.learning.hogwild {
            true => games.into_par_iter().map(|game| self.learn_now(game)).collect(),
            false => self.learn_in_rounds(games),
        })
    }

    /// Plays games by the moves of greatest value and learns nothing.
    pub fn test(&self, games: Range<u64>) -> Vec<Outcome> {
        let test = |game: u64| {
            let (mut play, mut desk) = (self.begin(TESTS + game), Desk::default());
            while self.step(&mut play, &mut desk, None) {}
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
        Play { game, rng, count: 0, opening: 0, moves: Vec::new(), places: Vec::new() }
    }

    /// Begins a game to learn from, by some random moves.
    fn begin_lesson(&self, stream: u64) -> Play {
        let mut play = self.begin(stream);
        if self.learning.opening == 0 {
            return play;
        }
        let Play { game, rng, count, .. } = &mut play;
        let opening = u64::from(rng.below(self.learning.opening.saturating_add(1)));
        while *count < opening {
            let is_player = matches!(game.turn(), Turn::Player(_));
            let Some(step) = game.random_step(rng) else { break };
            game.apply(step);
            *count += u64::from(is_player);
        }
        play.opening = play.count;
        play
    }

    /// Goes on to the position after the next move of a player. If the game is to be learned from, some moves are drawn
    /// at random, and lessons about priors are added to a list. Returns false if the game is over.
    fn step(&self, play: &mut Play, desk: &mut Desk, lessons: Option<&mut Lessons>) -> bool {
        let (Play { game, rng, count, .. }, Desk { options, spare }) = (&mut *play, desk);
        while game.turn() == Turn::Chance {
            let Some(outcome) = game.chance(rng) else { return false };
            game.apply(outcome);
        }
        let Turn::Player(player) = game.turn() else { return false };
        if *count >= u64::from(game.facts().max_plies) {
            return false;
        }
        self.judge.judge(&**game, player, options);
        let Some(lessons) = lessons else {
            let Some(best) = options.best() else { return false };
            game.apply(options.choices.codes[best]);
            *count += 1;
            return true;
        };
        let search = (self.learning.depth, self.judge.bounds());
        let Some((best, value)) = self.judge.look_ahead(&**game, player, search, options, spare) else { return false };
        if self.priors.is_some() && rng.below(PRIORS_EVERY) == 0 {
            self.teach_priors(options, best, rng, lessons);
        }
        let explores = self.learning.explore > 0.0 && rng.unit() < self.learning.explore;
        let played = if explores { rng.below(options.choices.codes.len() as u32) as usize } else { best };
        let is_random = played != best;
        game.apply(options.choices.codes[played]);
        *count += 1;
        let (points, is_end) = (options.choices.points[played], options.choices.ends[played].is_some());
        let found = (is_random || self.learning.depth > 1).then_some(value);
        play.moves.push(Move { player, points, is_end, found, is_random });
        self.judge.list_places(options, played, &mut play.places);
        true
    }

    /// Adds lessons about the moves of a position: the prior of the best one should be 1.
    fn teach_priors(&self, options: &mut Options, best: usize, rng: &mut Rng, lessons: &mut Lessons) {
        self.judge.prior(options);
        for option in 0..options.priors.len() {
            let error = f32::from(u8::from(option == best)) - options.priors[option];
            let error = match error.abs() < LEAST_ERROR {
                true if rng.unit() < f64::from(error.abs() / LEAST_ERROR) => LEAST_ERROR.copysign(error),
                true => 0.0,
                false => error,
            };
            if error != 0.0 {
                self.judge.list_places(options, option, &mut lessons.places);
                lessons.errors.push(error);
            }
        }
    }

    /// Goes through the moves of a game, or of its part so far, from the end to the start. `see` is called with the
    /// number of a move and the target for the value of the board after it, and returns that value. The last move of a
    /// part has no target yet, and a board that ends the game needs none.
    fn teach(&self, moves: &[Move], end: Option<&dyn Session>, mut see: impl FnMut(usize, Option<f32>) -> f32) {
        let lambda = self.learning.lambda;
        // The move after the one at hand, and the value of the position before it for its player.
        let mut later: Option<(&Move, f32)> = None;
        for (number, it) in moves.iter().enumerate().rev() {
            let target = match (later, end) {
                (None, None) => {
                    later = Some((it, it.found.unwrap_or_else(|| it.points + see(number, None))));
                    continue;
                }
                (None, Some(_)) if self.judge.has_scores => 0.0,
                (None, Some(end)) => reward(end, it.player) as f32,
                (Some((next, value)), _) if self.judge.has_scores || next.player == it.player => value,
                (Some((_, value)), _) => 1.0 - value,
            };
            let own = it.points + if it.is_end { target } else { see(number, Some(target)) };
            let value = match it.found {
                // What came after a random move says nothing about the best one.
                Some(found) if it.is_random => found,
                found => lambda * (it.points + target) + (1.0 - lambda) * found.unwrap_or(own),
            };
            later = Some((it, value));
        }
    }

    /// Plays a game and learns from it at once.
    fn learn_now(&self, game: u64) -> Outcome {
        let (mut play, mut desk) = (self.begin_lesson(game), Desk::default());
        let mut lessons = Lessons::default();
        while self.step(&mut play, &mut desk, Some(&mut lessons)) {
            if let (Some(priors), Some(policy)) = (&self.priors, self.network().policy()) {
                priors.correct_now(self.network(), policy, &lessons);
                lessons.clear();
            }
        }
        self.learn_from(&play);
        play.outcome()
    }

    fn learn_from(&self, play: &Play) {
        let network = self.network();
        self.teach(&play.moves, Some(&*play.game), |number, target| {
            let places = play.places_of(number, network.terms());
            let value = || self.judge.value_of(network.weights().sum(places));
            let error = target.map_or(0.0, |target| target - value());
            places.iter().for_each(|&place| self.values.correct(network, network.weights(), place, error, error.abs()));
            value()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::rounds::Round;
    use super::*;
    use crate::network::Board;
    use crate::tuples::Tuples;
    use boughs_games::{Choices, Symmetries, start};

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
    fn a_large_board_with_all_settings_is_learned_alike_by_any_number_of_threads() {
        let tuples = Tuples::walks(shape("connect4"), 9, 5, &mut Rng::new(3, 0)).in_stages(2);
        let learned = |threads: usize| {
            let usual = Learning::usual(2, false);
            let learner = learner("connect4", &tuples, Learning { policy: true, depth: 2, ..usual }, threads);
            learner.learn(0..256);
            let tables: Vec<u32> = (learner.network().tables())
                .flat_map(|table| (0..table.len()).map(|place| table.get(place).to_bits()))
                .collect();
            tables
        };
        let one = learned(1);
        assert!(one.iter().filter(|&&bits| bits != 0).count() > 1_000);
        assert!(one == learned(2) && one == learned(5));
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
        let mut values = Lessons { errors: errors.to_vec(), ..Lessons::default() };
        let network = learner.network();
        errors.iter().for_each(|_| network.list_places(0, &Board::of(board), &mut values.places));
        learner.correct_all(&[&Round { values, priors: Lessons::default() }]);
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
            let (mut choices, mut boards) = (Choices::default(), Vec::new());
            // The first player wins with the fourth stone, and the move before is the second player's.
            for (number, column) in [0u32, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
                learner.judge.game.list_choices(&*play.game, &mut choices);
                let place = choices.codes.iter().position(|&code| code == column).unwrap();
                let (player, board) = (number % 2, choices.board(place));
                learner.network().list_places(player, &Board::of(&board), &mut play.places);
                boards.extend(board);
                play.game.apply(column);
                let found = if number == 5 { best } else { None };
                let (is_end, is_random) = (play.game.turn() == Turn::Over, found.is_some());
                play.moves.push(Move { player, points: 0.0, is_end, found, is_random });
            }
            assert_eq!((play.game.turn(), play.game.reward(0)), (Turn::Over, 1.0));
            let mut round = Round::default();
            match is_round {
                true => learner.add_lessons(&mut play, true, &mut round.values),
                false => learner.learn_from(&play),
            }
            learner.correct_all(&[&round]);
            let value = |after: usize| learner.judge.value(after % 2, &boards[42 * after..42 * (after + 1)]);
            [value(6), value(4)]
        };
        for is_round in [true, false] {
            // A board that ends the game is never valued, so it is not taught.
            let [won, before] = taught(None, is_round);
            assert!(won == 0.5 && before > 0.5, "{won} {before}");
            // The best move of the second player would have won, so the position before is a bad one for the first.
            let [won, before] = taught(Some(0.9), is_round);
            assert!(won == 0.5 && before < 0.5, "{won} {before}");
        }
    }

    #[test]
    fn openings_are_random_and_no_lessons() {
        let learning = Learning { opening: 6, ..Learning::default() };
        let tuples = Tuples::walks(shape("connect4"), 3, 4, &mut Rng::new(3, 0));
        let learner = learner("connect4", &tuples, learning, 1);
        let plays: Vec<Play> = (0..200).map(|game| learner.begin_lesson(game)).collect();
        for count in 0..=6 {
            assert!(plays.iter().filter(|play| play.count == count).count() > 10, "{count} moves");
        }
        assert!(plays.iter().all(|play| play.moves.is_empty() && play.outcome().moves == 0));
        let mut boards: Vec<String> = plays.iter().map(|play| play.game.board()).collect();
        boards.sort();
        boards.dedup();
        assert!(boards.len() > 100, "{}", boards.len());
    }

    #[test]
    fn priors_prefer_moves_that_keep_the_value() {
        for (depth, hogwild) in [(1, false), (3, false), (1, true)] {
            let tuples = Tuples::rectangles(shape("tictactoe"), 3, 2).and(Tuples::lines(shape("tictactoe")));
            let learning = Learning { explore: 0.3, opening: 4, depth, policy: true, hogwild, ..Learning::default() };
            let learner = learner("tictactoe", &tuples, learning, 2);
            // The share of the priors of moves that give a value away, in positions that have such moves.
            let lost = || {
                let (mut sum, mut count, mut options) = (0.0, 0, Options::default());
                for game in 0..200 {
                    let Play { game, count: moves, .. } = learner.begin_lesson(1_000_000 + game);
                    // Earlier positions take long to solve.
                    let (Turn::Player(player), 3..) = (game.turn(), moves) else { continue };
                    learner.judge.judge(&*game, player, &mut options);
                    assert!(learner.judge.prior(&mut options));
                    assert!((options.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                    let solved: Vec<f64> = options.choices.codes.iter().map(|&code| solve(&*game, code)).collect();
                    let best = solved.iter().copied().fold(0.0, f64::max);
                    let worse = (0..solved.len()).filter(|&option| solved[option] < best);
                    let share: f32 = worse.clone().map(|option| options.priors[option]).sum();
                    sum += share;
                    count += usize::from(worse.count() > 0);
                }
                sum / count as f32
            };
            let before = lost();
            learner.learn(0..4_000);
            let after = lost();
            assert!(after < 0.7 * before, "depth {depth}, hogwild {hogwild}: {before} before, {after} after");
        }
    }

    /// The reward of a move at the end of a game without chance, if both players play well.
    fn solve(game: &dyn Session, code: u32) -> f64 {
        let Turn::Player(player) = game.turn() else { return 0.0 };
        let mut next = game.clone_session();
        next.apply(code);
        if next.turn() == Turn::Over {
            return next.reward(player);
        }
        1.0 - next.legal_moves().into_iter().map(|(reply, _)| solve(&*next, reply)).fold(0.0, f64::max)
    }
}
