//! Photosynthesis, the game of CodinGame's Spring Challenge 2021: two players grow trees in each other's shadow.
//!
//! Both choose at the same time; here they do so one after the other, the first choice kept secret until the second is made.
//! Who sleeps is not asked. What happens by itself, the seeds that land, the next day and its sun, happens as the last
//! choice is made. The map is that of a seed, or chance draws it before the first day. Rules: <https://github.com/CodinGame/SpringChallenge2021>.
//!
//! [`Photosynthesis`] is the game as a search sees it. [`Position`] is what the rules look at, without the secret and the
//! past: searches made for this game work on it. [`Referee`] adds what the official referee does beside, and [`protocol`]
//! is what it says to a player and hears from them.

mod action;
mod cell;
mod drawing;
mod legal;
mod luck;
mod map;
mod official;
mod position;
pub mod protocol;
mod random;
mod referee;
mod resolve;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use boughs::{Game, Information, Rewards, Rng, Turn};

pub use action::{Action, Answer, MAPS, Outcome};
pub use cell::{BOARD, CELLS, Cell, DIRECTIONS, TALL, cells, in_spiral, rays, step, widened};
pub use map::{Ground, Map};
pub use position::{COMPLETION, DAYS, NUTRIENTS, Position};
pub use random::JavaRandom;
pub use referee::Referee;

use self::official::OfficialReferee;
use crate::{Listed, Official, Options};

/// A position of the game, with what was chosen in secret and the number of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Photosynthesis {
    position: Position,
    /// What the first player has chosen, while the second is still to choose.
    chosen: Option<Action>,
    /// The map, if it is that of a seed, and all that has been done so far, as a number.
    past: u64,
}

/// The seed of the map where no other is given.
const SEED: i64 = 1;

impl Photosynthesis {
    /// The first morning on the map of a seed.
    pub fn new(seed: i64) -> Photosynthesis {
        let position = Position::start(&Map::from_seed(seed));
        Photosynthesis { position, chosen: None, past: seed.cast_unsigned() }
    }

    /// Before the first morning, when chance has still to make the map.
    pub fn without_map() -> Photosynthesis {
        Position::without_map().into()
    }

    /// What the rules look at. A choice that the first player has made in secret is not in it.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The action the first player has chosen in secret.
    #[inline]
    pub fn chosen(&self) -> Option<Action> {
        self.chosen
    }

    /// Who is to choose, were the game not over.
    #[inline]
    fn player(&self) -> usize {
        usize::from(self.chosen.is_some() || self.position.is_asleep(0))
    }

    /// Whether the next choice is the last of its turn.
    fn closes_turn(&self) -> bool {
        self.chosen.is_some() || self.position.is_asleep(0) || self.position.is_asleep(1)
    }

    /// How a player stands if the game ends here: 1 won, 0 lost, 1/2 level.
    fn standing(&self, player: usize) -> f64 {
        let scores = self.position.final_scores();
        match scores[player].cmp(&scores[1 - player]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        }
    }
}

impl Default for Photosynthesis {
    fn default() -> Photosynthesis {
        Photosynthesis::new(SEED)
    }
}

/// The game from a position on, of whose past nothing is known.
impl From<Position> for Photosynthesis {
    fn from(position: Position) -> Photosynthesis {
        Photosynthesis { position, chosen: None, past: 0 }
    }
}

/// A number for a past and what was done then; different pasts of one length never give the same for the same action.
#[inline]
pub fn remember(past: u64, done: u64) -> u64 {
    let word = (past ^ done).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 32
}

impl Game for Photosynthesis {
    type Action = Action;
    /// Games are won, drawn or lost, by whatever margin: that is what contests count, and what keeps a tree small. Who
    /// wants the margin has [`Position::final_scores`].
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Simultaneous;
    /// Whatever is done on a day but to sleep takes one of the trees that were awake in the morning.
    const MAX_PLIES: u32 = DAYS as u32 * (CELLS as u32 + 2);
    const EVALUATES: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        match self.position.is_over() {
            true if self.position.has_map() => Turn::Over,
            true => Turn::Chance,
            false => Turn::Player(self.player()),
        }
    }

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

    fn reward(&self, player: usize) -> f64 {
        self.standing(player)
    }

    fn cut_reward(&self, player: usize) -> f64 {
        self.standing(player)
    }

    /// Points, sun, which is worth more while there are days to spend it on, and trees by their size and what completing them
    /// may bring; the player's own less the other's.
    fn evaluation(&self, player: usize) -> f64 {
        let of = |player: usize| {
            let days_left = f64::from(DAYS - self.position.day().min(DAYS));
            let wood = (1..=TALL).map(|size| {
                let trees = f64::from(self.position.trees_of_size(player, size).count_ones());
                trees * size as f64 * (f64::from(self.position.nutrients()) / 2.0).min(days_left) / 3.0
            });
            let sun = f64::from(self.position.sun(player)) * (0.33 + 0.01 * days_left);
            f64::from(self.position.score(player)) + sun + wood.sum::<f64>()
        };
        of(player) - of(1 - player)
    }

    fn unlisted(&self, text: &str) -> Option<Action> {
        match self.position.has_map() {
            true => (Action::is_disqualified_word(text) && !self.position.is_over()).then_some(Action::Disqualified),
            false => Action::map_of_word(text),
        }
    }

    fn chance(&self, rng: &mut Rng, _: &mut Vec<Action>) -> Option<Action> {
        (!self.position.has_map()).then(|| Action::Map(rng.below(MAPS)))
    }

    fn information(&self, player: usize) -> u64 {
        match self.chosen.filter(|_| player == 0) {
            Some(action) => remember(self.past, action.mark()),
            None => self.past,
        }
    }

    fn determinise(&mut self, player: usize, _: &mut Rng) {
        self.chosen = self.chosen.filter(|_| player == 0);
    }

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

impl Listed for Photosynthesis {
    const NAME: &'static str = "photosynthesis";
    const SUMMARY: &'static str =
        "Photosynthesis: grow trees in each other's shadow for 24 days; both choose at the same time.";
    const NOTATION: &'static str = "grow:5, complete:4, seed:3-12 from cell 3 to cell 12, wait; cells are numbered along a \
                                    spiral from the centre, and whoever is asleep has no move: wait wait grow:21 grow:30; \
                                    where chance makes the map, map:7 is that of seed 7";
    const OPTIONS: &'static str = "seed=N, the number of the map, 64 bits with a sign (default 1), or seed=any, which leaves it to \
                                   chance (default in matches)";
    const IN_MATCHES: &'static str = "seed=any";
    const AGENT: &'static str = "woods";
    const BENCH: [&'static str; 3] = ["", include_str!("middle.txt"), include_str!("late.txt")];

    fn start(options: &mut Options) -> Result<Photosynthesis, String> {
        let Some(text) = options.text("seed")? else { return Ok(Photosynthesis::default()) };
        match text.parse() {
            Ok(seed) => Ok(Photosynthesis::new(seed)),
            Err(_) if text.eq_ignore_ascii_case("any") => Ok(Photosynthesis::without_map()),
            Err(_) => Err(format!("seed must be a whole number of 64 bits, or any, not '{text}'")),
        }
    }

    fn tallies(&self) -> Vec<(&'static str, Vec<f64>)> {
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

    fn official(&self, _: Rng) -> Option<Box<dyn Official<Photosynthesis>>> {
        Some(Box::new(OfficialReferee::new(self)))
    }
}
