//! A small whist for three: follow suit, take tricks, and guess what the others hold.
//!
//! The deck has the six ranks 9 to A of the three suits c, d and h. Each player is dealt a hand, card by card in turn,
//! and the rest stays hidden from all. The first player leads; a player who has a card of the suit led must play one.
//! The highest trump takes the trick or, without trumps in it, the highest card of the suit led; the winner leads to
//! the next trick. The player with most tricks wins, and players with equally many share the reward.

use boughs::checksum::Checksum;
use boughs::notation;
use boughs::{Action, Game, Information, Rewards, Rng, Turn};

mod deals;
#[cfg(test)]
mod tests;

use crate::{NamedGame, Options, Part};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Whist {
    hands: [u32; PLAYERS],
    /// The cards that have not been dealt.
    deck: u32,
    hand_size: u8,
    trump: Option<Suit>,
    /// The cards played, in order, then zeros.
    played: [u8; CARDS as usize],
    plays: u8,
    leader: u8,
    tricks: [u8; PLAYERS],
    /// The suits that each player is known not to hold, as cards.
    voids: [u32; PLAYERS],
}

/// A suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suit {
    /// The letter c.
    Clubs,
    /// The letter d.
    Diamonds,
    /// The letter h.
    Hearts,
}

/// A card: six times its suit, and its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

const PLAYERS: usize = 3;
const RANKS: u8 = 6;
const CARDS: u8 = 3 * RANKS;
const DEFAULT_HAND: u32 = 5;

impl Suit {
    /// All cards of the suit.
    #[inline]
    fn cards(self) -> u32 {
        0x3f << (RANKS * self as u8)
    }
}

impl Card {
    #[inline]
    fn suit(self) -> Suit {
        match self.0 / RANKS {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            _ => Suit::Hearts,
        }
    }
}

impl Whist {
    /// The start with hands of 1 to 6 cards, or `None` for any other size.
    pub fn new(hand_size: u32, trump: Option<Suit>) -> Option<Whist> {
        (1..=u32::from(RANKS)).contains(&hand_size).then_some(Whist {
            hands: [0; PLAYERS],
            deck: (1 << CARDS) - 1,
            hand_size: hand_size as u8,
            trump,
            played: [0; CARDS as usize],
            plays: 0,
            leader: 0,
            tricks: [0; PLAYERS],
            voids: [0; PLAYERS],
        })
    }

    #[inline]
    fn dealt(&self) -> u32 {
        u32::from(CARDS) - self.deck.count_ones()
    }

    /// The cards on the table.
    #[inline]
    fn trick(&self) -> &[u8] {
        let plays = usize::from(self.plays);
        &self.played[plays - plays % PLAYERS..plays]
    }

    #[inline]
    fn led(&self) -> Option<Suit> {
        self.trick().first().map(|&card| Card(card).suit())
    }

    /// The cards that the player to act or chance can choose from.
    #[inline]
    fn choices(&self) -> u32 {
        match self.turn() {
            Turn::Over => 0,
            Turn::Chance => self.deck,
            Turn::Player(player) => {
                let hand = self.hands[player];
                let following = self.led().map_or(0, |led| hand & led.cards());
                if following != 0 { following } else { hand }
            }
        }
    }

    fn play(&mut self, player: usize, card: Card) {
        if let Some(led) = self.led().filter(|&led| led != card.suit()) {
            self.voids[player] |= led.cards();
        }
        self.hands[player] &= !(1 << card.0);
        self.played[usize::from(self.plays)] = card.0;
        self.plays += 1;
        if self.trick().is_empty() {
            self.leader = self.winner_of_last_trick();
            self.tricks[usize::from(self.leader)] += 1;
        }
    }

    fn winner_of_last_trick(&self) -> u8 {
        (self.leader + self.place_of_winner(self.last_trick())) % PLAYERS as u8
    }

    fn last_trick(&self) -> &[u8] {
        &self.played[usize::from(self.plays) - PLAYERS..usize::from(self.plays)]
    }

    /// The place of the winning card in a trick.
    fn place_of_winner(&self, trick: &[u8]) -> u8 {
        let led = Card(trick[0]).suit();
        let strength = |place: &u8| {
            let card = Card(trick[usize::from(*place)]);
            (Some(card.suit()) == self.trump, card.suit() == led, card.0)
        };
        (0..PLAYERS as u8).max_by_key(strength).unwrap_or_default()
    }

    /// The player who led, and the cards on the table, which lie there until the next one is led.
    fn shown_trick(&self) -> (usize, &[u8]) {
        if self.plays == 0 || !self.trick().is_empty() {
            return (usize::from(self.leader), self.trick());
        }
        // The winner leads now.
        let trick = self.last_trick();
        (usize::from(self.leader + PLAYERS as u8 - self.place_of_winner(trick)) % PLAYERS, trick)
    }

    fn winners(&self) -> usize {
        let most = self.tricks.iter().max();
        self.tricks.iter().filter(|&tricks| Some(tricks) == most).count()
    }
}

impl Game for Whist {
    type Action = Card;
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const INFORMATION: Information = Information::Hidden;
    const MAX_PLIES: u32 = 2 * CARDS as u32;

    #[inline]
    fn players(&self) -> usize {
        PLAYERS
    }

    #[inline]
    fn turn(&self) -> Turn {
        let cards = PLAYERS as u8 * self.hand_size;
        match self.dealt() < u32::from(cards) {
            true => Turn::Chance,
            false if self.plays == cards => Turn::Over,
            false => Turn::Player(usize::from(self.leader + self.plays % PLAYERS as u8) % PLAYERS),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Card>) {
        out.extend(cards(self.choices()));
    }

    #[inline]
    fn apply(&mut self, card: Card) {
        match self.turn() {
            Turn::Chance => {
                self.hands[self.dealt() as usize % PLAYERS] |= 1 << card.0;
                self.deck &= !(1 << card.0);
            }
            Turn::Player(player) => self.play(player, card),
            Turn::Over => {}
        }
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        match self.tricks.iter().all(|tricks| *tricks <= self.tricks[player]) {
            true => 1.0 / self.winners() as f64,
            false => 0.0,
        }
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Card>) -> Option<Card> {
        self.random_action(rng, scratch)
    }

    /// Covers the hand, the number of dealt cards, and the cards played in order: they tell which player played each
    /// card and which player leads. It leaves out the order in which the hand was dealt.
    #[inline]
    fn information(&self, player: usize) -> u64 {
        let mut known = Checksum::default();
        known.add(&self.hands[player].to_le_bytes());
        known.add(&[self.dealt() as u8]);
        known.add(&self.played[..usize::from(self.plays)]);
        known.value()
    }

    /// Deals the cards that `player` cannot see again, to the two others and the rest of the deck.
    #[inline]
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        let others = [(player + 1) % PLAYERS, (player + 2) % PLAYERS];
        let hidden = others.iter().fold(self.deck, |cards, &other| cards | self.hands[other]);
        let sizes = others.map(|other| self.hands[other].count_ones());
        let may_hold = others.map(|other| !self.voids[other]);
        // The true deal is possible, so there is always one.
        let Some(hands) = deals::draw(hidden, sizes, may_hold, rng) else { return };
        self.deck = hidden & !(hands[0] | hands[1]);
        (0..2).for_each(|i| self.hands[others[i]] = hands[i]);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Card>) -> Option<Card> {
        let choices = self.choices();
        (choices != 0).then(|| Card(rng.pick_bit(u64::from(choices)) as u8))
    }

    fn action_text(&self, card: Card) -> String {
        let (rank, suit) = (b"9TJQKA"[usize::from(card.0 % RANKS)], b"cdh"[card.suit() as usize]);
        [rank, suit].map(char::from).iter().collect()
    }

    fn board(&self) -> String {
        self.drawn(|_| true)
    }

    fn board_for(&self, player: usize) -> String {
        self.drawn(|holder| holder == Some(player))
    }
}

impl Whist {
    /// Writes the position. `is_seen` tells for each player, and for the cards not dealt (`None`), if their cards are
    /// shown.
    fn drawn(&self, is_seen: impl Fn(Option<usize>) -> bool) -> String {
        let text = |set: u32, holder| match is_seen(holder) {
            true => cards(set).map(|card| format!(" {}", self.action_text(card))).collect::<String>(),
            false => format!(" {}", notation::counted(set.count_ones(), "cards")),
        };
        let mut board = String::new();
        for player in 0..PLAYERS {
            let (tricks, hand) = (self.tricks[player], text(self.hands[player], Some(player)));
            board += &format!("player {}: tricks {tricks}, holds{hand}\n", player + 1);
        }
        let trick: String = self.trick().iter().map(|&card| format!(" {}", self.action_text(Card(card)))).collect();
        board + &format!("on the table:{trick}\nnot dealt:{}\n", text(self.deck, None))
    }
}

/// The cards of a set as a picture counts them.
fn counted(set: u32) -> Vec<u32> {
    (0..CARDS).map(|card| set >> card & 1).collect()
}

/// The cards of a set, the lowest first.
#[inline]
fn cards(set: u32) -> impl Iterator<Item = Card> {
    (0..CARDS).filter(move |card| set >> card & 1 == 1).map(Card)
}

impl NamedGame for Whist {
    const NAME: &'static str = "whist";
    const SUMMARY: &'static str = "A small whist for three with hidden hands: follow suit; most tricks win.";
    const NOTATION: &'static str = "a card is its rank, 9 T J Q K A, and its suit, c d h: first the cards as they are \
                                    dealt in turn, then as they are played";
    const OPTIONS: &'static str = "hand=1..6 (default 5), trump=none|c|d|h (default none)";
    const BENCH: [&'static str; 3] = [
        "Td Qc Qd Ah Kc 9h Tc Jd Ac Qh Jc Kd Th 9c Jh",
        "Td Qc Qd Ah Kc 9h Tc Jd Ac Qh Jc Kd Th 9c Jh Ah Qc 9h",
        "Td Qc Qd Ah Kc 9h Tc Jd Ac Qh Jc Kd Th 9c Jh Ah Qc 9h Td Jd Qd Kd",
    ];
    #[rustfmt::skip]
    const CARDS: &'static [&'static str] = &[
        "9♣", "T♣", "J♣", "Q♣", "K♣", "A♣",
        "9♦", "T♦", "J♦", "Q♦", "K♦", "A♦",
        "9♥", "T♥", "J♥", "Q♥", "K♥", "A♥",
    ];

    fn start(options: &mut Options) -> Result<Whist, String> {
        let hand_size = options.number("hand", 1..=u32::from(RANKS), DEFAULT_HAND)?;
        let trump = match options.word("trump", &["none", "c", "d", "h"])? {
            "c" => Some(Suit::Clubs),
            "d" => Some(Suit::Diamonds),
            "h" => Some(Suit::Hearts),
            _ => None,
        };
        Whist::new(hand_size, trump)
            .ok_or_else(|| format!("there is no hand of {}", notation::counted(hand_size, "cards")))
    }

    fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        let trump = match self.trump {
            Some(Suit::Clubs) => "♣ are trumps",
            Some(Suit::Diamonds) => "♦ are trumps",
            Some(Suit::Hearts) => "♥ are trumps",
            None => "there are no trumps",
        };
        let (leader, trick) = self.shown_trick();
        let situation = match self.turn() {
            Turn::Chance => "The cards are still to be dealt".to_string(),
            Turn::Over => "All tricks are taken".to_string(),
            Turn::Player(player) if self.trick().is_empty() => format!("Player {} leads", player + 1),
            Turn::Player(_) => format!("Player {} has led", leader + 1),
        };
        let mut parts = vec![Part::Words { seat: None, text: format!("{situation}; {trump}.") }];
        for (player, &hand) in self.hands.iter().enumerate() {
            let tricks = self.tricks[player];
            let text = format!("player {}: {tricks} {}", player + 1, if tricks == 1 { "trick" } else { "tricks" });
            let played = trick.get((player + PLAYERS - leader) % PLAYERS).map_or(0, |&card| 1 << card);
            parts.push(Part::Words { seat: Some(player), text });
            parts.push(Part::hand(player, counted(hand), viewer.is_none_or(|viewer| viewer == player)));
            parts.push(Part::open_pile("played", counted(played)));
        }
        parts.push(match viewer {
            None => Part::open_pile("not dealt", counted(self.deck)),
            Some(_) => Part::hidden_pile("not dealt", self.deck.count_ones()),
        });
        parts
    }

    fn action_words(&self, card: Card) -> String {
        <Whist as NamedGame>::CARDS[usize::from(card.0)].to_string()
    }
}
