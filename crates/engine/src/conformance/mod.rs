//! One suite that plays any game and says in plain words where it breaks the promises of [`Game`].
//!
//! It plays random games and checks every position on the way: that legal actions apply, convert and can be written
//! and read back, that players act in the declared order, that rewards are what was declared, and that the fast
//! random action is as uniform as the listed one.

mod actions;
mod frequencies;
mod rewards;
mod whole_games;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::actions::{check_actions, check_clone, check_playout_actions};
use self::frequencies::check_uniform;
use self::rewards::check_rewards;
use self::whole_games::{check_repeatable, check_text};
use crate::notation::write_moves;
use crate::{Action, Game, Rng, Turn, TurnOrder, game::MAX_PLAYERS};

/// How much to check.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many random games to play.
    pub games: u32,
    /// In how many positions to test that the random action is uniform.
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
}

/// Plays random games from `start` and returns what was checked, or the first fault.
///
/// # Errors
/// The first broken promise found, with the moves that show it.
pub fn check<G: Game>(start: &G, effort: Effort) -> Result<Checked, Box<Fault>> {
    let moves = RefCell::new(Vec::new());
    let run = catch_unwind(AssertUnwindSafe(|| {
        let mut checked = Checked::default();
        for game in 0..effort.games {
            moves.borrow_mut().clear();
            let mut rng = Rng::new(effort.seed, u64::from(game));
            play_one(start, &mut rng, &moves, &effort, &mut checked)?;
            checked.games += 1;
        }
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
    checked: &mut Checked,
) -> Result<(), String> {
    let mut position = start.clone();
    let players = start.players();
    require((1..=MAX_PLAYERS).contains(&players), || {
        format!("the game has {players} players, but 1 to {MAX_PLAYERS} are possible")
    })?;
    let mut last_player = None;
    let mut plies = 0;
    while let Turn::Player(player) = position.turn() {
        require(plies < G::MAX_PLIES, || format!("the game goes on after its declared maximum of {plies} plies"))?;
        check_turn(&position, player, players, last_player)?;
        let legal = check_actions(&position)?;
        check_playout_actions(&position, &legal, rng)?;
        if checked.uniformity < effort.uniformity && rng.below(4) == 0 {
            check_uniform(&position, rng)?;
            checked.uniformity += 1;
        }
        check_clone(&position, &legal)?;
        let Some(action) = rng.pick(&legal) else { break };
        moves.borrow_mut().push(action);
        position.apply(action);
        last_player = Some(player);
        plies += 1;
        checked.positions += 1;
    }
    check_rewards(&position, players)?;
    check_text(start, &moves.borrow())?;
    check_repeatable(start, rng.bits())?;
    checked.positions += 1;
    checked.longest = checked.longest.max(plies);
    Ok(())
}

fn check_turn<G: Game>(position: &G, player: usize, players: usize, last: Option<usize>) -> Result<(), String> {
    require(position.players() == players, || {
        format!("the number of players changed from {players} to {}", position.players())
    })?;
    require(player < players, || format!("it is the turn of player {player}, but players are 0 to {}", players - 1))?;
    let expected = last.map(|last| (last + 1) % players);
    require(G::TURN_ORDER == TurnOrder::Any || expected.is_none_or(|expected| expected == player), || {
        format!("it is the turn of player {player} again or out of order, but the game declares TurnOrder::Alternating")
    })
}
