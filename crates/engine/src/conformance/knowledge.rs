//! Whether players know what they must, and whether what is drawn for them in place of the rest gives nothing away.
//!
//! A leak shows when two different positions are the same to a player. One way to get such a pair is to follow what
//! else could have happened ([`Twins`]), another is to draw for the player what they do not know. `determinise` must
//! make the same of both with the same random numbers, as it may look at nothing in which they differ. Two positions
//! are the same if nobody can see a difference, neither at once nor when both are played on alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::recall::Recall;
use super::twins::Twins;
use super::{Checked, require};
use crate::{Action, End, Game, Information, Light, Playout, Rng, Turn};

/// How far positions are played on to see whether they are the same.
const FURTHER: u32 = 64;

/// What is remembered from position to position and from game to game.
pub(super) struct Knowledge<G> {
    twins: Twins<G>,
    recall: Recall,
}

impl<G> Default for Knowledge<G> {
    fn default() -> Self {
        Knowledge { twins: Twins::default(), recall: Recall::default() }
    }
}

impl<G: Game> Knowledge<G> {
    pub(super) fn begin(&mut self, start: &G) {
        self.twins.begin(start.players());
        self.recall.begin();
    }

    /// Checks what each player knows in a position that is not over.
    pub(super) fn check(&mut self, position: &G, rng: &mut Rng, checked: &mut Checked) -> Result<(), String> {
        if G::INFORMATION == Information::Perfect {
            return Ok(());
        }
        for player in 0..position.players() {
            let drawn = check_drawn(position, player, rng)?;
            check_alike(position, &drawn, player, rng)?;
            let mut others = u64::from(difference(position, &drawn, rng).is_some());
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

    /// Goes on from `before` to `after`, and checks that who acted knows what they did.
    pub(super) fn follow(&mut self, before: &G, action: G::Action, after: &G, rng: &mut Rng) -> Result<(), String> {
        if G::INFORMATION == Information::Perfect || after.turn() == Turn::Over {
            return Ok(());
        }
        if let Turn::Player(player) = before.turn() {
            self.recall.act(player, action.code());
        }
        self.twins.follow(before, action, after, rng)
    }
}

/// Checks that the games played had something to hide, if they declare it.
pub(super) fn check_something_hidden<G: Game>(checked: &Checked) -> Result<(), String> {
    let games = checked.games;
    require(G::INFORMATION == Information::Perfect || games == 0 || checked.hidden > 0, || {
        let declared = G::INFORMATION;
        format!(
            "the game declares Information::{declared:?}, but in {games} games nothing was hidden from anybody: \
             either `information` tells players too much, or Information::Perfect would be right"
        )
    })
}

/// Checks the position that `determinise` makes of this one for a player, and returns it.
fn check_drawn<G: Game>(position: &G, player: usize, rng: &mut Rng) -> Result<G, String> {
    let known = position.information(player);
    require(position.information(player) == known, || {
        format!("`information` gives another number for player {player} when asked again")
    })?;
    let mut drawn = position.clone();
    drawn.determinise(player, rng);
    require(drawn.information(player) == known, || {
        format!(
            "what player {player} knows is not the same after `determinise`: either that changes something they know, \
             or `information` tells them something they do not know"
        )
    })?;
    let played = catch_unwind(AssertUnwindSafe(|| {
        Light.play(&mut drawn.clone(), &mut rng.clone(), &mut Vec::new(), FURTHER, None)
    }));
    let trouble = match &played {
        Ok(End::Stuck) => Some("somebody is to act but has nothing to choose from".to_string()),
        Ok(_) => None,
        Err(panic) => Some(format!("the game panicked: {}", crate::panic_text(&**panic))),
    };
    if let Some(trouble) = trouble {
        return Err(format!("what `determinise` makes of this for player {player} cannot be played on: {trouble}"));
    }
    check_made_again(position, &drawn, player, rng)?;
    Ok(drawn)
}

/// Checks that the player comes to their turn again, knowing what they knew, once others have made the choices again
/// that `determinise` took back.
fn check_made_again<G: Game>(position: &G, drawn: &G, player: usize, rng: &mut Rng) -> Result<(), String> {
    if position.turn() != Turn::Player(player) {
        return Ok(());
    }
    let (known, mut again) = (position.information(player), drawn.clone());
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
            "it is the turn of player {player}, but not any more after `determinise`, nor when the others have chosen \
             again: it takes back more than what they have just chosen in secret"
        )
    })?;
    check_same_choices(position, &again, player)
}

/// Checks two positions that a player cannot tell apart.
fn check_alike<G: Game>(position: &G, other: &G, player: usize, rng: &mut Rng) -> Result<(), String> {
    check_same_choices(position, other, player)?;
    let stream = Rng::new(rng.bits(), 0);
    let [one, two] = [position, other].map(|from| {
        let mut drawn = from.clone();
        drawn.determinise(player, &mut stream.clone());
        drawn
    });
    match difference(&one, &two, &stream) {
        None => Ok(()),
        Some(what) => Err(format!(
            "`determinise` keeps something of the true position that player {player} does not know: from two positions \
             that they cannot tell apart it makes, with the same random numbers, two that differ in {what}"
        )),
    }
}

/// Checks that who acts knows what they may do.
fn check_same_choices<G: Game>(position: &G, other: &G, player: usize) -> Result<(), String> {
    if [position.turn(), other.turn()] != [Turn::Player(player); 2] {
        return Ok(());
    }
    let (here, there) = (texts(position), texts(other));
    require(here == there, || {
        format!(
            "player {player} cannot know what is legal: here it is {}, but {} in a position that they cannot tell from it",
            here.join(" "),
            there.join(" ")
        )
    })
}

fn texts<G: Game>(position: &G) -> Vec<String> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions.into_iter().map(|action| position.action_text(action)).collect()
}

/// In what two positions differ for somebody, at once or when both are played on with the same random numbers.
fn difference<G: Game>(one: &G, two: &G, stream: &Rng) -> Option<String> {
    visible(one, two).or_else(|| {
        let [one, two] = [one, two].map(|from| {
            let mut end = from.clone();
            Light.play(&mut end, &mut stream.clone(), &mut Vec::new(), FURTHER, None);
            end
        });
        visible(&one, &two).map(|what| format!("{what} some moves later"))
    })
}

fn visible<G: Game>(one: &G, two: &G) -> Option<String> {
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
