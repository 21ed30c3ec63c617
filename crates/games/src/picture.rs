//! Pictures of positions for pages, declared by games whose board is no grid.

/// A part of a picture. All pictures of a game have the same parts in the same order, so that a page keeps only those
/// that a move changes. Cards are counted by kind, in the order of [`NamedGame::CARDS`](crate::NamedGame::CARDS).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A line of words, about one seat or about all.
    Words {
        /// The seat; `None` for all.
        seat: Option<usize>,
        /// The line.
        text: String,
    },
    /// Eight places in a ring. The place of a number has the cards of the kind of that number.
    Ring {
        /// The number of cards at each place.
        cards: [u32; 8],
        /// The place of each seat's piece, if it is at one.
        pieces: Vec<Option<usize>>,
    },
    /// A pile of cards.
    Pile {
        /// The name of the pile.
        name: &'static str,
        /// The seat that plays from the pile, of a hand. A move whose words, or text, are the name of a card plays it.
        hand_of: Option<usize>,
        /// The number of cards of each kind.
        cards: Vec<u32>,
        /// The number of cards that the viewer does not see.
        hidden: u32,
    },
    /// Sets of cards, such as those that a player may aim at.
    Sets {
        /// The name of the sets together.
        name: &'static str,
        /// The name of each set, and the kinds of its cards.
        sets: Vec<(String, Vec<usize>)>,
    },
}

impl Part {
    /// A pile that all see, and from which no seat plays.
    pub fn open_pile(name: &'static str, cards: Vec<u32>) -> Part {
        Part::Pile { name, hand_of: None, cards, hidden: 0 }
    }

    /// The hand of a seat, which the viewer sees or not.
    pub fn hand(seat: usize, cards: Vec<u32>, is_seen: bool) -> Part {
        let count = cards.iter().sum();
        match is_seen {
            true => Part::Pile { name: "hand", hand_of: Some(seat), cards, hidden: 0 },
            false => Part::Pile { name: "hand", hand_of: Some(seat), cards: Vec::new(), hidden: count },
        }
    }

    /// A pile of which all only know how many cards it has.
    pub fn hidden_pile(name: &'static str, count: u32) -> Part {
        Part::Pile { name, hand_of: None, cards: Vec::new(), hidden: count }
    }
}
