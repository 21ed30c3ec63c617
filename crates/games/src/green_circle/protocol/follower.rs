//! A game from one player's side: positions made of the player's views and own steps.

use super::super::cards::{ARCHITECTURE_STUDY, Cards, DAILY_ROUTINE, KINDS};
use super::super::position::{GreenCircle, MOST_DECISIONS, Phase};
use super::super::seat::{NOTHING, Seat};
use super::super::setup::Setup;
use super::super::step::Step;
use super::view::{Side, View};
use crate::contest_protocol::InputFault;

/// Assumed number of decisions in a turn of the other player. The referee does not tell it, but the game stops after
/// 200. The number is rather too low (the mean is 2.6), because a search that takes the game for over sees nothing.
const USUAL_DECISIONS: u8 = 2;

/// Bound of the assumed number of decisions. A player who is asked has a game to play: at least as many decisions as
/// two long turns take.
const LATEST: u8 = MOST_DECISIONS - 20;

/// One player's reconstruction of the position.
///
/// The referee does not tell who is player 0, how many plays are left, how many cards still go back, where a card will
/// be taken, or how the other player's cards lie. The follower infers this from earlier views and from the player's own
/// steps. It fills in unknown cards arbitrarily, so call [`determinize`](boughs::Game::determinize) for the player
/// before a search.
///
/// ```
/// use boughs_games::green_circle::protocol::{Follower, View, command_text};
/// use boughs_games::green_circle::{OwnLuck, Referee, Setup, Step};
/// use boughs::{Game, Turn};
///
/// let mut referee = Referee::new(&Setup::of_seed(1));
/// let told = referee.view().lines().join("\n");
/// let mut follower = Follower::default();
/// let view = View::read(&mut told.as_bytes()).unwrap().expect("a view");
/// let position = follower.see(&view).unwrap();
/// assert_eq!(position.turn(), Turn::Player(0));
/// let step = Step::Move { to: 5, from: 5 };
/// follower.act(step);
/// assert!(referee.answer(Some(&command_text(step)), &mut OwnLuck::new(1)).result.is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    /// The player, and the position after their last step.
    last: Option<(usize, GreenCircle)>,
}

impl Follower {
    /// Returns the position of a view. Its player is the player to move.
    ///
    /// # Errors
    /// The view has more cards than there are, or no card to choose from where one has to be chosen.
    pub fn see(&mut self, view: &View) -> Result<GreenCircle, InputFault> {
        let (player, last) = self.last.unwrap_or_else(|| {
            let player = usize::from(view.other.location >= 0);
            let before = if player == 1 { USUAL_DECISIONS } else { 0 };
            (player, GreenCircle { decisions: before, active: player as u8, ..GreenCircle::new(&Setup::of_seed(0)) })
        });
        let is_new = view.phase == Phase::Move;
        let is_first = self.last.is_none();
        let mut seats = [last.seats[player], last.seats[1 - player]];
        let size = match is_new {
            true => (u32::from(view.other.studies) + 4).min(view.other_cards.total()),
            false => seats[1].hand.total(),
        };
        let rest = view.other_cards.total().saturating_sub(size) as u8;
        if is_new && (!is_first || player == 1) {
            seats[1].gift = NOTHING;
            seats[1].told_draw = seats[1].told_draw.checked_sub(size as u8).unwrap_or(rest);
        }
        if is_new && !is_first {
            // A card more than are drawn was given by the other player; the view does not tell which.
            let count = (view.own.studies + 4).min(view.hand.total() as u8);
            let rest = (view.draw + view.discard).total() as u8;
            seats[0].told_draw = seats[0].told_draw.checked_sub(count).unwrap_or(rest);
        }
        let told = seats[1];
        seats[0] = seat(seats[0], view.own, view.hand, view.draw, view.discard, view.automated);
        let [hand, draw, discard] = split(view.other_cards, &told, size);
        seats[1] = Seat { lost: Cards::NONE, ..seat(told, view.other, hand, draw, discard, view.other_automated) };
        let board = board(&seats, view.played)?;
        let agrees = !is_new && last.phase == view.phase;
        let position = GreenCircle {
            seats: if player == 0 { seats } else { [seats[1], seats[0]] },
            board,
            played: view.played,
            applications: view.applications,
            phase: view.phase,
            active: player as u8,
            decisions: (last.decisions + if is_new && !is_first { USUAL_DECISIONS } else { 0 }).min(LATEST),
            plays: if agrees { last.plays } else { u8::from(view.phase == Phase::Play) },
            throws: if agrees { last.throws } else { u8::from(view.phase == Phase::Throw) },
            due: 0,
            from: match (view.phase, last.from) {
                (Phase::Throw | Phase::Give, NOTHING) => view.own.location.max(0) as u8,
                (Phase::Throw | Phase::Give, from) => from,
                _ => NOTHING,
            },
            is_last_round: (0..2).any(|player| seats[player].score >= super::super::application::GOAL),
            is_complete: false,
        };
        if matches!(view.phase, Phase::Throw | Phase::Give) && view.hand.skills() == 0 {
            return Err(InputFault::Impossible("a card has to be thrown or given, but the hand has none"));
        }
        self.last = Some((player, position));
        Ok(position)
    }

    /// Plays a step of the player in the position of the last view. A step that the rules do not allow changes nothing.
    pub fn act(&mut self, step: Step) {
        if let Some((_, position)) = &mut self.last
            && position.allows(step)
        {
            position.advance(step, &mut ());
        }
    }
}

fn seat(before: Seat, side: Side, hand: Cards, draw: Cards, discard: Cards, automated: Cards) -> Seat {
    let Side { location, score, routines, studies } = side;
    Seat { hand, draw, discard, automated, location, score, routines, studies, ..before }
}

/// Splits the other player's cards into hand, draw pile and discard pile: by kind, a gift first, because nothing better
/// is known.
fn split(cards: Cards, other: &Seat, size: u32) -> [Cards; 3] {
    let mut piles = [Cards::NONE; 3];
    let mut left = cards;
    if other.gift != NOTHING && size > 0 && cards.has(other.gift) {
        piles[0] += Cards::one(other.gift);
        left -= Cards::one(other.gift);
    }
    for kind in left.list() {
        let place = match () {
            _ if piles[0].total() < size => 0,
            _ if piles[1].total() < u32::from(other.told_draw) => 1,
            _ => 2,
        };
        piles[place] += Cards::one(kind);
    }
    piles
}

/// Computes the cards that are left for desks and pools.
fn board(seats: &[Seat; 2], played: Cards) -> Result<Cards, InputFault> {
    let mut left = Cards::ALL.counts();
    let mut take = |kind: usize, count: u8| -> Result<(), InputFault> {
        left[kind] = left[kind]
            .checked_sub(count)
            .ok_or(InputFault::Impossible("there are more cards of a kind than the game has"))?;
        Ok(())
    };
    for seat in seats {
        for pile in [seat.hand, seat.draw, seat.discard, seat.automated, seat.lost] {
            (0..KINDS).try_for_each(|kind| take(kind, pile.count(kind as u8)))?;
        }
        take(usize::from(DAILY_ROUTINE), seat.routines)?;
        take(usize::from(ARCHITECTURE_STUDY), seat.studies)?;
    }
    (0..KINDS).try_for_each(|kind| take(kind, played.count(kind as u8)))?;
    Cards::of(left).ok_or(InputFault::Impossible("there are more cards of a kind than the game has"))
}

#[cfg(test)]
mod tests {
    use boughs::{End, Game, Light, Playout, Rng, Turn};

    use super::super::super::{OwnLuck, Referee};
    use super::*;

    #[test]
    fn who_follows_knows_all_that_can_be_known() {
        for seed in 0..40 {
            let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(seed)), OwnLuck::new(seed));
            let (mut followers, mut rng) = ([Follower::default(), Follower::default()], Rng::new(seed, 9));
            while referee.ending().is_none() {
                let truth = *referee.position();
                let player = truth.active();
                let seen = followers[player].see(&referee.view()).expect("a position");
                let (mut known, mut followed) = (Vec::new(), Vec::new());
                truth.actions(&mut known);
                seen.actions(&mut followed);
                assert_eq!((truth.turn(), known), (seen.turn(), followed.clone()));
                let (own, other) = (truth.seats[player], truth.seats[1 - player]);
                let Seat { memory, gift, .. } = seen.seats[player];
                assert_eq!(seen.seats[player], Seat { memory, gift, ..own });
                let (told, lost) = (seen.seats[1 - player], other.lost);
                assert_eq!(seen.board, truth.board + lost);
                assert_eq!((told.merged(), told.hand.total()), (other.merged(), other.hand.total()));
                assert_eq!((told.gift, told.told_draw), (other.gift, other.told_draw));
                assert_eq!((seen.plays, seen.throws, seen.from), (truth.plays, truth.throws, truth.from));
                assert_eq!(seen.is_last_round, truth.is_last_round);
                let step = rng.pick(&followed).expect("a step");
                followers[player].act(step);
                let answered = referee.answer(Some(&super::super::command_text(step)), &mut luck);
                assert_eq!(answered.result, Ok(step));
            }
        }
    }

    #[test]
    fn a_player_who_is_asked_has_a_game_to_play_however_long_it_was() {
        let (mut longest, mut latest) = (0, 0);
        for seed in 0..20 {
            let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(seed)), OwnLuck::new(seed));
            let mut followers = [Follower::default(), Follower::default()];
            while referee.ending().is_none() {
                let follower = &mut followers[referee.position().active()];
                let seen = follower.see(&referee.view()).expect("a position");
                assert!(seen.decisions <= 180 && seen.turn() != Turn::Over, "{}", seen.decisions);
                latest = latest.max(seen.decisions);
                // No player releases anything, so that games go on to the last decision.
                let waits = matches!(referee.position().phase(), Phase::Play | Phase::Release);
                let line = if waits { "WAIT" } else { "RANDOM" };
                follower.act(referee.answer(Some(line), &mut luck).result.expect("a step"));
            }
            longest = longest.max(referee.position().decisions);
        }
        assert_eq!((longest, latest), (MOST_DECISIONS, 180));
    }

    #[test]
    fn views_that_do_not_fit_together_do_no_harm() {
        let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(5)), OwnLuck::new(5));
        let mut views = Vec::new();
        while referee.ending().is_none() {
            views.push(referee.view());
            referee.answer(Some("RANDOM"), &mut luck);
        }
        let (mut rng, mut follower) = (Rng::new(5, 1), Follower::default());
        for _ in 0..400 {
            let view = &views[rng.below(views.len() as u32) as usize];
            if let Ok(mut position) = follower.see(view) {
                let player = position.active();
                position.determinize(player, &mut rng);
                let step = position.random_action(&mut rng, &mut Vec::new());
                step.into_iter().for_each(|step| follower.act(step));
                // Every position that this makes can be played on.
                let end = Light.play(&mut position, &mut rng, &mut Vec::new(), 1_000, None);
                assert_eq!((end, position.turn()), (End::Over, Turn::Over));
            }
        }
        let doubled = View { hand: Cards::ALL, ..views[0].clone() };
        assert!(matches!(
            Follower::default().see(&doubled),
            Err(InputFault::Impossible("there are more cards of a kind than the game has"))
        ));
    }
}
