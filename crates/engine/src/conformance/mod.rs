//! A test suite that plays any game and names in plain words the promise of [`Game`](crate::Game) that it breaks.
//!
//! It plays random games and checks every position: legal actions apply, convert to their codes and back, and their
//! text reads back; players act in the declared order; rewards are as declared; `random_action` is uniform. Where
//! chance acts, outcomes keep the same rules as actions, and their frequencies fit their weights.
//!
//! With hidden information it looks for faults that do not show in play: [`determinize`](crate::Game::determinize)
//! gives away a secret, a player does not know the legal actions at their turn, or forgets an earlier turn. It does
//! not check that `determinize` draws hidden states with the right probabilities.
//!
//! ```
//! # use boughs::{Game, Turn};
//! use boughs::conformance::{Effort, check};
//!
//! /// Take one to three stones. The fault: two are legal where a single one is left.
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
mod checked;
mod frequencies;
mod knowledge;
mod recall;
mod rewards;
mod twins;
mod typed;
mod whole_games;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::actions::{check_actions, check_clone, check_heavy_action, check_playout_actions, check_winning_action};
use self::chance::check_chance;
pub use self::checked::Checked;
use self::frequencies::{check_uniform, check_weights};
use self::knowledge::Knowledge;
use self::rewards::{check_cut_rewards, check_declared_rewards, check_rewards};
pub use self::typed::TypedChecks;
use self::whole_games::{check_repeatable, check_text};
use crate::notation::counted;
use crate::{MAX_PLAYERS, Position, Rng, StopFlag, Turn, TurnOrder};

/// The amount of checks.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of random games.
    pub games: u32,
    /// The number of positions in which to test that the random action is uniform, and the number of those in which
    /// to test that chance draws by weight.
    pub uniformity: u32,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 200, uniformity: 40, seed: 1 }
    }
}

/// A broken promise and the moves to the position where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The moves from the start, in the game's notation.
    pub moves: String,
    /// The broken promise, in one sentence.
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

/// Plays random games from `start` and returns the extent of the check, or the first fault.
///
/// # Errors
/// The first broken promise found, with the moves that show it.
pub fn check(start: &dyn Position, effort: Effort) -> Result<Checked, Box<Fault>> {
    check_until(start, effort, &StopFlag::default())
}

/// Does the same until a flag is raised. Then the extent is that of the games before.
///
/// # Errors
/// The first broken promise found, with the moves that show it.
pub fn check_until(start: &dyn Position, effort: Effort, stop: &StopFlag) -> Result<Checked, Box<Fault>> {
    let facts = start.facts();
    let moves = RefCell::new(Vec::new());
    let run = catch_unwind(AssertUnwindSafe(|| {
        check_declared_rewards(&facts.rewards)?;
        let mut knowledge = Knowledge::default();
        let mut checked = Checked::default();
        for game in 0..effort.games {
            moves.borrow_mut().clear();
            let mut rng = Rng::new(effort.seed, u64::from(game));
            play_one(start, &mut rng, &moves, &effort, stop, &mut knowledge, &mut checked)?;
            if stop.is_raised() {
                return Ok(checked);
            }
            checked.games += 1;
        }
        moves.borrow_mut().clear();
        knowledge::check_something_hidden(facts.information, &checked)?;
        Ok(checked)
    }));
    let what = match run {
        Ok(Ok(checked)) => return Ok(checked),
        Ok(Err(what)) => what,
        Err(panic) => format!("the game panicked: {}", crate::run::panic_text(&*panic)),
    };
    let moves = moves.into_inner();
    // A game that cannot write its moves is reported with their codes.
    let text = catch_unwind(AssertUnwindSafe(|| start.write_moves(&moves)))
        .unwrap_or_else(|_| moves.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
    Err(Box::new(Fault { moves: text, what }))
}

/// Fails with `what` unless a condition holds.
fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Plays one random game and checks every position on the way, until a flag is raised.
fn play_one(
    start: &dyn Position,
    rng: &mut Rng,
    moves: &RefCell<Vec<u32>>,
    effort: &Effort,
    stop: &StopFlag,
    knowledge: &mut Knowledge,
    checked: &mut Checked,
) -> Result<(), String> {
    let facts = start.facts();
    let mut position = start.clone_position();
    let players = start.players();
    require((1..=MAX_PLAYERS).contains(&players), || {
        format!("the game has {}, but 1 to {MAX_PLAYERS} are possible", counted(players, "players"))
    })?;
    knowledge.begin(start);
    let mut last_player = None;
    let mut plies = 0;
    loop {
        let turn = position.turn();
        if turn == Turn::Over {
            break;
        }
        if stop.is_raised() {
            return Ok(());
        }
        require(plies < facts.max_plies, || format!("the game goes on after its declared maximum of {plies} plies"))?;
        require(position.players() == players, || {
            format!("the number of players changed from {players} to {}", position.players())
        })?;
        let action = match turn {
            Turn::Player(player) => {
                check_turn(facts.turn_order, player, players, last_player)?;
                last_player = Some(player);
                act(&*position, player, rng, effort, checked)?
            }
            _ => draw(&*position, rng, effort, checked)?,
        };
        check_cut_rewards(&*position, players)?;
        knowledge.check(&*position, rng, checked)?;
        moves.borrow_mut().push(action);
        let mut next = position.clone();
        next.apply(action);
        knowledge.follow(&*position, action, &*next, rng)?;
        position = next;
        plies += 1;
        checked.positions += 1;
    }
    check_rewards(&*position, players)?;
    check_text(start, &moves.borrow())?;
    check_repeatable(start, rng.bits(), moves)?;
    checked.positions += 1;
    checked.longest = checked.longest.max(plies);
    Ok(())
}

/// Checks a position in which a player acts, and picks their action.
fn act(
    position: &dyn Position,
    player: usize,
    rng: &mut Rng,
    effort: &Effort,
    checked: &mut Checked,
) -> Result<u32, String> {
    let legal = check_actions(position)?;
    let Some(action) = rng.pick(&legal) else { return Err("a player is to move but has no legal action".into()) };
    check_playout_actions(position, &legal, rng)?;
    if position.facts().heavy_playouts {
        check_heavy_action(position, &legal, &mut rng.clone())?;
    }
    check_winning_action(position, player, &legal)?;
    if checked.uniformity < effort.uniformity && rng.below(4) == 0 {
        check_uniform(position, rng)?;
        checked.uniformity += 1;
    }
    check_clone(position, &legal)?;
    Ok(action)
}

/// Checks a position in which chance acts, and draws an outcome.
fn draw(position: &dyn Position, rng: &mut Rng, effort: &Effort, checked: &mut Checked) -> Result<u32, String> {
    require(position.facts().turn_order == TurnOrder::Any, || {
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

/// Checks that the acting player exists and acts in the declared order.
fn check_turn(order: TurnOrder, player: usize, players: usize, last: Option<usize>) -> Result<(), String> {
    require(player < players, || format!("it is the turn of player {player}, but players are 0 to {}", players - 1))?;
    let expected = last.map(|last| (last + 1) % players);
    require(order == TurnOrder::Any || expected.is_none_or(|expected| expected == player), || {
        format!("it is the turn of player {player} again or out of order, but the game declares TurnOrder::Alternating")
    })
}
