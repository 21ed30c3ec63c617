//! Kuhn poker: three cards, one bet, and still a reason to bluff (Kuhn 1950).
//!
//! Each of two players pays one chip and gets one of the cards J, Q and K; the third card stays hidden. The first
//! player checks or bets one chip. After a check the second player may check, so that the cards are shown, or bet. The
//! player who faces a bet folds, and the other wins without showing; or calls, and the cards are shown: the higher card
//! wins. The reward is the player's win in chips.

use boughs::{Action, Game, Information, Rewards, Rng, Turn};

use crate::{NamedGame, Options, Part};

/// A position: the cards, once they are dealt, and the betting so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kuhn {
    cards: Option<[u8; 2]>,
    history: History,
}

/// The betting so far, without the cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum History {
    #[default]
    Start,
    Check,
    Bet,
    CheckBet,
    CheckCheck,
    CheckBetFold,
    CheckBetCall,
    BetFold,
    BetCall,
}

use History::{Bet, BetCall, BetFold, Check, CheckBet, CheckBetCall, CheckBetFold, CheckCheck, Start};

/// A move of a player, or a deal of two cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

/// Moves of players. The six deals have the lower numbers.
const CHECK: Move = Move(6);
const BET: Move = Move(7);
const CALL: Move = Move(8);
const FOLD: Move = Move(9);

const DEALS: [[u8; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];
const CARDS: [char; 3] = ['J', 'Q', 'K'];

impl Action for Move {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Move {
        Move(code as u8)
    }
}

impl Kuhn {
    /// The card of a player, once it is dealt: J, Q or K.
    pub fn card(&self, player: usize) -> Option<char> {
        let card = *self.cards?.get(player)?;
        CARDS.get(usize::from(card)).copied()
    }

    /// Returns true if both players see the cards.
    #[inline]
    fn is_shown(&self) -> bool {
        matches!(self.history, CheckCheck | CheckBetCall | BetCall)
    }
}

impl Game for Kuhn {
    type Action = Move;
    const REWARDS: Rewards = Rewards { sum: Some(0.0), ..Rewards::scores(-2.0, 2.0) };
    const INFORMATION: Information = Information::Hidden;
    const MAX_PLIES: u32 = 4;
    const ACTIONS_RECUR: bool = false;

    #[inline]
    fn turn(&self) -> Turn {
        match self.history {
            _ if self.cards.is_none() => Turn::Chance,
            Start | CheckBet => Turn::Player(0),
            Check | Bet => Turn::Player(1),
            CheckCheck | CheckBetFold | CheckBetCall | BetFold | BetCall => Turn::Over,
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Move>) {
        match self.history {
            _ if self.cards.is_none() => out.extend((0..DEALS.len() as u8).map(Move)),
            Start | Check => out.extend([CHECK, BET]),
            CheckBet | Bet => out.extend([FOLD, CALL]),
            CheckCheck | CheckBetFold | CheckBetCall | BetFold | BetCall => {}
        }
    }

    #[inline]
    fn apply(&mut self, action: Move) {
        self.history = match (self.history, action) {
            (Start, CHECK) => Check,
            (Start, BET) => Bet,
            (Check, CHECK) => CheckCheck,
            (Check, BET) => CheckBet,
            (CheckBet, FOLD) => CheckBetFold,
            (CheckBet, CALL) => CheckBetCall,
            (Bet, FOLD) => BetFold,
            (Bet, CALL) => BetCall,
            (history, deal) => {
                self.cards = DEALS.get(usize::from(deal.0)).copied().or(self.cards);
                history
            }
        };
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let Some([first, second]) = self.cards else { return 0.0 };
        let higher = if first > second { 1.0 } else { -1.0 };
        let first = match self.history {
            CheckCheck => higher,
            CheckBetCall | BetCall => 2.0 * higher,
            CheckBetFold => -1.0,
            BetFold => 1.0,
            Start | Check | Bet | CheckBet => 0.0,
        };
        if player == 0 { first } else { -first }
    }

    #[inline]
    fn cut_reward(&self, _: usize) -> f64 {
        0.0
    }

    #[inline]
    fn information(&self, player: usize) -> u64 {
        let number = |card: u8| 1 + u64::from(card);
        let own = self.cards.map_or(0, |cards| number(cards[player]));
        let shown = self.cards.filter(|_| self.is_shown()).map_or(0, |cards| number(cards[1 - player]));
        100 * self.history as u64 + 10 * shown + own
    }

    /// Gives the other player one of the two cards that `player` does not have, unless the cards were shown.
    #[inline]
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        let is_shown = self.is_shown();
        if let Some(cards) = self.cards.as_mut().filter(|_| !is_shown) {
            cards[1 - player] = (cards[player] + 1 + rng.below(2) as u8) % 3;
        }
    }

    fn action_text(&self, action: Move) -> String {
        match (action, DEALS.get(usize::from(action.0))) {
            (_, Some(deal)) => deal.iter().map(|&card| CARDS[usize::from(card)]).collect(),
            (CHECK, _) => "check".into(),
            (BET, _) => "bet".into(),
            (CALL, _) => "call".into(),
            _ => "fold".into(),
        }
    }

    fn board(&self) -> String {
        self.drawn([true, true])
    }

    fn board_for(&self, player: usize) -> String {
        self.drawn([0, 1].map(|holder| holder == player || self.is_shown()))
    }
}

impl Kuhn {
    /// Writes the position with those cards that are seen.
    fn drawn(&self, is_seen: [bool; 2]) -> String {
        if self.cards.is_none() {
            return "the cards are not dealt\n".into();
        }
        let card = |player: usize| self.card(player).filter(|_| is_seen[player]).unwrap_or('?');
        let (first, second) = (card(0), card(1));
        format!("player 1: {first}\nplayer 2: {second}\n{}\n", self.betting())
    }

    /// The betting so far in words.
    fn betting(&self) -> &'static str {
        match self.history {
            Start => "to act",
            Check => "check",
            Bet => "bet",
            CheckBet => "check, bet",
            CheckCheck => "check, check",
            CheckBetFold => "check, bet, fold",
            CheckBetCall => "check, bet, call",
            BetFold => "bet, fold",
            BetCall => "bet, call",
        }
    }
}

impl NamedGame for Kuhn {
    const NAME: &'static str = "kuhn";
    const SUMMARY: &'static str = "Kuhn poker: three cards, one bet, and a reason to bluff.";
    const NOTATION: &'static str = "first the cards of both players, J Q or K, then check, bet, call or fold: \
                                    JK check bet fold";
    const OPTIONS: &'static str = "";
    const BENCH: [&'static str; 3] = ["QJ", "QJ check", "QK check bet"];

    const CARDS: &'static [&'static str] = &["J", "Q", "K"];

    fn start(_: &mut Options) -> Result<Kuhn, String> {
        Ok(Kuhn::default())
    }

    fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        let text = match (self.cards, self.history) {
            (None, _) => "The cards are not dealt.".to_string(),
            (Some(_), Start) => "The cards are dealt.".to_string(),
            (Some(_), _) => format!("So far: {}.", self.betting()),
        };
        let mut parts = vec![Part::Words { seat: None, text }];
        for player in 0..2 {
            let is_seen = viewer.is_none_or(|viewer| viewer == player) || self.is_shown();
            let mut hand = vec![0; CARDS.len()];
            self.cards.iter().for_each(|cards| hand[usize::from(cards[player])] = 1);
            parts.push(Part::Words { seat: Some(player), text: format!("player {}", player + 1) });
            parts.push(Part::hand(player, hand, is_seen));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;
    use std::collections::BTreeMap;

    fn after(moves: &str) -> Kuhn {
        let mut game = Kuhn::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    /// All positions of the game.
    fn all_positions() -> Vec<Kuhn> {
        let mut positions = vec![Kuhn::default()];
        let mut next = 0;
        while next < positions.len() {
            let (position, mut actions) = (positions[next], Vec::new());
            position.actions(&mut actions);
            positions.extend(actions.into_iter().map(|action| {
                let mut child = position;
                child.apply(action);
                child
            }));
            next += 1;
        }
        positions
    }

    #[test]
    fn each_end_pays_the_chips_of_the_rules() {
        for (moves, first) in [
            ("KQ check check", 1.0),
            ("JQ check check", -1.0),
            ("KQ check bet fold", -1.0),
            ("KQ check bet call", 2.0),
            ("JQ check bet call", -2.0),
            ("JQ bet fold", 1.0),
            ("JQ bet call", -2.0),
            ("QJ bet call", 2.0),
        ] {
            let game = after(moves);
            assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, first, -first), "{moves}");
        }
    }

    #[test]
    fn there_are_twelve_information_sets_with_two_positions_each() {
        let mut sets: BTreeMap<(usize, u64), Vec<Kuhn>> = BTreeMap::new();
        for position in all_positions() {
            if let Turn::Player(player) = position.turn() {
                sets.entry((player, position.information(player))).or_default().push(position);
            }
        }
        assert_eq!(sets.len(), 12);
        for ((player, _), set) in sets {
            let [one, other] = set[..] else { panic!("{set:?}") };
            let own = |position: Kuhn| position.cards.map(|cards| cards[player]);
            assert_eq!((one.history, own(one)), (other.history, own(other)));
        }
    }

    #[test]
    fn the_hidden_card_is_each_of_the_two_equally_often() {
        for (moves, player) in [("QK", 0), ("QK check", 1), ("QK bet fold", 0), ("JK check bet", 1)] {
            let (start, mut rng, mut counts) = (after(moves), Rng::new(7, 0), BTreeMap::new());
            for _ in 0..10_000 {
                let mut position = start;
                position.determinize(player, &mut rng);
                *counts.entry(position.cards).or_insert(0) += 1;
            }
            // Six standard deviations of a binomial with n = 10,000 and p = 1/2.
            assert!(counts.len() == 2 && counts.values().all(|&count: &i32| (count - 5_000).abs() < 300), "{counts:?}");
        }
    }

    #[test]
    fn cards_that_were_shown_stay_and_those_of_a_fold_stay_secret() {
        let known = |moves: &str| after(moves).information(0);
        assert_ne!(known("QK check check"), known("QJ check check"));
        assert_eq!(known("QK bet fold"), known("QJ bet fold"));
        assert_ne!(known("QK bet call"), known("QK check bet call"), "what was done is remembered");
        let mut shown = after("QK bet call");
        shown.determinize(0, &mut Rng::new(1, 0));
        assert_eq!(shown, after("QK bet call"));
    }
}
