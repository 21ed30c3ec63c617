//! Draws of hands that a player has not seen. Every possible deal is equally likely.

use boughs::Rng;

/// Draws two disjoint hands of these `sizes` from the `hidden` cards, each with only those cards that its player
/// `may_hold`; the other cards stay undealt. Returns `None` if there is no such deal.
///
/// A deal is drawn in two steps. The first draws how many of the cards that only one player may hold go to that player,
/// weighted by the number of deals for each count. The second draws the cards. So no draw is rejected.
#[inline]
pub(super) fn draw(hidden: u32, sizes: [u32; 2], may_hold: [u32; 2], rng: &mut Rng) -> Option<[u32; 2]> {
    let [first, second] = may_hold.map(|cards| cards & hidden);
    let (only, both) = ([first & !second, second & !first], first & second);
    let ways = |[one, two]: [u32; 2]| {
        let (common, rest) = (both.count_ones(), [sizes[0] - one, sizes[1] - two]);
        choose(only[0].count_ones(), one)
            * choose(only[1].count_ones(), two)
            * choose(common, rest[0])
            * choose(common.saturating_sub(rest[0]), rest[1])
    };
    let most = [0, 1].map(|player| sizes[player].min(only[player].count_ones()));
    let splits = || (0..=most[0]).flat_map(|one| (0..=most[1]).map(move |two| [one, two]));
    let mut left = rng.below(splits().map(ways).sum());
    let [one, two] = splits().find(|&split| {
        let ways = ways(split);
        let is_found = left < ways;
        left = left.wrapping_sub(ways);
        is_found
    })?;
    let common = subset(both, sizes[0] - one, rng);
    let rest = subset(both & !common, sizes[1] - two, rng);
    Some([common | subset(only[0], one, rng), rest | subset(only[1], two, rng)])
}

/// Draws this many cards of a set, every choice equally likely.
#[inline]
fn subset(set: u32, count: u32, rng: &mut Rng) -> u32 {
    let left = (0..count).fold(set, |left, _| left & !(1 << rng.pick_bit(u64::from(left))));
    set & !left
}

/// The number of sets of `k` among `n` things.
#[inline]
fn choose(n: u32, k: u32) -> u32 {
    if k > n { 0 } else { (0..k).fold(1, |sets, i| sets * (n - i) / (i + 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// All deals, found by trying all pairs of hands.
    fn all_deals(hidden: u32, sizes: [u32; 2], may_hold: [u32; 2]) -> Vec<[u32; 2]> {
        let hands = |player: usize| {
            let subsets = (0..=hidden).filter(move |hand| hand & !(hidden & may_hold[player]) == 0);
            subsets.filter(move |hand| hand.count_ones() == sizes[player])
        };
        hands(0).flat_map(|one| hands(1).map(move |two| [one, two])).filter(|[one, two]| one & two == 0).collect()
    }

    #[test]
    fn every_possible_deal_is_drawn_equally_often() {
        let mut rng = Rng::new(5, 0);
        for (hidden, sizes, may_hold) in [
            (0b11_1111, [2, 2], [!0, !0]),
            (0b11_1111, [3, 3], [!0, !0]),
            (0b111_1111, [2, 3], [0b000_1111, !0]),
            (0b111_1111, [2, 3], [0b000_1111, 0b111_1100]),
            (0b101_1011, [2, 2], [0b001_1111, 0b111_0011]),
            (0b1111_1111, [3, 2], [0b0001_1110, 0b0111_1000]),
            (0b111_1111, [0, 3], [!0, 0b111_1000]),
        ] {
            let deals = all_deals(hidden, sizes, may_hold);
            let mut counts: BTreeMap<[u32; 2], i32> = deals.into_iter().map(|deal| (deal, 0)).collect();
            assert!(counts.len() > 3);
            for _ in 0..400 * counts.len() {
                let deal = draw(hidden, sizes, may_hold, &mut rng).expect("there is a deal");
                *counts.entry(deal).or_insert(1_000) += 1;
            }
            // Six standard deviations of a binomial with an expected value of 400.
            assert!(counts.values().all(|&count| (count - 400).abs() < 120), "{counts:?}");
        }
    }

    #[test]
    fn a_deal_is_found_exactly_where_there_is_one() {
        let mut rng = Rng::new(6, 0);
        for _ in 0..2_000 {
            let [hidden, first, second] = [0; 3].map(|_| rng.below(64));
            let sizes = [0; 2].map(|_| rng.below(5));
            let drawn = draw(hidden, sizes, [first, second], &mut rng);
            let deals = all_deals(hidden, sizes, [first, second]);
            assert!(drawn.map_or(deals.is_empty(), |deal| deals.contains(&deal)), "{hidden:b} {sizes:?} {deals:?}");
        }
    }

    #[test]
    fn binomial_coefficients_are_those_of_pascal() {
        for n in 1..18 {
            for k in 1..18 {
                assert_eq!(choose(n, k), choose(n - 1, k - 1) + choose(n - 1, k), "{n} {k}");
            }
        }
        assert_eq!([choose(18, 6), choose(0, 0), choose(3, 4)], [18_564, 1, 0]);
    }
}
