//! A small whist for three: follow suit, take tricks, and guess what the others hold.
//!
//! The deck has the six ranks 9 to A of the three suits c, d and h. Each player is dealt a hand, card by card in turn,
//! and what is left stays hidden from all. The first player leads; who has a card of the suit led must play one. The
//! highest trump takes the trick or, without trumps in it, the highest card of the suit led; the winner leads to the
//! next one. Who has taken most tricks wins, and players with equally many share the reward.

use boughs::{Action, Checksum, Game, Information, Rewards, Rng, Turn};

mod deals;

use crate::{Listed, Options};

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
    /// The suits that each player has shown to have none of, as cards.
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
    fn code(self) -> u32 {
        u32::from(self.0)
    }
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
    fn cards(self) -> u32 {
        0x3f << (RANKS * self as u8)
    }
}

impl Card {
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

    fn dealt(&self) -> u32 {
        u32::from(CARDS) - self.deck.count_ones()
    }

    /// The cards on the table.
    fn trick(&self) -> &[u8] {
        let plays = usize::from(self.plays);
        &self.played[plays - plays % PLAYERS..plays]
    }

    fn led(&self) -> Option<Suit> {
        self.trick().first().map(|&card| Card(card).suit())
    }

    /// The cards that whoever acts can choose from.
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
        let trick = &self.played[usize::from(self.plays) - PLAYERS..usize::from(self.plays)];
        let led = Card(trick[0]).suit();
        let strength = |place: &u8| {
            let card = Card(trick[usize::from(*place)]);
            (Some(card.suit()) == self.trump, card.suit() == led, card.0)
        };
        let place = (0..PLAYERS as u8).max_by_key(strength).unwrap_or_default();
        (self.leader + place) % PLAYERS as u8
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

    fn players(&self) -> usize {
        PLAYERS
    }

    fn turn(&self) -> Turn {
        let cards = PLAYERS as u8 * self.hand_size;
        match self.dealt() < u32::from(cards) {
            true => Turn::Chance,
            false if self.plays == cards => Turn::Over,
            false => Turn::Player(usize::from(self.leader + self.plays % PLAYERS as u8) % PLAYERS),
        }
    }

    fn actions(&self, out: &mut Vec<Card>) {
        out.extend(cards(self.choices()));
    }

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

    fn reward(&self, player: usize) -> f64 {
        match self.tricks.iter().all(|tricks| *tricks <= self.tricks[player]) {
            true => 1.0 / self.winners() as f64,
            false => 0.0,
        }
    }

    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Card>) -> Option<Card> {
        self.random_action(rng, scratch)
    }

    /// The hand, how far the deal is, and the cards played in order: they tell who played each and who leads. In which
    /// order the hand was dealt is forgotten.
    fn information(&self, player: usize) -> u64 {
        let mut known = Checksum::default();
        known.add(&self.hands[player].to_le_bytes());
        known.add(&[self.dealt() as u8]);
        known.add(&self.played[..usize::from(self.plays)]);
        known.value()
    }

    /// Deals the cards that `player` cannot see anew to the two others and the rest of the deck.
    fn determinise(&mut self, player: usize, rng: &mut Rng) {
        let others = [(player + 1) % PLAYERS, (player + 2) % PLAYERS];
        let hidden = others.iter().fold(self.deck, |cards, &other| cards | self.hands[other]);
        let sizes = others.map(|other| self.hands[other].count_ones());
        let may_hold = others.map(|other| !self.voids[other]);
        // The true deal is possible, so there always is one.
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
    /// The position as text, with the cards of those that are seen; nobody holds what was not dealt.
    fn drawn(&self, is_seen: impl Fn(Option<usize>) -> bool) -> String {
        let text = |set: u32, holder| match is_seen(holder) {
            true => cards(set).map(|card| format!(" {}", self.action_text(card))).collect::<String>(),
            false => format!(" {} cards", set.count_ones()),
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

/// The cards of a set, the lowest first.
fn cards(set: u32) -> impl Iterator<Item = Card> {
    (0..CARDS).filter(move |card| set >> card & 1 == 1).map(Card)
}

impl Listed for Whist {
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

    fn start(options: &mut Options) -> Result<Whist, String> {
        let hand_size = options.number("hand", 1..=u32::from(RANKS), DEFAULT_HAND)?;
        let trump = match options.word("trump", &["none", "c", "d", "h"])? {
            "c" => Some(Suit::Clubs),
            "d" => Some(Suit::Diamonds),
            "h" => Some(Suit::Hearts),
            _ => None,
        };
        Whist::new(hand_size, trump).ok_or_else(|| format!("there is no hand of {hand_size} cards"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::{legal_moves, play_moves};

    fn after(hand_size: u32, trump: Option<Suit>, moves: &str) -> Whist {
        let mut game = Whist::new(hand_size, trump).expect("a hand");
        play_moves(&mut game, moves).expect(moves);
        game
    }

    fn texts(game: &Whist) -> Vec<String> {
        legal_moves(game).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn cards_are_dealt_in_turn_and_the_first_player_leads() {
        let game = after(2, None, "9c 9d 9h Tc Td Th");
        assert_eq!((game.turn(), texts(&game)), (Turn::Player(0), vec!["9c".into(), "Tc".into()]));
        assert_eq!(after(2, None, "9c 9d 9h Tc Td").turn(), Turn::Chance);
    }

    #[test]
    fn who_can_follow_suit_must() {
        assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td")), ["9c", "Tc"]);
        assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td 9c")), ["Jc"]);
        assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td 9c Jc")), ["Td", "9h"]);
    }

    #[test]
    fn the_highest_card_of_the_suit_led_takes_the_trick_unless_there_is_a_trump() {
        for (trump, moves, winner) in [
            (None, "9c Jc Tc 9c Jc Tc", 1),
            (None, "9c Ad Ah 9c Ad Ah", 0),
            (Some(Suit::Hearts), "Ac Kc 9h Ac Kc 9h", 2),
            (Some(Suit::Hearts), "Ac Th 9h Ac Th 9h", 1),
            (Some(Suit::Clubs), "Ad Kd 9h Ad Kd 9h", 0),
        ] {
            let game = after(1, trump, moves);
            let rewards = [0, 1, 2].map(|player| game.reward(player));
            assert_eq!(game.turn(), Turn::Over, "{moves}");
            assert!((0..3).all(|player| (rewards[player] == 1.0) == (player == winner)), "{moves}: {rewards:?}");
        }
    }

    #[test]
    fn the_winner_of_a_trick_leads_to_the_next() {
        assert_eq!(after(2, None, "9c Jc Tc 9d Td Jd 9c Jc Tc").turn(), Turn::Player(1));
        assert_eq!(after(2, None, "9c Jc Tc 9d Td Jd 9c Jc Tc Td Jd").turn(), Turn::Player(0));
    }

    #[test]
    fn equally_many_tricks_share_the_reward() {
        let two = after(2, None, "9c Jc Tc Ad 9d Td 9c Jc Tc 9d Td Ad");
        assert_eq!([0, 1, 2].map(|player| two.reward(player)), [0.5, 0.5, 0.0]);
        let three = after(3, None, "9c Tc Jc Td Jd 9d Jh 9h Th 9c Tc Jc 9d Td Jd 9h Th Jh");
        assert_eq!([0, 1, 2].map(|player| three.reward(player)), [1.0 / 3.0; 3]);
    }

    #[test]
    fn nobody_is_given_a_suit_they_did_not_follow() {
        // The second player holds no clubs: they are with the third, or were not dealt.
        let game = after(2, None, "9c 9d Tc Jc Td Qc 9c 9d Tc");
        let (mut rng, mut holders) = (Rng::new(6, 0), [0; PLAYERS]);
        for _ in 0..1_000 {
            let mut position = game;
            position.determinise(0, &mut rng);
            (0..PLAYERS).for_each(|player| holders[player] |= position.hands[player] & Suit::Clubs.cards());
        }
        assert_eq!(holders.map(|clubs| cards(clubs).count()), [1, 0, 3]);
    }

    #[test]
    fn a_hand_is_known_to_its_player_alone() {
        let (one, other) = (after(2, None, "9c 9d 9h Tc Td Th"), after(2, None, "9c 9h 9d Tc Th Td"));
        assert_eq!(one.information(0), other.information(0));
        assert_ne!(one.information(1), other.information(1));
        assert_eq!(one.information(2), after(2, None, "Td Tc 9h 9d 9c Th").information(2));
    }

    #[test]
    fn the_order_of_the_cards_played_is_known() {
        let deal = "9c Tc Jc 9d Td Jd 9h Th Jh";
        let (one, other) = (format!("{deal} 9c Tc Jc Jd 9d Td"), format!("{deal} 9d Td Jd Jc 9c Tc"));
        assert!(
            (0..3).all(|player| {
                after(3, None, &one).information(player) != after(3, None, &other).information(player)
            })
        );
    }

    #[test]
    fn hands_have_one_to_six_cards() {
        assert!([0, 7, 99].iter().all(|&size| Whist::new(size, None).is_none()));
        assert!((1..=6).all(|size| Whist::new(size, None).is_some()));
    }
}
