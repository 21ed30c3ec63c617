//! Checks of hidden information: players know what they must, and a determinization gives nothing away.
//!
//! A leak shows when two different positions are the same to a player. One way to get such a pair is to follow
//! another course that the game could have taken ([`Twins`]), another is to call `determinize`. With the same random
//! numbers `determinize` must make the same of both positions, because it may look at nothing in which they differ.
//! Two positions are the same if no player can see a difference, neither at once nor when both are played on alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::recall::Recall;
use super::twins::Twins;
use super::{Checked, require};
use crate::notation::counted;
use crate::{End, Information, PlayoutKind, Position, Rng, Turn};

/// The number of plies that two positions are played on to find a difference.
const FURTHER: u32 = 64;

/// The state of the checks, kept from position to position and from game to game.
#[derive(Default)]
pub(super) struct Knowledge {
    twins: Twins,
    recall: Recall,
}

impl Knowledge {
    /// Begins another game.
    pub(super) fn begin(&mut self, start: &dyn Position) {
        self.twins.begin(start.players());
        self.recall.begin();
    }

    /// Checks what each player knows in a position that is not over.
    pub(super) fn check(
        &mut self,
        position: &dyn Position,
        rng: &mut Rng,
        checked: &mut Checked,
    ) -> Result<(), String> {
        if position.facts().information == Information::Perfect {
            return Ok(());
        }
        for player in 0..position.players() {
            let drawn = check_drawn(position, player, rng)?;
            check_alike(position, &*drawn, player, rng)?;
            let mut others = u64::from(difference(position, &*drawn, rng).is_some());
            if let Some(twin) = self.twins.of(player) {
                check_alike(position, twin, player, rng)?;
                others += 1;
            }
            checked.hidden += others;
        }
        match position.turn() {
            Turn::Player(player) => self.recall.turn(player, position.information(player)),
            _ => Ok(()),
        }
    }

    /// Goes on from `before` to `after`, and checks that the acting player knows what they did.
    pub(super) fn follow(
        &mut self,
        before: &dyn Position,
        action: u32,
        after: &dyn Position,
        rng: &mut Rng,
    ) -> Result<(), String> {
        if before.facts().information == Information::Perfect || after.turn() == Turn::Over {
            return Ok(());
        }
        if let Turn::Player(player) = before.turn() {
            self.recall.act(player, action);
        }
        self.twins.follow(before, action, after, rng)
    }
}

/// Checks that the games played had something to hide, if the game declares it.
pub(super) fn check_something_hidden(declared: Information, checked: &Checked) -> Result<(), String> {
    let games = checked.games;
    require(declared == Information::Perfect || games == 0 || checked.hidden > 0, || {
        format!(
            "the game declares Information::{declared:?}, but in {} nothing was hidden from any player: \
             either `information` tells players too much, or Information::Perfect would be right",
            counted(games, "games")
        )
    })
}

/// Checks the determinization of a position for a player, and returns it.
fn check_drawn(position: &dyn Position, player: usize, rng: &mut Rng) -> Result<Box<dyn Position>, String> {
    let known = position.information(player);
    require(position.information(player) == known, || {
        format!("`information` gives another number for player {player} when asked again")
    })?;
    let mut drawn = position.clone_position();
    drawn.determinize(player, rng);
    require(drawn.information(player) == known, || {
        format!(
            "what player {player} knows is not the same after `determinize`: either that changes something they know, \
             or `information` tells them something they do not know"
        )
    })?;
    let played =
        catch_unwind(AssertUnwindSafe(|| drawn.clone().play_out(PlayoutKind::Light, &mut rng.clone(), FURTHER, None)));
    let trouble = match &played {
        Ok(End::Stuck) => Some("a player or chance acts there but has no action".to_string()),
        Ok(_) => None,
        Err(panic) => Some(format!("the game panicked: {}", crate::run::panic_text(&**panic))),
    };
    if let Some(trouble) = trouble {
        return Err(format!("what `determinize` makes of this for player {player} cannot be played on: {trouble}"));
    }
    check_made_again(position, &*drawn, player, rng)?;
    Ok(drawn)
}

/// Checks that the player comes to their turn again with the same information, once others have made the choices again
/// that `determinize` took back.
fn check_made_again(position: &dyn Position, drawn: &dyn Position, player: usize, rng: &mut Rng) -> Result<(), String> {
    if position.turn() != Turn::Player(player) {
        return Ok(());
    }
    let (known, mut again) = (position.information(player), drawn.clone_position());
    let mut actions = Vec::new();
    for _ in 0..FURTHER {
        match again.turn() {
            Turn::Player(other) if other != player && again.information(player) == known => {
                actions.clear();
                again.actions(&mut actions);
                let Some(action) = rng.pick(&actions) else { break };
                again.apply(action);
            }
            _ => break,
        }
    }
    let as_before = again.turn() == Turn::Player(player) && again.information(player) == known;
    require(as_before, || {
        format!(
            "it is the turn of player {player}, but not any more after `determinize`, nor when the others have chosen \
             again: it takes back more than what they have just chosen in secret"
        )
    })?;
    check_same_choices(position, &*again, player)
}

/// Checks two positions that a player cannot tell apart.
fn check_alike(position: &dyn Position, other: &dyn Position, player: usize, rng: &mut Rng) -> Result<(), String> {
    check_same_choices(position, other, player)?;
    let stream = Rng::new(rng.bits(), 0);
    let [one, two] = [position, other].map(|from| {
        let mut drawn = from.clone_position();
        drawn.determinize(player, &mut stream.clone());
        drawn
    });
    match difference(&*one, &*two, &stream) {
        None => Ok(()),
        Some(what) => Err(format!(
            "`determinize` keeps something of the true position that player {player} does not know: from two positions \
             that they cannot tell apart it makes, with the same random numbers, two that differ in {what}"
        )),
    }
}

/// Checks that the acting player knows the legal actions.
fn check_same_choices(position: &dyn Position, other: &dyn Position, player: usize) -> Result<(), String> {
    if [position.turn(), other.turn()] != [Turn::Player(player); 2] {
        return Ok(());
    }
    let (here, there) = (texts(position), texts(other));
    require(here == there, || {
        format!(
            "player {player} cannot know what is legal: here it is {}, but {} in a position that they cannot tell from \
             it",
            here.join(" "),
            there.join(" ")
        )
    })
}

fn texts(position: &dyn Position) -> Vec<String> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions.into_iter().map(|action| position.action_text(action)).collect()
}

/// A difference between two positions that a player can see, at once or when both are played on with the same random
/// numbers.
fn difference(one: &dyn Position, two: &dyn Position, stream: &Rng) -> Option<String> {
    visible(one, two).or_else(|| {
        let [one, two] = [one, two].map(|from| {
            let mut end = from.clone_position();
            end.play_out(PlayoutKind::Light, &mut stream.clone(), FURTHER, None);
            end
        });
        visible(&*one, &*two).map(|what| format!("{what} some moves later"))
    })
}

/// A difference between two positions that a player can see at once.
fn visible(one: &dyn Position, two: &dyn Position) -> Option<String> {
    let mut players = 0..one.players();
    if one.turn() != two.turn() {
        return Some("whose turn it is".into());
    }
    if one.turn() == Turn::Over {
        if players.any(|player| one.reward(player).to_bits() != two.reward(player).to_bits()) {
            return Some("the rewards".into());
        }
    } else {
        if let Some(player) = players.find(|&player| one.information(player) != two.information(player)) {
            return Some(format!("what player {player} knows"));
        }
        let [here, there] = [one, two].map(|position| {
            let mut actions = Vec::new();
            position.actions(&mut actions);
            actions
        });
        if here != there {
            return Some("what is legal".into());
        }
    }
    (one.board() != two.board()).then(|| "the board".into())
}
