//! Goofspiel, the game of pure strategy: two players bid cards for prizes, both at the same time.
//!
//! Each player holds the same cards, worth 1 to 13 points. The cards of a third suit are the prizes, one after the
//! other, in random order or from the highest down. For each prize both players bid a card in secret, and then both
//! bids are shown: the higher bid takes the points of the prize, and equal bids leave it. Both bids are spent. The
//! player with more points in the end wins.

use boughs::checksum::Checksum;
use boughs::notation;
use boughs::{Action, Game, Information, Rewards, Rng, Turn};

use crate::comparison::reward_for_more;
use crate::{NamedGame, Options, Part};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goofspiel {
    /// The cards of each player; bit `points` stands for the card worth that many.
    hands: [u16; 2],
    /// The prizes to come.
    prizes: u16,
    order: Order,
    /// The prize under way, if it lies open.
    prize: Option<Card>,
    /// The first player's secret bid for it.
    bid: Option<Card>,
    points: [u8; 2],
    /// All open cards so far, in order.
    seen: Checksum,
}

/// The order in which the prizes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Each prize that is left is equally likely.
    Random,
    /// The highest one first.
    Descending,
}

/// A card, worth 1 to 13 points: a bid or a prize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Action for Card {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Card {
        Card(code as u8)
    }
}

const MOST_CARDS: u32 = 13;
const RANKS: &[u8] = b"?A23456789TJQK";

impl Goofspiel {
    /// The start with this many cards a hand, from 2 to 13, or `None` for any other number.
    pub fn new(cards: u32, order: Order) -> Option<Goofspiel> {
        if !(2..=MOST_CARDS).contains(&cards) {
            return None;
        }
        let all = (2 << cards) - 2;
        let mut start = Goofspiel {
            hands: [all; 2],
            prizes: all,
            order,
            prize: None,
            bid: None,
            points: [0; 2],
            seen: Checksum::default(),
        };
        start.go_on();
        Some(start)
    }

    /// Reveals the highest prize if the order is known.
    #[inline]
    fn go_on(&mut self) {
        if self.order == Order::Descending && self.prizes != 0 {
            self.reveal(Card(self.prizes.ilog2() as u8));
        }
    }

    #[inline]
    fn reveal(&mut self, prize: Card) {
        self.prizes &= !(1 << prize.0);
        self.prize = Some(prize);
        self.seen.add(&[prize.0]);
    }

    /// Shows both bids for a prize, and gives it to the higher one.
    #[inline]
    fn award(&mut self, prize: Card, bids: [Card; 2]) {
        self.seen.add(&bids.map(|bid| bid.0));
        for (player, bid) in bids.into_iter().enumerate() {
            self.hands[player] &= !(1 << bid.0);
            if bid > bids[1 - player] {
                self.points[player] += prize.0;
            }
        }
        (self.prize, self.bid) = (None, None);
        self.go_on();
    }

    /// The cards that the player to act or chance can choose from.
    #[inline]
    fn choices(&self) -> u16 {
        match self.turn() {
            Turn::Chance => self.prizes,
            Turn::Player(player) => self.hands[player],
            Turn::Over => 0,
        }
    }
}

impl Game for Goofspiel {
    type Action = Card;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Simultaneous;
    const MAX_PLIES: u32 = 3 * MOST_CARDS;

    #[inline]
    fn turn(&self) -> Turn {
        match (self.prize, self.bid) {
            (None, _) if self.prizes == 0 => Turn::Over,
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(0),
            _ => Turn::Player(1),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Card>) {
        out.extend(cards(self.choices()));
    }

    #[inline]
    fn apply(&mut self, card: Card) {
        match (self.prize, self.bid) {
            (None, _) => self.reveal(card),
            (_, None) => self.bid = Some(card),
            (Some(prize), Some(first)) => self.award(prize, [first, card]),
        }
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        reward_for_more(self.points[player], self.points[1 - player])
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Card>) -> Option<Card> {
        self.random_action(rng, scratch)
    }

    #[inline]
    fn information(&self, player: usize) -> u64 {
        let mut known = self.seen;
        let own_bid = self.bid.filter(|_| player == 0);
        known.add(&[own_bid.map_or(0, |bid| bid.0)]);
        known.value()
    }

    #[inline]
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        self.bid = self.bid.filter(|_| player == 0);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Card>) -> Option<Card> {
        let choices = self.choices();
        (choices != 0).then(|| Card(rng.pick_bit(u64::from(choices)) as u8))
    }

    fn action_text(&self, card: Card) -> String {
        char::from(RANKS.get(usize::from(card.0)).copied().unwrap_or(RANKS[0])).to_string()
    }

    fn board(&self) -> String {
        let text = |set: u16| cards(set).map(|card| self.action_text(card)).collect::<String>();
        let mut board = match self.prize {
            Some(prize) => format!("prize: {}, then {}\n", self.action_text(prize), text(self.prizes)),
            None => format!("prizes to come: {}\n", text(self.prizes)),
        };
        for player in 0..2 {
            let bid = if player == 0 && self.bid.is_some() { ", has bid" } else { "" };
            let (points, hand) = (self.points[player], text(self.hands[player]));
            board += &format!("player {}: {points:>2} points, holds {hand}{bid}\n", player + 1);
        }
        board
    }
}

/// The cards of a set as a picture counts them.
fn counted(set: u16) -> Vec<u32> {
    (1..=MOST_CARDS).map(|card| u32::from(set >> card & 1)).collect()
}

/// The cards of a set, the lowest first.
#[inline]
fn cards(set: u16) -> impl Iterator<Item = Card> {
    (1..=MOST_CARDS as u8).filter(move |card| set >> card & 1 == 1).map(Card)
}

impl NamedGame for Goofspiel {
    const NAME: &'static str = "goofspiel";
    const SUMMARY: &'static str =
        "Goofspiel: both bid a card in secret for each prize; the higher bid takes its points.";
    const NOTATION: &'static str = "a card is A 2 to 9 T J Q K; a round is the prize, unless the order is descending, \
                                    then the bids of both: 7T9 is T against 9 for a 7";
    const OPTIONS: &'static str = "cards=2..13 (default 13), order=random|descending (default random)";
    const CARDS: &'static [&'static str] = &["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
    const BENCH: [&'static str; 3] = ["6", "636K492", "636K49273J5782JQT44"];

    fn start(options: &mut Options) -> Result<Goofspiel, String> {
        let cards = options.number("cards", 2..=MOST_CARDS, MOST_CARDS)?;
        let order = match options.word("order", &["random", "descending"])? {
            "descending" => Order::Descending,
            _ => Order::Random,
        };
        Goofspiel::new(cards, order)
            .ok_or_else(|| format!("there is no game with {}", notation::counted(cards, "cards")))
    }

    fn picture(&self, _: Option<usize>) -> Vec<Part> {
        let mut parts = vec![
            Part::open_pile("prize", counted(self.prize.map_or(0, |prize| 1 << prize.0))),
            Part::open_pile("prizes to come", counted(self.prizes)),
        ];
        for player in 0..2 {
            let bid = if player == 0 && self.bid.is_some() { ", has bid" } else { "" };
            let points = notation::counted(self.points[player], "points");
            let text = format!("player {}: {points}{bid}", player + 1);
            parts.push(Part::Words { seat: Some(player), text });
            parts.push(Part::hand(player, counted(self.hands[player]), true));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::{legal_moves, play_moves};
    use std::collections::BTreeSet;

    fn after(cards: u32, order: Order, moves: &str) -> Goofspiel {
        let mut game = Goofspiel::new(cards, order).expect("a number of cards");
        play_moves(&mut game, moves).expect(moves);
        game
    }

    fn texts(game: &Goofspiel) -> String {
        legal_moves(game).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn the_higher_bid_takes_the_prize_and_equal_bids_leave_it() {
        assert_eq!(after(3, Order::Random, "2A3").points, [0, 2]);
        assert_eq!(after(3, Order::Random, "23A").points, [2, 0]);
        assert_eq!(after(3, Order::Random, "222").points, [0, 0]);
    }

    #[test]
    fn bids_are_gone_when_they_are_shown_and_prizes_when_they_were_bid_for() {
        assert_eq!(texts(&after(3, Order::Random, "")), "A23");
        assert_eq!(texts(&after(3, Order::Random, "2A3")), "A3");
        assert_eq!(texts(&after(3, Order::Random, "2A3A")), "23");
        assert_eq!(texts(&after(3, Order::Random, "2A3A3")), "A2");
    }

    #[test]
    fn descending_prizes_need_no_chance() {
        let game = after(3, Order::Descending, "");
        assert_eq!((game.turn(), game.prize), (Turn::Player(0), Some(Card(3))));
        assert_eq!(after(3, Order::Descending, "A2").prize, Some(Card(2)));
        assert_eq!(after(3, Order::Random, "").turn(), Turn::Chance);
    }

    #[test]
    fn more_points_win_and_equal_points_are_a_draw() {
        for (moves, points, first) in [("2AA332", [4, 2], 1.0), ("3AA223", [3, 3], 0.5), ("23AA32", [1, 3], 0.0)] {
            let game = after(3, Order::Descending, moves);
            assert_eq!((game.points, game.turn()), (points, Turn::Over), "{moves}");
            assert_eq!((game.reward(0), game.reward(1)), (first, 1.0 - first), "{moves}");
        }
    }

    #[test]
    fn a_bid_is_hidden_until_both_are_made() {
        let start = after(4, Order::Random, "3");
        let mut first_bids = BTreeSet::new();
        for bid in ["A", "2", "3", "4"] {
            let pending = after(4, Order::Random, &format!("3{bid}"));
            first_bids.insert(pending.information(0));
            assert_eq!(pending.information(1), start.information(1));
            let (mut own, mut others) = (pending, pending);
            own.determinize(0, &mut Rng::new(1, 0));
            others.determinize(1, &mut Rng::new(1, 0));
            assert_eq!((own, others), (pending, start));
        }
        assert_eq!(first_bids.len(), 4);
        let shown = ["324", "34A", "342", "334"].map(|moves| after(4, Order::Random, moves).information(1));
        assert_eq!(BTreeSet::from(shown).len(), 4, "shown bids are known");
    }

    #[test]
    fn what_has_been_seen_is_remembered_in_order() {
        let (one, other) = (after(3, Order::Random, "2AA322"), after(3, Order::Random, "3222AA"));
        assert_eq!((one.hands, one.prizes, one.points), (other.hands, other.prizes, other.points));
        assert!((0..2).all(|player| one.information(player) != other.information(player)));
    }

    #[test]
    fn there_are_two_to_thirteen_cards() {
        assert!([0, 1, 14, 99].iter().all(|&cards| Goofspiel::new(cards, Order::Random).is_none()));
        assert!((2..=13).all(|cards| Goofspiel::new(cards, Order::Random).is_some()));
    }

    #[test]
    fn the_board_tells_that_a_bid_was_made_but_not_which() {
        assert_eq!(
            after(3, Order::Random, "2A332").board(),
            "prize: 3, then A\nplayer 1:  0 points, holds 23, has bid\nplayer 2:  2 points, holds A2\n"
        );
    }
}
