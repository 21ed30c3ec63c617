//! Applications: the cards that each needs, and the cost of releasing one.

use super::cards::{BONUS, Cards};

/// The number of applications in the game.
pub const APPLICATIONS: u8 = 28;
/// The number of applications that are open at the start.
pub const OPEN: usize = 12;
/// A player who has released this many applications ends the game.
pub const GOAL: u8 = 5;

/// The two action cards that each application needs four of: all pairs, in order.
const PAIRS: [[u8; 2]; APPLICATIONS as usize] = {
    let mut pairs = [[0; 2]; APPLICATIONS as usize];
    let (mut id, mut first) = (0, 0);
    while first < 8 {
        let mut second = first + 1;
        while second < 8 {
            pairs[id] = [first, second];
            id += 1;
            second += 1;
        }
        first += 1;
    }
    pairs
};

/// The number of points of each action card that an application needs.
pub fn need(id: u8) -> [u8; 8] {
    let mut need = [0; 8];
    PAIRS[usize::from(id % APPLICATIONS)].iter().for_each(|&kind| need[usize::from(kind)] = 4);
    need
}

/// The two action cards that an application needs.
#[inline]
pub fn pair(id: u8) -> [u8; 2] {
    PAIRS[usize::from(id % APPLICATIONS)]
}

/// The applications that need one of a set of action cards, for each set.
static NEEDING: [u32; 256] = {
    let mut needing = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut id = 0;
        while id < PAIRS.len() {
            let [first, second] = PAIRS[id];
            needing[set] |= ((set >> first | set >> second) as u32 & 1) << id;
            id += 1;
        }
        set += 1;
    }
    needing
};

/// The points of an application that the cards do not meet: a card of the right kind is worth two, a BONUS one of any
/// kind. At 0 or less the cards suffice.
#[inline]
pub fn missing(id: u8, cards: Cards) -> i32 {
    let of = |kind: u8| 4 - 2 * i32::from(cards.count(kind).min(2));
    pair(id).map(of).iter().sum::<i32>() - i32::from(cards.count(BONUS))
}

/// The most points that may be missing, each for one TECHNICAL_DEBT: every card can do shoddy work too, even if it
/// counted before. The last application needs the right cards.
#[inline]
pub fn allowance(score: u8, cards: Cards) -> i32 {
    match score < GOAL - 1 {
        true => 2 * cards.actions() as i32 + i32::from(cards.count(BONUS)),
        false => 0,
    }
}

/// The TECHNICAL_DEBT that a release costs a player with this score and these cards; `None` if they cannot release it.
#[inline]
pub fn cost(id: u8, score: u8, cards: Cards) -> Option<u8> {
    let missing = missing(id, cards).max(0);
    (missing <= allowance(score, cards)).then_some(missing as u8)
}

/// The applications of a set that a player with this score and these cards can release.
#[inline]
pub(super) fn releasable(open: u32, score: u8, cards: Cards) -> u32 {
    within(open, cards, (allowance(score, cards) + i32::from(cards.count(BONUS))) / 2)
}

/// The smallest number of missing points among a set of applications; `None` if the set is empty.
#[inline]
pub(super) fn least_missing(open: u32, cards: Cards) -> Option<i32> {
    let pairs = (0..=4).find(|&pairs| within(open, cards, pairs) != 0)?;
    Some(2 * pairs - i32::from(cards.count(BONUS)))
}

/// The applications of a set of which at most this many pairs are missing, without BONUS.
#[inline]
fn within(open: u32, cards: Cards, pairs: i32) -> u32 {
    // An action card with count 0 misses two pairs, and one with count 1 misses one.
    let [none, one] = cards.scarce();
    let needing = |kinds: u8| NEEDING[usize::from(kinds)];
    open & match pairs {
        0 => !needing(none | one),
        1 => !needing(none) & needing(!(none | one)),
        2 => !needing(none) | needing(!(none | one)),
        3 => needing(!none),
        _ => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(list: &[u8]) -> Cards {
        list.iter().fold(Cards::NONE, |cards, &kind| cards + Cards::one(kind))
    }

    #[test]
    fn applications_are_all_pairs_in_order() {
        assert_eq!([0, 1, 6, 7, 12, 13, 18, 22, 25, 27].map(pair), {
            [[0, 1], [0, 2], [0, 7], [1, 2], [1, 7], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]
        });
        assert_eq!(need(21), [0, 0, 0, 4, 0, 0, 0, 4]);
    }

    #[test]
    fn cards_count_twice_what_they_do_badly() {
        assert_eq!(cost(0, 0, cards(&[0, 0, 1, 1])), Some(0));
        assert_eq!(cost(0, 0, cards(&[0, 0, 1, 8])), Some(1));
        assert_eq!(cost(0, 0, cards(&[0, 0])), Some(4));
        assert_eq!(cost(0, 0, cards(&[8, 8, 8, 8])), Some(4));
        assert_eq!(cost(0, 0, cards(&[8, 8, 8])), None);
        assert_eq!(cost(0, 0, cards(&[2, 2, 2, 2])), Some(8));
        assert_eq!(cost(0, 0, cards(&[2, 2, 2, 9, 9])), None);
    }

    #[test]
    fn the_fifth_release_must_be_exact() {
        assert_eq!(cost(0, 4, cards(&[0, 0, 1, 8])), None);
        assert_eq!(cost(0, 4, cards(&[0, 0, 1, 8, 8, 8])), Some(0));
        assert_eq!(cost(0, 3, cards(&[0, 0, 1, 8])), Some(1));
    }

    #[test]
    fn sets_of_applications_are_what_each_of_them_says() {
        let mut rng = boughs::Rng::new(1, 0);
        for _ in 0..20_000 {
            let size = rng.below(9);
            let cards = Cards::ALL.clone().draw_many(size, &mut rng);
            let (score, open) = (rng.below(5) as u8, (rng.bits() & rng.bits()) as u32 & 0xfff_ffff);
            let expected = (0..APPLICATIONS).filter(|&id| open >> id & 1 == 1 && cost(id, score, cards).is_some());
            assert_eq!(releasable(open, score, cards), expected.fold(0, |set, id| set | 1 << id));
            let least = (0..APPLICATIONS).filter(|&id| open >> id & 1 == 1).map(|id| missing(id, cards)).min();
            assert_eq!(least_missing(open, cards), least);
        }
    }
}
