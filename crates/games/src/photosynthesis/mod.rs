//! Photosynthesis, the game of CodinGame's Spring Challenge 2021: two players grow trees in each other's shadow.
//!
//! Both players choose at the same time; in this implementation they choose one after the other, and the first choice
//! stays secret until the second is made. A sleeping player is not asked. With the last choice of a turn, seeds land,
//! and if both players sleep the next day begins and its sun shines. The map comes from a seed, or chance draws it
//! before the first day. Rules: <https://github.com/CodinGame/SpringChallenge2021>.
//!
//! [`Photosynthesis`] is the game as a search sees it. [`Position`] is the part that the rules need, without the secret
//! choice and the past: agents written for this game search it. [`Referee`] adds the official referee's shuffled lists,
//! and [`protocol`] its conversation with a player.

mod action;
mod cell;
mod contest_referee;
mod drawing;
mod legal;
mod luck;
mod map;
mod position;
pub mod protocol;
mod random;
mod referee;
mod resolve;
#[cfg(test)]
mod tests;

use boughs::{Game, Information, Rewards, Rng, Session, Turn};

pub use action::{Action, Answer, MAPS, Outcome};
pub use cell::{BOARD, CELLS, Cell, DIRECTIONS, TALL, cells, in_spiral, rays, step, widened};
pub use map::{Ground, Map};
pub use position::{COMPLETION, DAYS, NUTRIENTS, Position};
pub use random::JavaRandom;
pub use referee::Referee;

use self::contest_referee::OfficialReferee;
use crate::comparison::reward_for_more;
use crate::{ContestReferee, NamedGame, Options, Tallies};

/// A position of the game, with the secret choice and the number of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Photosynthesis {
    position: Position,
    /// The first player's secret choice, while the second player is still to choose.
    chosen: Option<Action>,
    /// A hash of the map's seed, if it has one, and of all actions so far.
    past: u64,
}

/// The default seed of the map.
const SEED: i64 = 1;

impl Photosynthesis {
    /// The first morning on the map of a seed.
    pub fn new(seed: i64) -> Photosynthesis {
        let position = Position::start(&Map::from_seed(seed));
        Photosynthesis { position, chosen: None, past: seed.cast_unsigned() }
    }

    /// The position before the first morning, in which chance has still to make the map.
    pub fn without_map() -> Photosynthesis {
        Position::without_map().into()
    }

    /// The position as a session. Another crate calls this instead of coercing, because a coercion compiles the search
    /// of the game again where it is written.
    #[inline(never)]
    pub fn as_session(&self) -> &dyn Session {
        self
    }

    /// The position by the rules. It leaves out the first player's secret choice.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The first player's secret choice.
    #[inline]
    pub fn chosen(&self) -> Option<Action> {
        self.chosen
    }

    /// The player to choose, if the game is not over.
    #[inline]
    fn player(&self) -> usize {
        usize::from(self.chosen.is_some() || self.position.is_asleep(0))
    }

    /// Returns true if the next choice is the last of its turn.
    #[inline]
    fn closes_turn(&self) -> bool {
        self.chosen.is_some() || self.position.is_asleep(0) || self.position.is_asleep(1)
    }

    /// A player's reward if the game ends here: 1 won, 0 lost, 1/2 level.
    #[inline]
    fn standing(&self, player: usize) -> f64 {
        let scores = self.position.final_scores();
        reward_for_more(scores[player], scores[1 - player])
    }
}

impl Default for Photosynthesis {
    fn default() -> Photosynthesis {
        Photosynthesis::new(SEED)
    }
}

/// The game from a position on, with an unknown past.
impl From<Position> for Photosynthesis {
    fn from(position: Position) -> Photosynthesis {
        Photosynthesis { position, chosen: None, past: 0 }
    }
}

/// Hashes a past and an action. Different pasts of one length never give the same number for the same action.
#[inline]
pub fn remember(past: u64, done: u64) -> u64 {
    let word = (past ^ done).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 32
}

impl Game for Photosynthesis {
    type Action = Action;
    /// Games are won, drawn or lost, and the margin does not count: contests score games in this way, and it keeps a
    /// tree small. [`Position::final_scores`] has the margin.
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Simultaneous;
    /// Every action except sleeping uses up one of the trees that were awake in the morning.
    const MAX_PLIES: u32 = DAYS as u32 * (CELLS as u32 + 2);

    #[inline]
    fn turn(&self) -> Turn {
        match self.position.is_over() {
            true if self.position.has_map() => Turn::Over,
            true => Turn::Chance,
            false => Turn::Player(self.player()),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Action>) {
        // There are too many maps for a list.
        if self.position.has_map() {
            self.position.legal_actions(self.player(), out);
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        if let Action::Map(seed) = action {
            *self = Photosynthesis::new(seed.into());
            return;
        }
        if !self.closes_turn() {
            self.chosen = Some(action);
            return;
        }
        let actions = match self.chosen.take() {
            Some(first) => [Some(first), Some(action)],
            None if self.position.is_asleep(0) => [None, Some(action)],
            None => [Some(action), None],
        };
        let [first, second] = actions.map(|action| action.map_or(0, Action::mark));
        self.past = remember(self.past, first << 32 | second);
        let answer = |action| match action {
            Action::Disqualified => Answer::Fault,
            action => Answer::Act(action),
        };
        self.position.resolve(actions.map(|action| action.map(answer)));
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        self.standing(player)
    }

    #[inline]
    fn cut_reward(&self, player: usize) -> f64 {
        self.standing(player)
    }

    /// Sums points, sun, which is worth more while there are days to spend it on, and trees by their size and by the
    /// points of their completion; the player's sum less the other's.
    #[inline]
    fn evaluation(&self, player: usize) -> Option<f64> {
        let of = |player: usize| {
            let days_left = f64::from(DAYS - self.position.day().min(DAYS));
            let wood = (1..=TALL).map(|size| {
                let trees = f64::from(self.position.trees_of_size(player, size).count_ones());
                trees * size as f64 * (f64::from(self.position.nutrients()) / 2.0).min(days_left) / 3.0
            });
            let sun = f64::from(self.position.sun(player)) * (0.33 + 0.01 * days_left);
            f64::from(self.position.score(player)) + sun + wood.sum::<f64>()
        };
        Some(of(player) - of(1 - player))
    }

    fn parse_outcome(&self, text: &str) -> Option<Action> {
        match self.position.has_map() {
            true => (Action::is_disqualified_word(text) && !self.position.is_over()).then_some(Action::Disqualified),
            false => Action::map_of_word(text),
        }
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, _: &mut Vec<Action>) -> Option<Action> {
        (!self.position.has_map()).then(|| Action::Map(rng.below(MAPS)))
    }

    #[inline]
    fn information(&self, player: usize) -> u64 {
        match self.chosen.filter(|_| player == 0) {
            Some(action) => remember(self.past, action.mark()),
            None => self.past,
        }
    }

    #[inline]
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        self.chosen = self.chosen.filter(|_| player == 0);
    }

    #[inline]
    fn playout_actions(&self, out: &mut Vec<Action>) {
        self.position.sensible_actions(self.player(), out);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Action>) -> Option<Action> {
        debug_assert!(self.position.has_map(), "the map is made by chance, not by a player");
        Some(self.position.sensible_action(self.player(), rng))
    }

    fn action_text(&self, action: Action) -> String {
        action.word()
    }

    fn board(&self) -> String {
        drawing::draw(&self.position, self.chosen.is_some())
    }
}

impl NamedGame for Photosynthesis {
    const NAME: &'static str = "photosynthesis";
    const SUMMARY: &'static str =
        "Photosynthesis: grow trees in each other's shadow for 24 days; both choose at the same time.";
    const NOTATION: &'static str = "grow:5, complete:4, seed:3-12 from cell 3 to cell 12, wait; cells are numbered \
                                    along a spiral from the centre, and a sleeping player has no move: wait wait \
                                    grow:21 grow:30; where chance makes the map, map:7 is that of seed 7";
    const OPTIONS: &'static str = "seed=N, the number of the map, 64 bits with a sign (default 1), or seed=any, which \
                                   leaves it to chance (default in matches)";
    const IN_MATCHES: &'static str = "seed=any";
    const BENCH: [&'static str; 3] = ["", include_str!("middle.txt"), include_str!("late.txt")];
    const LEGEND: &'static str = "A disc is a tree with its size, pale if it is dormant. Dots are the richness of a \
                                  free cell, and shades are three kinds of shadow, the darkest of the largest tree. A \
                                  dashed cell cannot be used. Small numbers are the names of cells. The arrow is the \
                                  direction of the sun.";

    fn start(options: &mut Options) -> Result<Photosynthesis, String> {
        let Some(text) = options.text("seed")? else { return Ok(Photosynthesis::default()) };
        match text.parse() {
            Ok(seed) => Ok(Photosynthesis::new(seed)),
            Err(_) if text.eq_ignore_ascii_case("any") => Ok(Photosynthesis::without_map()),
            Err(_) => Err(format!("seed must be a whole number of 64 bits, or any, not '{text}'")),
        }
    }

    fn tallies(&self) -> Tallies {
        let both = |of: &dyn Fn(usize) -> f64| (0..2).map(of).collect();
        let is_over = self.turn() == Turn::Over;
        let points = |player| if is_over { self.position.final_scores()[player] } else { self.position.score(player) };
        vec![
            ("points", both(&|player| points(player).into())),
            ("sun", both(&|player| self.position.sun(player).into())),
        ]
    }

    fn cell_names() -> Vec<String> {
        drawing::rows().iter().flatten().map(|cell| cell.index().to_string()).collect()
    }

    fn referee(&self, _: Rng) -> Option<Box<dyn ContestReferee<Photosynthesis>>> {
        Some(Box::new(OfficialReferee::new(self)))
    }
}
