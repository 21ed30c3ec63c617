//! Steps and positions in words, and positions as pictures, for pages.

use super::application::{GOAL, pair};
use super::cards::{ARCHITECTURE_STUDY, BONUS, Cards, DAILY_ROUTINE, DEBT, DESKS};
use super::position::{GreenCircle, MOST_DECISIONS, Phase};
use super::seat::Seat;
use super::step::Step;
use crate::Part;

/// The names of the kinds of cards, which are those of the desks too.
pub(super) const CARDS: &[&str] = &[
    "Training",
    "Coding",
    "Daily Routine",
    "Task Prioritization",
    "Architecture Study",
    "Continuous Integration",
    "Code Review",
    "Refactoring",
    "Bonus",
    "Technical Debt",
];

pub(super) const LEGEND: &str = "The eight desks stand in a ring, each with the cards that lie there, and a dot for a \
     player who is there. A card has the colour of its desk and the number of its kind in the pile. An application \
     needs two cards of each of its kinds; a Bonus does the work of half a card, and work that is missing costs \
     Technical Debt. Automated cards count in every release, cards at work until the next one. A bar on the left marks \
     the parts that the last move changed. An onlooker sees both hands, and a player one.";

fn name(kind: u8) -> &'static str {
    CARDS.get(usize::from(kind)).copied().unwrap_or_default()
}

/// Says the cards of a pile, each kind once.
fn listed(cards: Cards) -> String {
    let some = (0..).zip(cards.counts()).filter(|&(_, count)| count > 0);
    let names: Vec<String> = some
        .map(|(kind, count)| if count == 1 { name(kind).to_string() } else { format!("{count} {}", name(kind)) })
        .collect();
    if names.is_empty() { "nothing".to_string() } else { names.join(", ") }
}

impl GreenCircle {
    /// Says a step in a few words.
    pub(super) fn words(&self, step: Step) -> String {
        match step {
            Step::Move { to, from } if to == from => format!("goes to {}", name(to)),
            Step::Move { to, from } => format!("goes to {}, takes {}", name(to), name(from)),
            Step::Throw(kind) => format!("puts {} back", name(kind)),
            Step::Give(kind) => format!("gives {}", name(kind)),
            Step::Play(kind) => format!("plays {}", name(kind)),
            Step::Prioritize { drop, take } => format!("exchanges {} for {}", name(drop), name(take)),
            Step::Automate(kind) => format!("automates {}", name(kind)),
            Step::Release(id) => format!("releases {}", pair(id).map(name).join(" + ")),
            Step::Wait if self.phase == Phase::Play => "plays no more".to_string(),
            Step::Wait => "releases nothing".to_string(),
            Step::Deal(seed) => format!("deals set-up {seed}"),
            Step::Draw(drawn) => format!("draws {}", listed(drawn.cards())),
        }
    }

    /// The picture of the position as a player sees it, or with the cards of both.
    pub(super) fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        let board = viewer.map_or(self.board, |viewer| self.board + self.seats[1 - viewer].lost);
        let board = self.shown(board);
        let pieces = self.seats.iter().map(|seat| usize::try_from(seat.location).ok()).collect();
        let pools = Cards::one(BONUS) + Cards::one(DEBT);
        let in_pools = (0..).zip(&board).map(|(kind, &count)| if pools.has(kind) { count } else { 0 }).collect();
        let sets = |id: u8| (id.to_string(), pair(id).map(usize::from).to_vec());
        let applications = self.open_applications().filter(|_| self.is_dealt()).map(sets).collect();
        let mut parts = vec![
            Part::Words { seat: None, text: self.situation() },
            Part::Ring { cards: std::array::from_fn(|desk| board[desk]), pieces },
            Part::open_pile("pools", in_pools),
            Part::Sets { name: "open applications", sets: applications },
            Part::open_pile("played in this turn", self.shown(self.played)),
        ];
        for (player, seat) in self.seats.iter().enumerate() {
            parts.push(Part::Words { seat: Some(player), text: seat.situation(player) });
            let is_seen = viewer.is_none_or(|viewer| viewer == player);
            let hand = self.shown(seat.hand);
            parts.push(Part::hand(player, hand, is_seen));
            let open = [("automated", seat.automated), ("at work", seat.at_work())];
            let own = [("draw pile", seat.draw), ("discard pile", seat.discard), ("lost", seat.lost)];
            // A player knows which cards the other has, and not in which of the piles they are.
            let merged = [("hand and piles together", seat.merged())];
            let piles = open.iter().chain(if is_seen { &own[..] } else { &merged });
            parts.extend(piles.map(|&(name, cards)| Part::open_pile(name, self.shown(cards))));
        }
        parts
    }

    /// The counts of a pile; none before the cards are dealt.
    fn shown(&self, cards: Cards) -> Vec<u32> {
        let cards = if self.is_dealt() { cards } else { Cards::NONE };
        cards.counts().map(u32::from).to_vec()
    }

    /// Says whose turn it is, and what for.
    fn situation(&self) -> String {
        if !self.is_dealt() {
            return "The cards are still to be dealt.".to_string();
        }
        if self.is_over() {
            return format!("The game is over after {} decisions.", self.decisions);
        }
        let task = match (self.due, self.phase) {
            (1.., _) => format!("draws {}", count(self.due, "card")),
            (_, Phase::Move) => "goes to a desk".to_string(),
            (_, Phase::Throw) => format!("puts {} back", count(self.throws, "card")),
            (_, Phase::Give) => "gives a card to the other".to_string(),
            (_, Phase::Play) => format!("may play {}", count(self.plays, "card")),
            (_, Phase::Release) => "may release an application".to_string(),
            (_, Phase::Redraw) => "draws the next hand".to_string(),
        };
        let last = if self.is_last_round { ", in the last round" } else { "" };
        let (number, player) = (self.decisions + 1, self.active + 1);
        format!("Decision {number} of at most {MOST_DECISIONS}: player {player} {task}{last}.")
    }
}

impl Seat {
    /// The cards at work until the next release.
    fn at_work(&self) -> Cards {
        let some = |kind, count| (0..count).fold(Cards::NONE, |cards, _| cards + Cards::one(kind));
        some(DAILY_ROUTINE, self.routines) + some(ARCHITECTURE_STUDY, self.studies)
    }

    fn situation(&self, player: usize) -> String {
        let desk = match u8::try_from(self.location) {
            Ok(desk) if desk < DESKS => format!("at {}", name(desk)),
            _ => "at no desk yet".to_string(),
        };
        format!("player {}: {} of {GOAL} applications released, {desk}", player + 1, self.score)
    }
}

fn count(number: u8, thing: &str) -> String {
    if number == 1 { format!("one {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use boughs::notation::play_moves;
    use boughs::{Action, Game};

    use super::*;
    use crate::NamedGame;

    #[test]
    fn every_step_of_a_game_has_words_and_every_position_the_same_parts() {
        let mut game = GreenCircle::not_dealt();
        let parts = game.picture(None).len();
        for word in ["s77"].into_iter().chain(GreenCircle::BENCH[2].split_whitespace().skip(1)) {
            let Some(step) = boughs::notation::find_move(&game, word) else { break };
            let words = game.words(step);
            assert!(words.len() > word.len() && !words.contains("  "), "{word}: {words}");
            game.apply(step);
            assert_eq!(game.picture(None).len(), parts);
        }
    }

    #[test]
    fn a_picture_has_the_cards_of_the_position() {
        let mut game = GreenCircle::not_dealt();
        assert!(game.picture(None).iter().all(|part| match part {
            Part::Pile { cards, .. } => cards.iter().all(|&count| count == 0),
            Part::Ring { cards, pieces } => *cards == [0; 8] && pieces.iter().all(Option::is_none),
            _ => true,
        }));
        play_moves(&mut game, "s77 m5").expect("legal moves");
        let picture = game.picture(None);
        let Part::Ring { cards, pieces } = &picture[1] else { panic!("the desks") };
        assert_eq!((cards[5], cards[4], pieces), (4, 5, &vec![Some(5), None]));
        let Part::Pile { name: "hand", cards, .. } = &picture[6] else { panic!("a hand: {picture:?}") };
        assert_eq!(cards.iter().sum::<u32>(), game.seat(0).hand.total());
        assert_eq!(cards[5], u32::from(game.seat(0).hand.count(5)));
        let pile = listed(Cards::ALL - Cards::one(7));
        assert!(pile.ends_with("5 Code Review, 4 Refactoring, 36 Bonus, 100 Technical Debt"), "{pile}");
        assert_eq!(
            game.words(Step::from_code(Step::Release(13).code())),
            "releases Daily Routine + Task Prioritization"
        );
    }
}
