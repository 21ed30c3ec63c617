//! Values read back from the SVG of a chart, for tests: pixels go through the labels of the axes, so that a value that
//! is drawn at a wrong place is found even if the fault is in the axis.

use super::Look;

/// The largest distance, in pixels, between a value and the place where it is drawn.
const NEAR: f64 = 1.5;

/// The largest length of a dash and the gap after it, in pixels.
const DASH: f64 = 12.0;

/// The kind of an axis.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// A value in a chart with the ends of its interval, which are the value itself if it has no interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) is_solid: bool,
}

/// An axis as its labels tell it.
struct LabelledAxis {
    scale: Scale,
    /// The first and the last label, each with its pixel and its value.
    labels: [(f64, f64); 2],
}

impl LabelledAxis {
    fn of(scale: Scale, labels: &[(f64, f64)]) -> LabelledAxis {
        assert!(labels.len() > 1, "an axis needs two labels: {labels:?}");
        assert!(labels.windows(2).all(|pair| pair[0].1 != pair[1].1), "two labels of an axis are the same: {labels:?}");
        LabelledAxis { scale, labels: [labels[0], labels[labels.len() - 1]] }
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.scale == Scale::Logarithmic { value.ln() } else { value }
    }

    fn pixel(&self, value: f64) -> f64 {
        let [(from, first), (to, last)] = self.labels;
        let share = (self.scaled(value) - self.scaled(first)) / (self.scaled(last) - self.scaled(first));
        from + (to - from) * share
    }
}

/// The SVG of a chart.
pub(crate) struct Reading<'a> {
    svg: &'a str,
    x: LabelledAxis,
    y: LabelledAxis,
    /// The first and the last row of pixels of the chart, without its head.
    rows: (f64, f64),
}

type Spot = (f64, f64);

impl<'a> Reading<'a> {
    pub(crate) fn of(svg: &'a str, x: Scale, y: Scale) -> Reading<'a> {
        let labels = |anchor: &str, name: &str| -> Vec<(f64, f64)> {
            let lines: Vec<&str> = svg.lines().collect();
            let texts = lines.windows(2).filter(|pair| pair[0].starts_with("<text") && pair[0].contains(anchor));
            texts.filter_map(|pair| Some((number(pair[0], name)?, pair[1].parse().ok()?))).collect()
        };
        let ink = svg.lines().filter(|line| line.contains("stroke=\"#000000\"")).map(spots);
        let axis = ink.filter(|spots| spots.len() == 2 && spots[0].0 == spots[1].0);
        let rows = axis.map(|spots| (spots[0].1, spots[1].1)).max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
        Reading {
            svg,
            x: LabelledAxis::of(x, &labels("anchor=\"middle\"", "x")),
            y: LabelledAxis::of(y, &labels("anchor=\"end\"", "y")),
            rows: rows.expect("an axis"),
        }
    }

    /// Asserts that the chart has these values in this look, in any order, with their intervals, and no others.
    pub(crate) fn assert_values(&self, look: Look, values: &[Read]) {
        let (signs, bars) = (self.signs(look), self.bars(look));
        assert_eq!(signs.len(), values.len(), "{signs:?} {values:?}");
        for value in values {
            let (x, y) = self.spot((value.x, value.y));
            let is_here = |&((at, row), is_solid): &(Spot, bool)| {
                (at - x).abs() < NEAR && (row - y).abs() < NEAR && is_solid == value.is_solid
            };
            assert!(signs.iter().any(is_here), "{value:?} should be at {x:.1}, {y:.1}: {signs:?}");
            if value.low < value.high {
                let (low, high) = (self.spot((value.x, value.low)).1, self.spot((value.x, value.high)).1);
                let is_mine = |[(at, from), (_, to)]: &[Spot; 2]| {
                    (at - x).abs() < NEAR && (from - low).abs() < NEAR && (to - high).abs() < NEAR
                };
                assert!(bars.iter().any(is_mine), "{value:?} should go from {low:.1} to {high:.1}: {bars:?}");
            }
        }
        assert_eq!(bars.len(), values.iter().filter(|value| value.low < value.high).count(), "{bars:?}");
    }

    /// Asserts that the line of a look goes through these values in this order.
    pub(crate) fn assert_line(&self, look: Look, values: &[Spot]) {
        let drawn: Vec<Spot> = self.paths(look, 2).find(|path| !is_closed(path)).unwrap_or_default();
        let right = values.iter().map(|&value| self.spot(value));
        let is_same = drawn.iter().zip(right).all(|(a, b)| (a.0 - b.0).abs() < NEAR && (a.1 - b.1).abs() < NEAR);
        assert!(drawn.len() == values.len() && is_same, "{values:?} should be the line {drawn:?}");
    }

    /// Asserts that the dashes of a look lie on the line through these values, from its start to its end.
    pub(crate) fn assert_dashes(&self, look: Look, values: &[Spot]) {
        let line: Vec<Spot> = values.iter().map(|&value| self.spot(value)).collect();
        let bars = self.bars(look);
        // An interval is an upright line with a short one across each end.
        let is_of_bar = |path: &[Spot]| bars.iter().any(|[(x, _), _]| (path[0].0 + path[path.len() - 1].0) / 2.0 == *x);
        let drawn: Vec<Spot> = self.paths(look, 1).filter(|path| !is_of_bar(path)).flatten().collect();
        for &spot in &drawn {
            assert!(line.windows(2).any(|ends| distance(spot, [ends[0], ends[1]]) < NEAR), "{spot:?} {line:?}");
        }
        let is_near =
            |a: Option<&Spot>, b: Option<&Spot>| a.zip(b).is_some_and(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1) < DASH);
        assert!(is_near(drawn.first(), line.first()) && is_near(drawn.last(), line.last()), "{drawn:?} {line:?}");
    }

    /// Asserts that a value is not above or below the chart.
    pub(crate) fn assert_within(&self, y: f64) {
        let row = self.y.pixel(y);
        assert!((self.rows.0 - NEAR..=self.rows.1 + NEAR).contains(&row), "{y} is at {row:.1} of {:?}", self.rows);
    }

    /// The place of a value. Values beyond the chart are at its edge.
    fn spot(&self, (x, y): Spot) -> Spot {
        (self.x.pixel(x), self.y.pixel(y).clamp(self.rows.0, self.rows.1))
    }

    /// The paths of a look with strokes of this width, below the head.
    fn paths(&self, look: Look, width: u32) -> impl Iterator<Item = Vec<Spot>> {
        let (colour, width) = (format!("stroke=\"{}\"", hex(look)), format!("stroke-width=\"{width}\""));
        let lines = self.svg.lines().filter(move |line| line.starts_with("<polyline") && line.contains(&colour));
        let paths = lines.filter(move |line| line.contains(&width)).map(spots);
        paths.filter(|path| path.iter().all(|spot| spot.1 >= self.rows.0 - NEAR))
    }

    /// The intervals of a look, each from its lower to its upper end.
    fn bars(&self, look: Look) -> Vec<[Spot; 2]> {
        let upright = |path: Vec<Spot>| match path[..] {
            [low, high] if low.0 == high.0 => Some([low, high]),
            _ => None,
        };
        self.paths(look, 1).filter_map(upright).collect()
    }

    /// The middles of the signs of a look; true for a solid one.
    fn signs(&self, look: Look) -> Vec<(Spot, bool)> {
        let is_filled = |line: &str| line.contains(&format!("fill=\"{}\"", hex(look)));
        let is_hollow = |line: &str| line.contains(&format!("stroke=\"{}\"", hex(look)));
        let sign = |line: &str| {
            let spot = match line.split(' ').next()? {
                "<circle" => (number(line, "cx")?, number(line, "cy")?),
                "<rect" => (number(line, "x")? + 4.0, number(line, "y")? + 4.0),
                // The first corner of a triangle or a diamond is above its middle.
                "<polygon" => spots(line).first().map(|&(x, y)| (x, y + 6.0))?,
                "<polyline" if is_closed(&spots(line)) => spots(line).first().map(|&(x, y)| (x, y + 6.0))?,
                _ => return None,
            };
            (is_filled(line) || is_hollow(line)).then_some((spot, is_filled(line)))
        };
        self.svg.lines().filter_map(sign).filter(|((_, y), _)| *y >= self.rows.0 - NEAR).collect()
    }
}

/// The distance of a spot from a piece of line.
fn distance((x, y): Spot, [from, to]: [Spot; 2]) -> f64 {
    let (along, across) = ((to.0 - from.0), (to.1 - from.1));
    let square = (along * along + across * across).max(f64::MIN_POSITIVE);
    let share = (((x - from.0) * along + (y - from.1) * across) / square).clamp(0.0, 1.0);
    (x - from.0 - share * along).hypot(y - from.1 - share * across)
}

fn is_closed(path: &[Spot]) -> bool {
    path.len() > 2 && path.first() == path.last()
}

fn hex(look: Look) -> String {
    format!("#{:02X}{:02X}{:02X}", look.colour.0, look.colour.1, look.colour.2)
}

/// The number in an attribute.
fn number(line: &str, name: &str) -> Option<f64> {
    attribute(line, name)?.parse().ok()
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// The points of a path.
fn spots(line: &str) -> Vec<Spot> {
    let spot = |text: &str| text.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    attribute(line, "points").unwrap_or_default().split(' ').filter_map(spot).collect()
}
