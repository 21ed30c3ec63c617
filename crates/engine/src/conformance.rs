//! One suite that plays any game and says in plain words where it breaks the promises of [`Game`].
//!
//! It plays random games and checks every position on the way: that legal actions apply, convert and can be written
//! and read back, that players act in the declared order, that rewards are what was declared, and that the fast
//! random action is as uniform as the listed one.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::notation::{find_move, play_moves, write_moves};
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
    loop {
        let turn = position.turn();
        require(turn == Turn::Over || plies < G::MAX_PLIES, || {
            format!("the game goes on after its declared maximum of {plies} plies")
        })?;
        let player = match turn {
            Turn::Player(player) => player,
            Turn::Chance => {
                let outcomes = check_actions(&position)?;
                let drawn = position.chance(rng, &mut Vec::new());
                let Some(outcome) = drawn.filter(|outcome| outcomes.contains(outcome)) else {
                    return Err(format!("`chance` gave {drawn:?}, which is not among the outcomes {outcomes:?}"));
                };
                moves.borrow_mut().push(outcome);
                position.apply(outcome);
                plies += 1;
                checked.positions += 1;
                continue;
            }
            Turn::Over => break,
        };
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

fn check_actions<G: Game>(position: &G) -> Result<Vec<G::Action>, String> {
    let mut twice = Vec::new();
    position.actions(&mut twice);
    let legal = twice.clone();
    require(!legal.is_empty(), || "a player is to move but has no legal action".to_string())?;
    position.actions(&mut twice);
    require(twice.len() == 2 * legal.len() && twice[..legal.len()] == legal && twice[legal.len()..] == legal, || {
        "`actions` must append the same actions in the same order every time, and leave what is in the buffer".into()
    })?;
    let mut codes = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for &action in &legal {
        let (code, text) = (action.code(), position.action_text(action));
        require(G::Action::from_code(code) == action, || {
            format!("action '{text}' has code {code}, which converts back to {:?}", G::Action::from_code(code))
        })?;
        require(codes.insert(code), || format!("two legal actions have the code {code}"))?;
        require(!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ','), || {
            format!("an action is written '{text}', but its text must have no spaces or commas and not be empty")
        })?;
        require(texts.insert(text.to_ascii_lowercase()), || format!("two legal actions are written '{text}'"))?;
    }
    // Once a position is enough: what could go wrong for one action, that two are written alike, was looked at for all.
    let Some(&last) = legal.last() else { return Ok(legal) };
    let text = position.action_text(last);
    require(find_move(position, &text) == Some(last), || format!("action '{text}' is not found by its text"))?;
    Ok(legal)
}

fn check_playout_actions<G: Game>(position: &G, legal: &[G::Action], rng: &mut Rng) -> Result<(), String> {
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    require(!playout.is_empty(), || "`playout_actions` is empty although there are legal actions".into())?;
    let picked = position.random_action(rng, &mut Vec::new());
    require(picked.is_some_and(|action| playout.contains(&action)), || {
        format!("`random_action` gave {picked:?}, which is not among the playout actions {playout:?}")
    })?;
    require(playout.iter().all(|action| legal.contains(action)), || {
        format!("the playout actions {playout:?} are not all legal")
    })
}

/// A chi-square test with a threshold that a uniform choice passes but for one test in a hundred million.
fn check_uniform<G: Game>(position: &G, rng: &mut Rng) -> Result<(), String> {
    const DRAWS_EACH: u32 = 500;
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    let mut counts = vec![0u32; playout.len()];
    let mut scratch = Vec::new();
    for _ in 0..DRAWS_EACH * playout.len() as u32 {
        let action = position.random_action(rng, &mut scratch);
        match playout.iter().position(|&listed| Some(listed) == action) {
            Some(index) => counts[index] += 1,
            None => return Err(format!("`random_action` gave {action:?}, which is not among the playout actions")),
        }
    }
    let expected = f64::from(DRAWS_EACH);
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = (playout.len() - 1) as f64;
    // Laurent and Massart 2000, lemma 1: P(X > k + 2 sqrt(k x) + 2 x) <= exp(-x).
    let x = 18.4;
    require(chi_square <= freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x, || {
        let most = counts.iter().max().copied().unwrap_or(0);
        let least = counts.iter().min().copied().unwrap_or(0);
        format!(
            "`random_action` is not uniform over {} actions: of {DRAWS_EACH} draws expected for each, \
             one got {least} and another {most}",
            playout.len()
        )
    })
}

fn check_clone<G: Game>(position: &G, legal: &[G::Action]) -> Result<(), String> {
    let mut other = position.clone();
    if let Some(&action) = legal.last() {
        other.apply(action);
    }
    let mut after = Vec::new();
    position.actions(&mut after);
    require(after == legal, || "applying an action to a clone changed the original".into())
}

fn check_rewards<G: Game>(position: &G, players: usize) -> Result<(), String> {
    let rewards: Vec<f64> = (0..players).map(|player| position.reward(player)).collect();
    let (least, most) = G::REWARDS.bounds.unwrap_or((f64::MIN, f64::MAX));
    for (player, &reward) in rewards.iter().enumerate() {
        require((least..=most).contains(&reward), || {
            format!("player {player}'s reward is {reward}, outside {least}..={most}")
        })?;
        require(!G::REWARDS.halves || (reward * 2.0).fract() == 0.0, || {
            format!("player {player}'s reward is {reward}, but the game declares that all are 0, 1/2 or 1")
        })?;
    }
    let sum: f64 = rewards.iter().sum();
    require(G::REWARDS.sum.is_none_or(|declared| (declared - sum).abs() < 1e-9), || {
        format!("the rewards {rewards:?} add up to {sum}, not to the declared {:?}", G::REWARDS.sum.unwrap_or_default())
    })
}

fn check_text<G: Game>(start: &G, moves: &[G::Action]) -> Result<(), String> {
    let text = write_moves(start, moves);
    match play_moves(&mut start.clone(), &text) {
        Ok(read) => require(read == moves, || format!("the moves '{text}' read back as other moves: {read:?}")),
        Err(error) => Err(format!("the moves '{text}' do not read back: {error}")),
    }
}

fn check_repeatable<G: Game>(start: &G, seed: u64) -> Result<(), String> {
    let playout = || {
        let (mut position, mut rng, mut scratch) = (start.clone(), Rng::new(seed, 0), Vec::new());
        let mut codes = Vec::new();
        while position.turn() != Turn::Over && codes.len() < G::MAX_PLIES as usize {
            let action = match position.turn() {
                Turn::Chance => position.chance(&mut rng, &mut scratch),
                _ => position.random_action(&mut rng, &mut scratch),
            };
            let Some(action) = action else { break };
            codes.push(action.code());
            position.apply(action);
        }
        codes
    };
    require(playout() == playout(), || "two playouts with the same seed went differently".into())
}
