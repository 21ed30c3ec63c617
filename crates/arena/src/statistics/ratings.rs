//! Ratings of several contestants on one scale.

use serde::Serialize;

use super::bradley_terry::{Fit, Meeting};
use super::elo::{ELO_OF_LOGIT, logistic};
use super::{CrossTable, Estimate, Z_95, crossing};

/// The zero of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The mean of all contestants on the scale.
    Mean,
    /// The rating of this contestant.
    Contestant(usize),
}

/// The ratings of all contestants of a tournament.
///
/// Results put two contestants on one scale if points went both ways, from one to the other and back, be it through
/// others. If points went one way only, the results say that one is better, and by how much at least. Between
/// contestants that no points connect, they say nothing. The scale is the largest group on one scale, or the anchor's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The contestants on the scale. The others have bounds at best.
    pub scale: Vec<usize>,
    /// The ratings, the best first.
    pub table: Vec<Rating>,
}

/// The rating of a contestant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Number of the contestant.
    pub contestant: usize,
    /// Elo of the contestant. The interval is that of the distance from the anchor, which has none itself.
    pub elo: Estimate,
    /// Number of its games in complete pairs.
    pub games: u64,
    /// Its points in these games.
    pub points: f64,
}

impl Ratings {
    /// Rates the contestants by all complete pairs of a table.
    ///
    /// # Panics
    ///
    /// If the anchor has no number of the table.
    pub fn of(table: &CrossTable, anchor: Anchor) -> Ratings {
        let beaten = beaten(table);
        let scale = scale(&beaten, anchor);
        let strengths = Scale::of(table, scale, anchor);
        let mut ratings: Vec<Rating> = (0..table.contestants())
            .map(|contestant| {
                let pairs = others(table, contestant).map(|other| table.between(contestant, other).pairs);
                let (games, points) =
                    pairs.fold((0, 0.0), |(games, points), pairs| (games + 2 * pairs.count(), points + pairs.points()));
                Rating { contestant, elo: strengths.elo(table, contestant), games, points }
            })
            .collect();
        // A contestant that took points from more others, be it through others, is better, even if by an unknown
        // distance. On one scale all took points from the same others. A contestant without games comes last.
        let reached = |rating: &Rating| beaten[rating.contestant].iter().filter(|&&beaten| beaten).count();
        let elo = |rating: &Rating| rating.elo.value().unwrap_or(0.0);
        let order = |a: &Rating, b: &Rating| reached(b).cmp(&reached(a)).then(elo(b).total_cmp(&elo(a)));
        ratings.sort_by(|a, b| (a.games == 0).cmp(&(b.games == 0)).then(order(a, b)));
        Ratings { scale: strengths.members, table: ratings }
    }
}

fn others(table: &CrossTable, contestant: usize) -> impl Iterator<Item = usize> {
    (0..table.contestants()).filter(move |&other| other != contestant)
}

/// For each contestant, true for itself and for those it took points from, be it through others (Warshall 1962).
fn beaten(table: &CrossTable) -> Vec<Vec<bool>> {
    let all = 0..table.contestants();
    let took = |first, second| first == second || table.between(first, second).pairs.points() > 0.0;
    let mut beaten: Vec<Vec<bool>> =
        all.clone().map(|first| all.clone().map(|second| took(first, second)).collect()).collect();
    for through in all.clone() {
        let reached = beaten[through].clone();
        for row in beaten.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&reached).for_each(|(cell, &reached)| *cell |= reached);
        }
    }
    beaten
}

/// The contestants on the scale: those that points connect with the anchor both ways, or the largest such group. Of
/// equally large groups it is the first of those that are connected with the most others.
fn scale(beaten: &[Vec<bool>], anchor: Anchor) -> Vec<usize> {
    let with = |one: usize| -> Vec<usize> {
        (0..beaten.len()).filter(|&other| beaten[one][other] && beaten[other][one]).collect()
    };
    let connected = |one: usize| (0..beaten.len()).filter(|&other| beaten[one][other] || beaten[other][one]).count();
    match anchor {
        Anchor::Contestant(contestant) => with(contestant),
        // The last of several maxima is taken, which is the first one here.
        Anchor::Mean => {
            let best = (0..beaten.len()).rev().max_by_key(|&one| (with(one).len(), connected(one)));
            best.map(with).unwrap_or_default()
        }
    }
}

/// The contestants on the scale, and their places.
struct Scale {
    members: Vec<usize>,
    fit: Fit,
    /// Weight of each member's strength in the zero of the scale.
    origin: Vec<f64>,
}

impl Scale {
    fn of(table: &CrossTable, members: Vec<usize>, anchor: Anchor) -> Scale {
        let mut meetings = Vec::new();
        for (second, &b) in members.iter().enumerate() {
            for (first, &a) in members[..second].iter().enumerate() {
                let pairs = table.between(a, b).pairs;
                if pairs.count() > 0 {
                    meetings.push(Meeting { first, second, pairs });
                }
            }
        }
        let weight = |&member: &usize| match anchor {
            Anchor::Mean => 1.0 / members.len() as f64,
            Anchor::Contestant(contestant) => f64::from(u8::from(contestant == member)),
        };
        let origin: Vec<f64> = members.iter().map(weight).collect();
        let mut fit = Fit::of(members.len(), &meetings);
        let zero: f64 = fit.strengths.iter().zip(&origin).map(|(strength, weight)| strength * weight).sum();
        fit.strengths.iter_mut().for_each(|strength| *strength -= zero);
        Scale { members, fit, origin }
    }

    /// The Elo of a contestant, measured or bounded.
    fn elo(&self, table: &CrossTable, contestant: usize) -> Estimate {
        match self.members.iter().position(|&member| member == contestant) {
            Some(place) => self.measured(place),
            None => self.bound(table, contestant),
        }
    }

    /// The Elo of a member of the scale.
    fn measured(&self, place: usize) -> Estimate {
        let mut weights: Vec<f64> = self.origin.iter().map(|weight| -weight).collect();
        weights[place] += 1.0;
        let error = Z_95 * self.fit.standard_error(&weights);
        Estimate::around(ELO_OF_LOGIT * self.fit.strengths[place], ELO_OF_LOGIT * error)
    }

    /// The bound of a contestant whose points with those on the scale all went one way: the strength with which it gets
    /// from them, or gives to them, the share that n pairs all won make likely by the rule of three.
    fn bound(&self, table: &CrossTable, contestant: usize) -> Estimate {
        let met: Vec<_> = self.members.iter().map(|&member| table.between(contestant, member).pairs).collect();
        let count = |place: usize| met[place].count() as f64;
        let pairs: f64 = (0..met.len()).map(count).sum();
        if pairs == 0.0 {
            return Estimate::Unknown { why: "it did not meet those on the scale" };
        }
        let won = met.iter().any(|pairs| pairs.points() > 0.0);
        let least = 0.05f64.powf(1.0 / pairs);
        let share = if won { least } else { 1.0 - least };
        let missing = |strength: f64| -> f64 {
            let points = |place: usize| count(place) * logistic(strength - self.fit.strengths[place]);
            share * pairs - (0..met.len()).map(points).sum::<f64>()
        };
        let far = 50.0 + self.fit.strengths.iter().fold(0.0, |far: f64, strength| far.max(strength.abs()));
        let elo = ELO_OF_LOGIT * crossing(-far, far, missing);
        match won {
            true => Estimate::AtLeast { low: elo, why: "it won every game against those on the scale" },
            false => Estimate::AtMost { high: elo, why: "it lost every game against those on the scale" },
        }
    }
}

#[cfg(test)]
mod tests {
    use boughs::Rng;

    use super::super::simulation::{Simulated, finite, holds};
    use super::super::{
        Outcome::{self, Draw, Loss, Win},
        Strength,
    };
    use super::*;

    /// Adds a number of pairs of each kind to a table.
    fn play(table: &mut CrossTable, first: usize, second: usize, pairs: [u64; 5]) {
        let kinds: [[Outcome; 2]; 5] = [[Loss, Loss], [Loss, Draw], [Draw, Draw], [Win, Draw], [Win, Win]];
        for (kind, count) in kinds.into_iter().zip(pairs) {
            (0..count).for_each(|_| table.add_pair(first, second, kind));
        }
    }

    fn elo_of(ratings: &Ratings, contestant: usize) -> Estimate {
        ratings.table.iter().find(|rating| rating.contestant == contestant).unwrap().elo
    }

    #[test]
    fn two_contestants_have_the_elo_of_their_match() {
        let mut table = CrossTable::new(2);
        play(&mut table, 0, 1, [30, 60, 100, 120, 40]);
        let of_match = Strength::of(table.between(0, 1)).elo;
        let rated = elo_of(&Ratings::of(&table, Anchor::Contestant(1)), 0);
        assert!((rated.value().unwrap() - of_match.value().unwrap()).abs() < 1e-6, "{rated} {of_match}");
        assert!((rated.error().unwrap() / of_match.error().unwrap() - 1.0).abs() < 0.02, "{rated} {of_match}");
        let shared = elo_of(&Ratings::of(&table, Anchor::Mean), 1);
        assert!((shared.value().unwrap() + of_match.value().unwrap() / 2.0).abs() < 1e-6, "half of it each: {shared}");
    }

    #[test]
    fn contestants_that_only_drew_are_not_known_to_be_equal() {
        let mut table = CrossTable::new(2);
        play(&mut table, 0, 1, [0, 0, 20, 0, 0]);
        let rated = elo_of(&Ratings::of(&table, Anchor::Contestant(1)), 0);
        assert!(rated.value().unwrap().abs() < 1e-9 && rated.error().unwrap() > 20.0, "{rated}");
    }

    #[test]
    fn intervals_hold_the_true_ratings_in_95_percent_of_tournaments() {
        const TOURNAMENTS: usize = 400;
        let truth = [-180.0, -40.0, 0.0, 70.0, 150.0];
        let mut rng = Rng::new(3, 0);
        let mut held = 0;
        for _ in 0..TOURNAMENTS {
            let mut table = CrossTable::new(truth.len());
            for second in 0..truth.len() {
                for first in 0..second {
                    let simulated = Simulated::new(truth[first] - truth[second], 0.4, 0.0);
                    play(&mut table, first, second, simulated.pairs(20, &mut rng).0);
                }
            }
            let ratings = Ratings::of(&table, Anchor::Mean);
            held += ratings.table.iter().filter(|rating| holds(rating.elo, truth[rating.contestant])).count();
        }
        let share = held as f64 / (TOURNAMENTS * truth.len()) as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_contestant_that_won_or_lost_everything_has_a_bound() {
        let mut table = CrossTable::new(4);
        play(&mut table, 0, 1, [3, 5, 9, 5, 3]);
        play(&mut table, 2, 0, [0, 0, 0, 0, 50]);
        play(&mut table, 2, 1, [0, 0, 0, 0, 50]);
        play(&mut table, 3, 1, [10, 0, 0, 0, 0]);
        let ratings = Ratings::of(&table, Anchor::Mean);
        assert_eq!(ratings.scale, [0, 1]);
        assert_eq!(ratings.table.iter().map(|rating| rating.contestant).collect::<Vec<_>>(), [2, 0, 1, 3]);
        // Equals who lost 100 pairs together: 3 % of the share may be theirs.
        let Estimate::AtLeast { low, .. } = elo_of(&ratings, 2) else { panic!("a lower bound") };
        assert!((low - 400.0 * (0.97f64 / 0.03).log10()).abs() < 5.0, "{low}");
        assert!(matches!(elo_of(&ratings, 3), Estimate::AtMost { high, .. } if high < -100.0));
    }

    #[test]
    fn a_contestant_that_never_met_the_others_has_no_rating_among_them() {
        let mut table = CrossTable::new(5);
        play(&mut table, 0, 1, [1, 1, 5, 4, 1]);
        play(&mut table, 1, 2, [1, 1, 5, 4, 1]);
        play(&mut table, 3, 4, [1, 1, 5, 4, 1]);
        let ratings = Ratings::of(&table, Anchor::Mean);
        assert_eq!(ratings.scale, [0, 1, 2]);
        assert!(matches!(elo_of(&ratings, 3), Estimate::Unknown { .. }));
        assert_eq!(Ratings::of(&table, Anchor::Contestant(4)).scale, [3, 4]);
    }

    #[test]
    fn where_each_beats_the_next_the_first_is_the_measure_of_the_others() {
        let mut table = CrossTable::new(4);
        for (better, worse) in [(3, 2), (2, 1), (3, 1)] {
            play(&mut table, better, worse, [0, 0, 0, 0, 20]);
        }
        let ratings = Ratings::of(&table, Anchor::Mean);
        assert_eq!(ratings.table.iter().map(|rating| rating.contestant).collect::<Vec<_>>(), [3, 2, 1, 0]);
        assert_eq!(ratings.scale, [1], "0 met no other");
        assert!(matches!(elo_of(&ratings, 3), Estimate::AtLeast { low, .. } if low > 250.0));
    }

    #[test]
    fn no_table_gives_a_number_that_is_not_finite() {
        for (pairs, contestants) in
            [([0, 0, 7, 0, 0], 2), ([0, 0, 0, 0, 7], 3), ([0, 0, 0, 1, 1_000_000], 2), ([0; 5], 1), ([0; 5], 0)]
        {
            let mut table = CrossTable::new(contestants);
            if contestants > 1 {
                play(&mut table, 0, 1, pairs);
            }
            for rating in Ratings::of(&table, Anchor::Mean).table {
                assert!(finite(rating.elo), "{pairs:?}: {rating:?}");
            }
        }
    }
}
