//! The official referee: it keeps hands and draw piles in order, writes its questions, and judges answers as in the
//! contest.

mod judge;
mod list;
mod luck;
mod order;

use super::cards::Cards;
use super::position::{GreenCircle, Phase};
use super::protocol::{View, read_answer};
use super::rules::Witness;
use super::setup::Setup;
use super::step::{Drawn, Step};
use boughs::{Game, Turn};

pub use self::judge::{Fault, judge};
pub use self::list::{Offer, offers};
pub use self::luck::{Luck, OwnLuck, random_steps};
use self::order::Hands;

/// A game as the official referee runs it: decision by decision.
///
/// ```
/// use boughs_games::green_circle::{OwnLuck, Phase, Referee, Setup};
///
/// let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(1)), OwnLuck::new(1));
/// assert_eq!(referee.view().lines()[0], "MOVE");
/// let answered = referee.answer(Some("MOVE 5 to automate"), &mut luck);
/// assert_eq!(answered.result.unwrap().to_string(), "m5");
/// assert_eq!(referee.position().phase(), Phase::Play);
/// assert!(referee.answer(Some("DANCE"), &mut luck).result.is_err());
/// assert_eq!(referee.ending().unwrap().winner, Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referee {
    position: GreenCircle,
    hands: Hands,
    /// The draw piles, from bottom to top.
    draws: [Vec<u8>; 2],
    disqualified: Option<(usize, Fault)>,
}

/// The outcome of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The step, or the fault that disqualifies the player.
    pub result: Result<Step, Fault>,
    /// The message that the viewer shows; empty if there is none, or if the answer is at fault.
    pub message: String,
    /// The outcomes of chance, in order.
    pub chance: Vec<Happened>,
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The discard pile became the draw pile, in this order from bottom to top.
    Shuffled(Vec<u8>),
    /// A card was drawn.
    Drew {
        /// The kind of the card.
        kind: u8,
        /// True for a card of the next hand, false for one drawn by a played card.
        is_redraw: bool,
    },
}

/// A reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A player has released five applications, and the round is complete.
    FiveApplications,
    /// 200 decisions were made.
    MostDecisions,
    /// An answer disqualified its player.
    Disqualified(Fault),
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason for the end.
    pub reason: Reason,
    /// The winner, if there is one.
    pub winner: Option<usize>,
    /// The official referee's scores: releases, or less TECHNICAL_DEBT if these are equal, or 1 and 0.
    pub scores: [i32; 2],
}

impl Referee {
    /// The start of a game.
    pub fn new(setup: &Setup) -> Referee {
        // The first card drawn lies on top.
        let hands = setup.piles.map(|pile| pile[4..].iter().rev().copied().collect());
        let draws = setup.piles.map(|pile| pile[..4].to_vec());
        Referee { position: GreenCircle::new(setup), hands: Hands(hands), draws, disqualified: None }
    }

    /// The position, without the order of cards.
    pub fn position(&self) -> &GreenCircle {
        &self.position
    }

    /// The cards in a player's hand, in the order they came.
    pub fn hand(&self, player: usize) -> &[u8] {
        &self.hands.0[player]
    }

    /// The draw pile of a player, from bottom to top.
    pub fn draw_pile(&self, player: usize) -> &[u8] {
        &self.draws[player]
    }

    /// The choices of the player to move, in the official referee's order, with its repetitions.
    pub fn offers(&self) -> Vec<Offer> {
        offers(&self.position, self.hand(self.position.active()))
    }

    /// The view of the player to move.
    pub fn view(&self) -> View {
        let player = self.position.active();
        View::of(&self.position, player, self.offers().iter().map(ToString::to_string).collect())
    }

    /// Takes the answer of the player to move, a line without its end, or `None` if it came too late. Once the game is
    /// over nothing changes any more, and every answer is out of place.
    pub fn answer(&mut self, line: Option<&str>, luck: &mut impl Luck) -> Answered {
        let said = read_answer(line.unwrap_or_default());
        let judged = match line {
            _ if self.ending().is_some() => Err(Fault::Format),
            None => Err(Fault::Timeout),
            Some(_) => judge(&self.position, said.command),
        };
        let player = self.position.active();
        let result = judged.and_then(|step| match step.or_else(|| luck.pick(&random_steps(&self.position))) {
            Some(step) => Ok(step),
            None => Err(Fault::Exception),
        });
        let message = result.map(|step| said.message(&self.position, step)).unwrap_or_default();
        let mut chance = Vec::new();
        match result {
            Ok(step) => self.play(step, luck, &mut chance),
            Err(_) if self.ending().is_some() => {}
            Err(fault) => self.disqualified = Some((player, fault)),
        }
        Answered { result, message, chance }
    }

    fn play(&mut self, step: Step, luck: &mut impl Luck, chance: &mut Vec<Happened>) {
        self.position.advance(step, &mut self.hands);
        while self.position.turn() == Turn::Chance {
            let player = self.position.active();
            let is_redraw = self.position.phase() == Phase::Redraw;
            let drawn: Vec<u8> = (0..self.position.draws()).map_while(|_| self.draw(luck, is_redraw, chance)).collect();
            let cards = drawn.iter().fold(Cards::NONE, |cards, &kind| cards + Cards::one(kind));
            drawn.into_iter().for_each(|kind| self.hands.came(player, kind));
            self.position.advance(Step::Draw(Drawn::packed(cards)), &mut self.hands);
        }
    }

    /// Draws the card on top.
    fn draw(&mut self, luck: &mut impl Luck, is_redraw: bool, chance: &mut Vec<Happened>) -> Option<u8> {
        let player = self.position.active();
        if self.draws[player].is_empty() {
            let pile = luck.shuffle(self.position.seat(player).discard);
            chance.push(Happened::Shuffled(pile.clone()));
            self.draws[player] = pile;
        }
        let kind = self.draws[player].pop()?;
        chance.push(Happened::Drew { kind, is_redraw });
        Some(kind)
    }

    /// The end of the game, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        let seats = [0, 1].map(|player| self.position.seat(player));
        if let Some((loser, fault)) = self.disqualified {
            let scores = [0, 1].map(|player| i32::from(player != loser));
            return Some(Ending { reason: Reason::Disqualified(fault), winner: Some(1 - loser), scores });
        }
        let reason = match self.position.is_complete() {
            true => Reason::FiveApplications,
            false if self.position.is_over() => Reason::MostDecisions,
            false => return None,
        };
        let scores = match seats[0].score == seats[1].score {
            true => seats.map(|seat| -(seat.debt() as i32)),
            false => seats.map(|seat| i32::from(seat.score)),
        };
        Some(Ending { reason, winner: self.position.leader(), scores })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{BONUS, DEBT};
    use super::*;

    fn play(line: &str, referee: &mut Referee) -> Result<Step, Fault> {
        referee.answer(Some(line), &mut OwnLuck::new(1)).result
    }

    #[test]
    fn counts_and_order_agree_through_games_by_chance() {
        for seed in 0..60 {
            let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(seed)), OwnLuck::new(seed));
            while referee.ending().is_none() {
                let answered = referee.answer(Some("RANDOM"), &mut luck);
                assert!(answered.result.is_ok(), "{answered:?}");
                let position = referee.position();
                let mut all = position.board_cards() + position.played();
                for player in 0..2 {
                    let seat = position.seat(player);
                    let count = |list: &[u8]| list.iter().fold(Cards::NONE, |cards, &kind| cards + Cards::one(kind));
                    assert_eq!(count(referee.hand(player)), seat.hand);
                    assert_eq!(count(referee.draw_pile(player)), seat.draw);
                    all += seat.merged() + seat.automated + seat.lost;
                    (0..seat.routines).for_each(|_| all += Cards::one(2));
                    (0..seat.studies).for_each(|_| all += Cards::one(4));
                }
                assert_eq!(all, Cards::ALL);
            }
        }
    }

    #[test]
    fn a_late_answer_and_a_wrong_one_lose() {
        let mut referee = Referee::new(&Setup::of_seed(1));
        assert!(play("MOVE 5", &mut referee).is_ok());
        let mut late = referee.clone();
        assert_eq!(late.answer(None, &mut OwnLuck::new(1)).result, Err(Fault::Timeout));
        let ending = late.ending().expect("an ending");
        assert_eq!((ending.winner, ending.scores), (Some(1), [0, 1]));
        assert_eq!(play("WAIT", &mut late), Err(Fault::Format));
        assert_eq!(late.ending(), Some(ending));
        assert_eq!(play("GIVE 8", &mut referee), Err(Fault::Format));
        assert_eq!(referee.ending().map(|ending| ending.reason), Some(Reason::Disqualified(Fault::Format)));
    }

    #[test]
    fn the_bonus_and_debt_of_a_first_hand_lie_in_order() {
        let referee = Referee::new(&Setup { applications: 0xfff, piles: [[8, 8, 9, 9, 8, 9, 9, 8]; 2] });
        assert_eq!((referee.hand(0), referee.draw_pile(1)), (&[BONUS, DEBT, DEBT, BONUS][..], &[8, 8, 9, 9][..]));
    }
}
