//! Steps of the game, with their codes and words.

use boughs::Action;

use super::cards::{Cards, DESKS, TASK_PRIORITIZATION};

/// A decision of a player, or an outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The player goes to a desk and takes a card from another or the same one.
    Move {
        /// The desk the player goes to.
        to: u8,
        /// The desk whose card the player takes.
        from: u8,
    },
    /// The player puts a card back after they have gone round.
    Throw(u8),
    /// The player gives a card to the other, who is near.
    Give(u8),
    /// The player plays an action card that needs nothing else.
    Play(u8),
    /// The player plays TASK_PRIORITIZATION.
    Prioritize {
        /// The kind that is put back.
        drop: u8,
        /// The kind that is wanted.
        take: u8,
    },
    /// The player plays CONTINUOUS_INTEGRATION with a card of this kind.
    Automate(u8),
    /// The player releases an application.
    Release(u8),
    /// The player plays no more cards, or releases nothing.
    Wait,
    /// The player draws cards.
    Draw(Drawn),
    /// Chance deals the set-up of a seed below [`DEALS`].
    Deal(u32),
}

/// The number of set-ups that chance deals from.
pub const DEALS: u32 = 1 << 30;

/// Up to four cards, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawn(u32);

/// The most cards of one [`Step::Draw`].
pub(super) const MOST_DRAWN: u8 = 4;

impl Drawn {
    /// The cards as counts; `None` if there are more than four.
    #[inline]
    pub fn of(cards: Cards) -> Option<Drawn> {
        (cards.total() <= u32::from(MOST_DRAWN)).then(|| Drawn::packed(cards))
    }

    #[inline]
    pub(super) fn packed(cards: Cards) -> Drawn {
        let (mut drawn, mut left) = (Drawn(0), cards);
        // Draws have few of many kinds, so this loop runs over the cards and not over all kinds.
        while let Some(kind) = left.lowest() {
            drawn.add(kind);
            left -= Cards::one(kind);
        }
        drawn
    }

    #[inline]
    pub(super) fn add(&mut self, kind: u8) {
        self.0 += 1 << (3 * kind);
    }

    /// The count of a kind.
    #[inline]
    pub fn count(self, kind: u8) -> u8 {
        (self.0 >> (3 * kind)) as u8 & 7
    }

    /// The cards as counts.
    #[inline]
    pub fn cards(self) -> Cards {
        let (mut cards, mut left) = (Cards::NONE, self.0);
        while left != 0 {
            let kind = left.trailing_zeros() / 3;
            cards += Cards::one(kind as u8);
            left -= 1 << (3 * kind);
        }
        cards
    }
}

const THROW: u32 = 64;
const GIVE: u32 = 80;
const WAIT: u32 = 96;
const RELEASE: u32 = 128;
const PLAY: u32 = 160;
const AUTOMATE: u32 = 176;
const PRIORITIZE: u32 = 256;
const DEAL: u32 = DEALS;
const DRAW: u32 = 1 << 31;

impl Action for Step {
    #[inline]
    fn code(self) -> u32 {
        match self {
            Step::Move { to, from } => u32::from(to * DESKS + from),
            Step::Throw(kind) => THROW + u32::from(kind),
            Step::Give(kind) => GIVE + u32::from(kind),
            Step::Wait => WAIT,
            Step::Release(id) => RELEASE + u32::from(id),
            Step::Play(kind) => PLAY + u32::from(kind),
            Step::Automate(kind) => AUTOMATE + u32::from(kind),
            Step::Prioritize { drop, take } => PRIORITIZE + 16 * u32::from(drop) + u32::from(take),
            Step::Deal(seed) => DEAL | seed,
            Step::Draw(Drawn(word)) => DRAW | word,
        }
    }

    #[inline]
    fn from_code(code: u32) -> Step {
        let low = code as u8 & 15;
        match code {
            0..THROW => Step::Move { to: code as u8 / DESKS, from: code as u8 % DESKS },
            THROW..GIVE => Step::Throw(low),
            GIVE..WAIT => Step::Give(low),
            RELEASE..PLAY => Step::Release((code - RELEASE) as u8),
            PLAY..AUTOMATE => Step::Play(low),
            AUTOMATE..PRIORITIZE => Step::Automate(low),
            PRIORITIZE..0x200 => Step::Prioritize { drop: (code >> 4) as u8 & 15, take: low },
            DEAL..DRAW => Step::Deal(code & !DEAL),
            DRAW.. => Step::Draw(Drawn(code & !DRAW)),
            _ => Step::Wait,
        }
    }
}

impl Step {
    /// Reads a word of a step that is legal somewhere and never listed: a deal, or a card exchanged for one of its
    /// kind.
    pub(super) fn parse_outcome(word: &str) -> Option<Step> {
        let digit =
            |place: usize| word.as_bytes().get(place).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
        match word.get(..1)?.to_ascii_lowercase().as_str() {
            "s" => word[1..].parse().ok().filter(|&seed| seed < DEALS).map(Step::Deal),
            "p" if word.len() == 4 && digit(1) == Some(TASK_PRIORITIZATION) => {
                Some(Step::Prioritize { drop: digit(2)?, take: digit(3)? })
            }
            _ => None,
        }
    }
}

/// Writes the word of a step in lists of moves: a letter, then the kinds, desks or number it is about.
impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Step::Move { to, from } if to == from => write!(f, "m{to}"),
            Step::Move { to, from } => write!(f, "m{to}{from}"),
            Step::Throw(kind) => write!(f, "t{kind}"),
            Step::Give(kind) => write!(f, "g{kind}"),
            Step::Play(kind) => write!(f, "p{kind}"),
            Step::Prioritize { drop, take } => write!(f, "p3{drop}{take}"),
            Step::Automate(kind) => write!(f, "p5{kind}"),
            Step::Release(id) => write!(f, "r{id}"),
            Step::Wait => write!(f, "w"),
            Step::Deal(seed) => write!(f, "s{seed}"),
            Step::Draw(drawn) => {
                write!(f, "d")?;
                drawn.cards().list().try_for_each(|kind| write!(f, "{kind}"))
            }
        }
    }
}
