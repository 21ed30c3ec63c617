//! An axis of a chart, linear or logarithmic, with labels at chosen values.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;

use super::TEXT;
use super::head::text_width;

/// An axis. Values beyond its ends are drawn at the end, so that nothing leaves the chart.
#[derive(Clone)]
pub(crate) struct Axis {
    is_logarithmic: bool,
    ends: Range<f64>,
    ticks: Vec<f64>,
}

impl Axis {
    /// An axis from 0 to a little more than `most`, with labels at round values.
    pub(crate) fn linear(most: f64) -> Axis {
        let ends = 0.0..if most > 0.0 { most * 1.06 } else { 1.0 };
        Axis { is_logarithmic: false, ticks: round_values(&ends), ends }
    }

    /// An axis from a little less than `least`, which is positive, to a little more than `most`. Its labels are powers
    /// of two, or round values on a short axis.
    pub(crate) fn logarithmic(least: f64, most: f64) -> Axis {
        let ends = least / MARGIN..most.max(least) * MARGIN;
        let powers = |range: &Range<f64>| range.start.log2().ceil() as i32..=range.end.log2().floor() as i32;
        let ticks = match ends.end / ends.start {
            ..6.0 => round_values(&ends).into_iter().filter(|&value| value >= ends.start).collect(),
            _ => powers(&ends).map(|power| f64::from(power).exp2()).collect(),
        };
        Axis { is_logarithmic: true, ends, ticks }
    }

    /// Replaces the labels by these values.
    pub(crate) fn labelled(self, values: impl Iterator<Item = f64>) -> Axis {
        let mut ticks: Vec<f64> = values.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        Axis { ticks, ..self }
    }

    /// Leaves out labels that would touch another one beside them, on an axis of this length in pixels.
    pub(super) fn thinned_across(self, length: f64) -> Axis {
        let widest = self.ticks.iter().map(|tick| text_width(&self.format_ext(tick), TEXT)).fold(0.0, f64::max);
        self.thinned((widest + TEXT / 2.0) / length)
    }

    /// Leaves out labels that would touch another one above them, on an axis of this length in pixels.
    pub(super) fn thinned_up(self, length: f64) -> Axis {
        self.thinned(1.4 * TEXT / length)
    }

    /// Leaves out labels that are closer to the one before than a share of the axis.
    fn thinned(self, share: f64) -> Axis {
        let mut ticks = self.ticks.clone();
        ticks.dedup_by(|later, earlier| self.place(*later) - self.place(*earlier) < share);
        Axis { ticks, ..self }
    }

    /// The place of a value on the axis, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let (value, low, high) = (value.clamp(self.ends.start, self.ends.end), self.ends.start, self.ends.end);
        (scaled(value) - scaled(low)) / (scaled(high) - scaled(low))
    }
}

/// The factor by which a logarithmic axis exceeds its values.
const MARGIN: f64 = 1.1;
/// The most characters of a label without an exponent.
const LONGEST: usize = 7;

fn round_values(range: &Range<f64>) -> Vec<f64> {
    RangedCoordf64::from(range.clone()).key_points(9)
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        start + (self.place(*value) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.ends.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let written = |value: f64| Some(value.to_string()).filter(|text| text.len() <= LONGEST);
        // A long number is rounded to digits that are true and tell it from its neighbours.
        let gaps = self.ticks.iter().map(|tick| (tick - value).abs()).filter(|&gap| gap > 0.0);
        let close = gaps.fold(value.abs(), f64::min) / 100.0;
        let rounded = |digits: usize| format!("{value:.digits$e}").parse().unwrap_or(*value);
        let short = (0..17).map(rounded).find(|rounded| (rounded - value).abs() <= close).unwrap_or(*value);
        written(*value).or_else(|| written(short)).unwrap_or_else(|| format!("{short:e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_doubles_in_equal_steps() {
        let axis = Axis::logarithmic(1.0, 16.0);
        assert_eq!(axis.ticks, [1.0, 2.0, 4.0, 8.0, 16.0]);
        let steps: Vec<f64> = axis.ticks.windows(2).map(|pair| axis.place(pair[1]) - axis.place(pair[0])).collect();
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9), "{steps:?}");
    }

    #[test]
    fn nothing_leaves_the_chart() {
        for axis in [Axis::logarithmic(1.0, 2.0), Axis::linear(5.0), Axis::linear(0.0)] {
            for value in [-1.0, 0.0, 1e-9, 3.0, 1e12, f64::INFINITY] {
                assert!((0..=100).contains(&axis.map(&value, (0, 100))), "{value}");
            }
        }
    }

    #[test]
    fn labels_are_true_short_and_never_the_same_over_fifteen_orders_of_magnitude() {
        let mut axes = Vec::new();
        for size in (-7..=8).flat_map(|order| [1.0, 1.3, 2.7, 5.1, 9.9].map(|first| first * 10f64.powi(order))) {
            axes.push(Axis::linear(size));
            axes.extend([1.0, 1.3, 2.0, 4.9, 5.1, 30.0, 1e5, 1e15].map(|times| Axis::logarithmic(size, size * times)));
        }
        for axis in axes {
            let lengths = [270.0, 670.0];
            let thinned = lengths.map(|length| [axis.clone().thinned_across(length), axis.clone().thinned_up(length)]);
            for axis in thinned.as_flattened().iter().chain([&axis]) {
                let labels: Vec<String> = axis.ticks.iter().map(|tick| axis.format_ext(tick)).collect();
                let read: Vec<f64> = labels.iter().map(|label| label.parse().unwrap()).collect();
                assert!(labels.len() > 1 && labels.iter().all(|label| label.len() <= 8), "{labels:?}");
                assert!(read.is_sorted_by(|a, b| a < b), "{labels:?}");
                let is_near = |(read, tick): (&f64, &f64)| (axis.place(*read) - axis.place(*tick)).abs() < 0.005;
                assert!(read.iter().zip(&axis.ticks).all(is_near), "{labels:?} {:?}", axis.ticks);
            }
        }
    }

    #[test]
    fn labels_do_not_touch() {
        let axis = || Axis::logarithmic(1.0, 64.0).labelled([48.0, 2.0, 1.0, 33.0, 32.0, 32.0].into_iter());
        assert_eq!(axis().ticks, [1.0, 2.0, 32.0, 33.0, 48.0]);
        assert_eq!(axis().thinned_across(500.0).ticks, [1.0, 2.0, 32.0, 48.0]);
        assert_eq!(axis().thinned_across(120.0).ticks, [1.0, 32.0]);
        assert_eq!(axis().thinned_up(500.0).ticks, [1.0, 2.0, 32.0, 48.0]);
    }
}
