//! The handicap curve, the yardstick of the report: the limit that one thread needs to play as well as another
//! contestant.
//!
//! One thread with 1/2, 1, 2, ... times the limit has played against one thread, so its Elo is known at each of these
//! limits, with an error. In between, Elo is taken to be linear in the logarithm of the limit. A contestant plays as
//! well as one thread with m times the limit, as far as the games tell, if their difference in Elo is within the error
//! of a difference. All such m are the interval, and the m with the least difference is the value.

use boughs_arena::statistics::Estimate;

/// Elo of one thread by its limit.
pub(super) struct HandicapCurve(Vec<Notch>);

/// A measured point of the curve.
#[derive(Clone, Copy)]
struct Notch {
    /// The logarithm of the limit, to the base of two.
    octave: f64,
    elo: Interval,
}

/// Elo and its error in each direction.
#[derive(Clone, Copy)]
struct Interval {
    value: f64,
    below: f64,
    above: f64,
}

impl Interval {
    fn of(elo: Estimate) -> Option<Interval> {
        match elo {
            Estimate::Between { value, low, high } => Some(Interval { value, below: value - low, above: high - value }),
            Estimate::AtLeast { low, .. } => Some(Interval { value: low, below: 0.0, above: f64::INFINITY }),
            Estimate::AtMost { high, .. } => Some(Interval { value: high, below: f64::INFINITY, above: 0.0 }),
            Estimate::Unknown { .. } => None,
        }
    }

    /// Interpolates between two independent measurements.
    fn mix(self, other: Interval, share: f64) -> Interval {
        let both = |own: f64, other: f64| (own * (1.0 - share)).hypot(other * share);
        Interval {
            value: self.value + (other.value - self.value) * share,
            below: both(self.below, other.below),
            above: both(self.above, other.above),
        }
    }

    /// The distance of the two, if it is within the error of a difference.
    fn distance(self, other: Interval) -> Option<f64> {
        let ahead = self.value - other.value;
        let error = if ahead > 0.0 { self.below.hypot(other.above) } else { self.above.hypot(other.below) };
        (ahead.abs() <= error).then_some(ahead.abs())
    }
}

/// Steps of the search for the interval in an octave.
const STEPS: f64 = 128.0;

const TOO_SHORT: &str = "the yardstick was not played";
const NO_GAMES: &str = "no pair of games is complete";
const FAR_OFF: &str = "the yardstick does not go that far";
const NO_LESS: &str = "the yardstick, or what the games say, goes no lower";
const NO_MORE: &str = "the yardstick, or what the games say, goes no higher";

impl HandicapCurve {
    /// The curve through these multiples of the limit and their Elo. A multiple that won or lost every game makes no
    /// notch.
    pub(super) fn of(measured: impl IntoIterator<Item = (f64, Estimate)>) -> HandicapCurve {
        let notch = |(times, elo): (f64, Estimate)| match elo {
            Estimate::Between { .. } => Some(Notch { octave: times.log2(), elo: Interval::of(elo)? }),
            _ => None,
        };
        // One thread against itself has Elo 0.
        let itself = Notch { octave: 0.0, elo: Interval { value: 0.0, below: 0.0, above: 0.0 } };
        let mut notches: Vec<Notch> = measured.into_iter().filter_map(notch).chain([itself]).collect();
        notches.sort_by(|one, other| one.octave.total_cmp(&other.octave));
        HandicapCurve(notches)
    }

    /// The limit that one thread needs to have this Elo, as a multiple.
    pub(super) fn equal_to(&self, elo: Estimate) -> Estimate {
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else {
            return Estimate::Unknown { why: TOO_SHORT };
        };
        let Some(elo) = Interval::of(elo) else { return Estimate::Unknown { why: NO_GAMES } };
        if self.0.len() < 2 {
            return Estimate::Unknown { why: TOO_SHORT };
        }
        let octaves = self.0.windows(2).flat_map(|pair| steps(pair[0], pair[1])).chain([*last]);
        let equal: Vec<(f64, f64)> =
            octaves.filter_map(|notch| Some((notch.octave, elo.distance(notch.elo)?))).collect();
        let (Some(low), Some(high)) = (equal.first(), equal.last()) else {
            return match () {
                () if elo.value > last.elo.value => Estimate::AtLeast { low: last.octave.exp2(), why: FAR_OFF },
                () if elo.value < first.elo.value => Estimate::AtMost { high: first.octave.exp2(), why: FAR_OFF },
                () => Estimate::Unknown { why: FAR_OFF },
            };
        };
        let nearest = equal.iter().min_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or(low);
        match (low.0 > first.octave, high.0 < last.octave) {
            (true, true) => Estimate::Between { value: nearest.0.exp2(), low: low.0.exp2(), high: high.0.exp2() },
            (true, false) => Estimate::AtLeast { low: low.0.exp2(), why: NO_MORE },
            (false, true) => Estimate::AtMost { high: high.0.exp2(), why: NO_LESS },
            (false, false) => Estimate::Unknown { why: FAR_OFF },
        }
    }
}

/// Interpolates from one notch to the next, which is left out.
fn steps(from: Notch, to: Notch) -> impl Iterator<Item = Notch> {
    let count = ((to.octave - from.octave) * STEPS).ceil().max(1.0);
    (0..count as u32).map(move |step| {
        let share = f64::from(step) / count;
        Notch { octave: from.octave + (to.octave - from.octave) * share, elo: from.elo.mix(to.elo, share) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(value: f64, error: f64) -> Estimate {
        Estimate::Between { value, low: value - error, high: value + error }
    }

    /// A curve of a hundred Elo an octave.
    fn curve(error: f64) -> HandicapCurve {
        HandicapCurve::of([(0.25, elo(-200.0, error)), (4.0, elo(200.0, error)), (2.0, elo(100.0, error))])
    }

    #[test]
    fn between_two_notches_the_limit_grows_by_its_logarithm() {
        let Estimate::Between { value, low, high } = curve(0.0).equal_to(elo(140.0, 40.0)) else { panic!("both ends") };
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 0.01;
        assert!(near(value, 1.4f64.exp2()) && near(low, 2.0) && near(high, 1.8f64.exp2()), "{value} {low} {high}");
        assert!(curve(0.0).equal_to(elo(-100.0, 10.0)).value().is_some_and(|value| near(value, 0.5)));
    }

    #[test]
    fn the_error_of_the_curve_widens_the_interval() {
        let width = |error: f64| match curve(error).equal_to(elo(50.0, 10.0)) {
            Estimate::Between { low, high, .. } => (high / low).log2(),
            other => panic!("{other:?}"),
        };
        assert!((width(0.0) - 0.2).abs() < 0.02, "{}", width(0.0));
        // At a part t of an octave the error is 40 t, and (100 t - 50)^2 = 10^2 + (40 t)^2 at the ends.
        assert!((width(40.0) - 4400.0 / 8400.0).abs() < 0.02, "{}", width(40.0));
    }

    #[test]
    fn beyond_the_ends_of_the_curve_there_are_bounds() {
        let curve = curve(5.0);
        assert!(matches!(curve.equal_to(elo(400.0, 20.0)), Estimate::AtLeast { low: 4.0, .. }));
        assert!(matches!(curve.equal_to(elo(-400.0, 20.0)), Estimate::AtMost { high: 0.25, .. }));
        assert!(matches!(curve.equal_to(elo(190.0, 20.0)), Estimate::AtLeast { low, .. } if low < 4.0));
        assert!(matches!(curve.equal_to(elo(0.0, 1e4)), Estimate::Unknown { .. }));
        assert!(matches!(curve.equal_to(Estimate::Unknown { why: "" }), Estimate::Unknown { .. }));
    }

    #[test]
    fn a_contestant_that_won_every_game_has_a_lower_bound() {
        let bound = curve(0.0).equal_to(Estimate::AtLeast { low: 100.0, why: "" });
        assert!(matches!(bound, Estimate::AtLeast { low, .. } if (low - 2.0).abs() < 0.02), "{bound:?}");
        let alone = HandicapCurve::of([(2.0, Estimate::AtLeast { low: 100.0, why: "" })]);
        assert!(matches!(alone.equal_to(elo(0.0, 1.0)), Estimate::Unknown { .. }));
    }
}
