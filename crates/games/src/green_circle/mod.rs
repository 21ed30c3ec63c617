//! Green Circle: walk round eight desks, collect cards, and be the first to release five of twelve applications.
//!
//! The rules are those of CodinGame's contest of 2022 by Societe Generale, as its referee has them in the upper leagues
//! (github.com/societe-generale/GreenCircle). A turn is a chain of decisions: the desk to go to and the card to take
//! there, the cards to put back and to give away on the way, the cards to play, and the application to release. Then
//! the next hand is drawn.
//!
//! Piles are counts, because no player knows their order. [`Referee`] keeps the order where the official referee needs
//! one, and [`protocol`] has its conversation with a player, both on top of the same rules.

mod application;
mod cards;
mod choices;
mod contest_referee;
mod draw;
mod drawing;
mod features;
mod kinds;
mod knowledge;
mod position;
pub mod protocol;
mod referee;
mod rules;
mod search;
mod seat;
mod setup;
mod step;
#[cfg(test)]
mod tests;
mod turn;
mod urn;
mod weights;
mod words;

use boughs::{Game, Information, Rewards, Rng, Turn};

pub use self::application::{APPLICATIONS, GOAL, OPEN, allowance, cost, missing, need, pair};
pub use self::cards::{
    ARCHITECTURE_STUDY, BONUS, CODE_REVIEW, CODING, CONTINUOUS_INTEGRATION, Cards, DAILY_ROUTINE, DEBT, DESKS, KINDS,
    REFACTORING, TASK_PRIORITIZATION, TRAINING,
};
use self::contest_referee::OfficialReferee;
pub use self::kinds::Kinds;
pub use self::position::{GreenCircle, MOST_DECISIONS, Phase};
pub use self::referee::{
    Answered, Ending, Fault, Happened, Luck, Offer, OwnLuck, Reason, Referee, judge, offers, random_steps,
};
pub use self::seat::Seat;
pub use self::setup::Setup;
pub use self::step::{DEALS, Drawn, Step};
use crate::{ContestReferee, NamedGame, Options, Part, Tallies};

impl Game for GreenCircle {
    type Action = Step;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Hidden;
    /// A decision leads to at most three draws: nine cards, four at a time.
    const MAX_PLIES: u32 = 4 * MOST_DECISIONS as u32;

    #[inline]
    fn turn(&self) -> Turn {
        match self.due > 0 {
            true => Turn::Chance,
            false if self.is_over() => Turn::Over,
            false => Turn::Player(self.active()),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Step>) {
        match self.due > 0 {
            // There are too many deals for a list.
            true if !self.is_dealt() => {}
            true => self.list_draws(out),
            false => self.list(out),
        }
    }

    #[inline]
    fn apply(&mut self, step: Step) {
        self.advance(step, &mut ());
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        self.leader().map_or(0.5, |leader| if leader == player { 1.0 } else { 0.0 })
    }

    #[inline]
    fn weight(&self, outcome: Step) -> u32 {
        match outcome {
            Step::Draw(drawn) => self.ways(drawn),
            _ => 0,
        }
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        Some(match self.is_dealt() {
            true => self.draw_by_chance(rng),
            false => Step::Deal(rng.below(DEALS)),
        })
    }

    fn parse_outcome(&self, text: &str) -> Option<Step> {
        let step = Step::parse_outcome(text)?;
        let is_legal = if matches!(step, Step::Deal(_)) { !self.is_dealt() } else { self.allows(step) };
        is_legal.then_some(step)
    }

    #[inline]
    fn evaluation(&self, player: usize) -> Option<f64> {
        Some(crate::win_rate(self, player, &weights::LEARNED))
    }

    #[inline]
    fn ends_turn(&self) -> bool {
        self.is_between_turns()
    }

    #[inline]
    fn information(&self, player: usize) -> u64 {
        self.known(player)
    }

    #[inline]
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        self.forget(player, rng);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        self.pick(rng)
    }

    fn action_text(&self, step: Step) -> String {
        step.to_string()
    }

    fn board(&self) -> String {
        self.drawn(None)
    }

    fn board_for(&self, player: usize) -> String {
        self.drawn(Some(player))
    }
}

impl NamedGame for GreenCircle {
    const NAME: &'static str = "green-circle";
    const SUMMARY: &'static str = "Green Circle: walk, collect and play cards to release five applications first.";
    const NOTATION: &'static str = "m5 goes to desk 5, m56 takes the card of desk 6; t8 puts a card back and g8 gives \
                                    it; p0 plays a card, p380 exchanges 8 for 0, p58 automates 8; r12 releases, w \
                                    waits; d0889 is a hand drawn; where chance deals, s7 is the set-up of seed 7";
    const OPTIONS: &'static str =
        "seed=0..4294967295 (default 1), or seed=any, which leaves the set-up to chance (default in matches)";
    const IN_MATCHES: &'static str = "seed=any";
    const BENCH: [&'static str; 3] = ["", include_str!("middle.txt"), include_str!("late.txt")];
    const LEGEND: &'static str = words::LEGEND;
    const CARDS: &'static [&'static str] = words::CARDS;

    fn start(options: &mut Options) -> Result<GreenCircle, String> {
        let Some(text) = options.text("seed")? else { return Ok(GreenCircle::new(&Setup::of_seed(1))) };
        match text.parse::<u32>() {
            Ok(seed) => Ok(GreenCircle::new(&Setup::of_seed(seed.into()))),
            Err(_) if text.eq_ignore_ascii_case("any") => Ok(GreenCircle::not_dealt()),
            Err(_) => Err(format!("seed must be a number from 0 to {}, or any, not '{text}'", u32::MAX)),
        }
    }

    fn tallies(&self) -> Tallies {
        vec![
            ("applications released", self.seats.iter().map(|seat| seat.score.into()).collect()),
            ("technical debt", self.seats.iter().map(|seat| seat.debt().into()).collect()),
        ]
    }

    fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        self.picture(viewer)
    }

    fn action_words(&self, step: Step) -> String {
        self.words(step)
    }

    fn referee(&self, luck: Rng) -> Option<Box<dyn ContestReferee<GreenCircle>>> {
        Some(Box::new(OfficialReferee::new(luck)))
    }
}
