//! One suite that plays any game and says in plain words where it breaks the promises of [`Game`].
//!
//! It plays random games and checks every position on the way: that legal actions apply, convert and can be written
//! and read back, that players act in the declared order, that rewards are what was declared, and that the fast
//! random action is as uniform as the listed one. Where chance acts, outcomes keep the same rules as actions, and come
//! as often as their weights say.
//!
//! Where players do not know everything, it looks for what nobody would notice by playing: whether
//! [`determinise`](Game::determinise) gives away what it should hide, whether a player always knows what they may do,
//! and whether they remember what they knew and did. Whether `determinise` draws what is hidden as likely as the rules
//! make it is not checked.
//!
//! ```
//! # use boughs::{Game, Turn};
//! use boughs::conformance::{Effort, check};
//!
//! /// Take one to three stones; but where a single one is left, this allows two.
//! #[derive(Clone)]
//! struct Nim { stones: u8, player: usize }
//!
//! impl Game for Nim {
//!     # type Action = u8;
//!     # fn turn(&self) -> Turn {
//!     #     if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
//!     # }
//!     fn actions(&self, out: &mut Vec<u8>) {
//!         out.extend(1..=self.stones.clamp(2, 3));
//!     }
//!     // ...
//!     # fn apply(&mut self, take: u8) {
//!     #     self.stones = self.stones.checked_sub(take).expect("no more than there are");
//!     #     self.player = 1 - self.player;
//!     # }
//!     # fn reward(&self, player: usize) -> f64 {
//!     #     if player == self.player { 0.0 } else { 1.0 }
//!     # }
//! }
//!
//! let fault = check(&Nim { stones: 5, player: 0 }, Effort::default()).unwrap_err();
//! assert_eq!(fault.to_string(), "after 211: the game panicked: no more than there are");
//! ```

mod actions;
mod chance;
mod frequencies;
mod knowledge;
mod recall;
mod rewards;
mod twins;
mod whole_games;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::actions::{check_actions, check_clone, check_playout_actions};
use self::chance::check_chance;
use self::frequencies::{check_uniform, check_weights};
use self::knowledge::Knowledge;
use self::rewards::{check_cut_rewards, check_declared_rewards, check_rewards};
use self::whole_games::{check_repeatable, check_text};
use crate::notation::write_moves;
use crate::{Action, Game, Rng, Turn, TurnOrder, game::MAX_PLAYERS};

/// How much to check.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many random games to play.
    pub games: u32,
    /// In how many positions to test that the random action is uniform, and in how many that chance draws by weight.
    pub uniformity: u32,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 200, uniformity: 40, seed: 1 }
    }
}

/// A broken promise and the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The moves from the start, as the game writes them.
    pub moves: String,
    /// What is wrong there.
    pub what: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.moves.as_str() {
            "" => write!(f, "at the start: {}", self.what),
            moves => write!(f, "after {moves}: {}", self.what),
        }
    }
}

impl std::error::Error for Fault {}

/// What was checked when nothing was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Games played to the end.
    pub games: u32,
    /// Positions looked at.
    pub positions: u64,
    /// Positions in which the random action was tested for uniformity.
    pub uniformity: u32,
    /// The length of the longest game.
    pub longest: u32,
    /// Positions in which chance acted.
    pub chance: u64,
    /// Positions in which chance was tested for drawing by weight.
    pub weights: u32,
    /// Positions in which chance listed no outcomes, so that positions after them cannot be written as moves.
    pub unlisted: u64,
    /// How often a position was compared with a different one that a player cannot tell from it.
    pub hidden: u64,
}

/// Plays random games from `start` and returns what was checked, or the first fault.
///
/// # Errors
/// The first broken promise found, with the moves that show it.
pub fn check<G: Game>(start: &G, effort: Effort) -> Result<Checked, Box<Fault>> {
    let moves = RefCell::new(Vec::new());
    let run = catch_unwind(AssertUnwindSafe(|| {
        check_declared_rewards::<G>()?;
        let mut knowledge = Knowledge::default();
        let mut checked = Checked::default();
        for game in 0..effort.games {
            moves.borrow_mut().clear();
            let mut rng = Rng::new(effort.seed, u64::from(game));
            play_one(start, &mut rng, &moves, &effort, &mut knowledge, &mut checked)?;
            checked.games += 1;
        }
        moves.borrow_mut().clear();
        knowledge::check_something_hidden::<G>(&checked)?;
        Ok(checked)
    }));
    let what = match run {
        Ok(Ok(checked)) => return Ok(checked),
        Ok(Err(what)) => what,
        Err(panic) => format!("the game panicked: {}", crate::panic_text(&*panic)),
    };
    let moves = moves.into_inner();
    // A game that cannot even write its moves is shown by their codes.
    let text = catch_unwind(AssertUnwindSafe(|| write_moves(start, &moves)))
        .unwrap_or_else(|_| moves.iter().map(|action| action.code().to_string()).collect::<Vec<_>>().join(" "));
    Err(Box::new(Fault { moves: text, what }))
}

/// Says `what` unless it holds.
fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn play_one<G: Game>(
    start: &G,
    rng: &mut Rng,
    moves: &RefCell<Vec<G::Action>>,
    effort: &Effort,
    knowledge: &mut Knowledge<G>,
    checked: &mut Checked,
) -> Result<(), String> {
    let mut position = start.clone();
    let players = start.players();
    require((1..=MAX_PLAYERS).contains(&players), || {
        format!("the game has {players} players, but 1 to {MAX_PLAYERS} are possible")
    })?;
    knowledge.begin(start);
    let mut last_player = None;
    let mut plies = 0;
    loop {
        let turn = position.turn();
        if turn == Turn::Over {
            break;
        }
        require(plies < G::MAX_PLIES, || format!("the game goes on after its declared maximum of {plies} plies"))?;
        require(position.players() == players, || {
            format!("the number of players changed from {players} to {}", position.players())
        })?;
        let action = match turn {
            Turn::Player(player) => {
                check_turn::<G>(player, players, last_player)?;
                last_player = Some(player);
                act(&position, rng, effort, checked)?
            }
            _ => draw(&position, rng, effort, checked)?,
        };
        check_cut_rewards(&position, players)?;
        knowledge.check(&position, rng, checked)?;
        moves.borrow_mut().push(action);
        let mut next = position.clone();
        next.apply(action);
        knowledge.follow(&position, action, &next, rng)?;
        position = next;
        plies += 1;
        checked.positions += 1;
    }
    check_rewards(&position, players)?;
    check_text(start, &moves.borrow())?;
    check_repeatable(start, rng.bits(), moves)?;
    checked.positions += 1;
    checked.longest = checked.longest.max(plies);
    Ok(())
}

/// Checks a position in which a player acts, and picks what they do.
fn act<G: Game>(position: &G, rng: &mut Rng, effort: &Effort, checked: &mut Checked) -> Result<G::Action, String> {
    let legal = check_actions(position)?;
    let Some(action) = rng.pick(&legal) else { return Err("a player is to move but has no legal action".into()) };
    check_playout_actions(position, &legal, rng)?;
    if checked.uniformity < effort.uniformity && rng.below(4) == 0 {
        check_uniform(position, rng)?;
        checked.uniformity += 1;
    }
    check_clone(position, &legal)?;
    Ok(action)
}

/// Checks a position in which chance acts, and draws what comes of it.
fn draw<G: Game>(position: &G, rng: &mut Rng, effort: &Effort, checked: &mut Checked) -> Result<G::Action, String> {
    require(G::TURN_ORDER == TurnOrder::Any, || {
        "chance acts here, but the game declares TurnOrder::Alternating, in which only players act".into()
    })?;
    let listed = check_actions(position)?;
    let outcome = check_chance(position, &listed, rng)?;
    checked.chance += 1;
    if listed.is_empty() {
        checked.unlisted += 1;
    } else if checked.weights < effort.uniformity && rng.below(4) == 0 {
        check_weights(position, &listed, rng)?;
        checked.weights += 1;
    }
    check_clone(position, &listed)?;
    Ok(outcome)
}

fn check_turn<G: Game>(player: usize, players: usize, last: Option<usize>) -> Result<(), String> {
    require(player < players, || format!("it is the turn of player {player}, but players are 0 to {}", players - 1))?;
    let expected = last.map(|last| (last + 1) % players);
    require(G::TURN_ORDER == TurnOrder::Any || expected.is_none_or(|expected| expected == player), || {
        format!("it is the turn of player {player} again or out of order, but the game declares TurnOrder::Alternating")
    })
}
