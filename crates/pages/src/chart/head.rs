//! The title and the legend of a chart, in as many lines as its width asks for.

use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::{Area, Chart, FAINT, INK, TEXT, TITLE, left};
use crate::PageError;
use crate::chart::mark::{Look, Mark};

/// The distance of the head from the left edge.
const LEFT: i32 = 16;
/// The heights of a line of the title and of a row of the legend.
const TITLE_LINE: i32 = 24;
const LEGEND_ROW: i32 = 22;
/// The length of the piece of line before a name.
const SAMPLE: i32 = 22;

/// An entry of the legend.
struct Entry<'a> {
    name: &'a str,
    sample: Sample,
    place: (i32, i32),
}

/// The piece of line before the name of an entry.
#[derive(Clone, Copy)]
enum Sample {
    Series(Look),
    Guide,
    Dashed,
}

/// The head of a chart of some width.
pub(super) struct Head<'a> {
    title: Vec<String>,
    legend: Vec<Entry<'a>>,
    pub(super) height: u32,
}

impl<'a> Head<'a> {
    pub(super) fn of(chart: &'a Chart, width: u32) -> Head<'a> {
        let title = wrapped(chart.title, width, TITLE);
        let (mut x, mut y) = (LEFT, TITLE_LINE * title.len() as i32 + LEGEND_ROW);
        let mut legend: Vec<Entry<'_>> = Vec::new();
        for (name, sample) in entries(chart) {
            let length = SAMPLE + 6 + text_width(name, TEXT) as i32;
            if x > LEFT && x + length > width as i32 {
                (x, y) = (LEFT, y + LEGEND_ROW);
            }
            legend.push(Entry { name, sample, place: (x, y) });
            x += length + 18;
        }
        Head { title, legend, height: (y + LEGEND_ROW) as u32 }
    }

    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), PageError> {
        for (line, y) in self.title.iter().zip((TITLE_LINE - 4..).step_by(TITLE_LINE as usize)) {
            area.draw(&Text::new(line.as_str(), (LEFT, y), left(TITLE)))?;
        }
        for Entry { name, sample, place: (x, y) } in &self.legend {
            let ends = [(*x, *y), (x + SAMPLE, *y)];
            match sample {
                Sample::Series(look) => {
                    area.draw(&PathElement::new(ends, look.colour.stroke_width(2)))?;
                    area.draw(&Mark { look: *look, place: (x + SAMPLE / 2, *y), is_solid: true })?;
                }
                Sample::Guide => area.draw(&PathElement::new(ends, FAINT))?,
                Sample::Dashed => area.draw(&DashedPathElement::new(ends, 5, 4, INK))?,
            }
            area.draw(&Text::new(*name, (x + SAMPLE + 6, *y), left(TEXT)))?;
        }
        Ok(())
    }
}

/// The names of the legend, in the order in which they stand there.
fn entries(chart: &Chart) -> impl Iterator<Item = (&str, Sample)> {
    let series = chart.series.iter().map(|series| (series.name.as_str(), Sample::Series(series.look)));
    let guide = chart.guide.iter().map(|guide| (guide.name, Sample::Guide));
    let has_dashes = chart.series.iter().any(|series| !series.dashed.is_empty());
    series.chain(guide).chain(has_dashes.then_some(("predicted", Sample::Dashed)))
}

/// The chart of a measurement that has nothing to draw: its title and the reason.
pub(super) fn draw_reason(area: &Area<'_>, title: &str, reason: &str, width: u32) -> Result<(), PageError> {
    let mut y = TITLE_LINE - 4;
    for (line, size) in lines_of(title, reason, width) {
        area.draw(&Text::new(line, (LEFT, y), left(size)))?;
        y += TITLE_LINE;
    }
    Ok(())
}

/// The height of such a chart.
pub(super) fn height_of_reason(title: &str, reason: &str, width: u32) -> u32 {
    lines_of(title, reason, width).len() as u32 * TITLE_LINE as u32 + 12
}

fn lines_of(title: &str, reason: &str, width: u32) -> Vec<(String, f64)> {
    let lines = |text, size| wrapped(text, width, size).into_iter().map(move |line| (line, size));
    lines(title, TITLE).chain(lines(reason, TEXT)).collect()
}

/// The lines of a text that are no wider than a chart.
fn wrapped(text: &str, width: u32, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + size < f64::from(width) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// An upper estimate of the width of a text: fonts without serifs need about six tenths of their size for a letter.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    0.6 * size * text.chars().count() as f64
}
