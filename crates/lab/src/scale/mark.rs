//! How modes look in plots: each has a colour and a sign of its own.

use std::iter::{Once, once};

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters_backend::{BackendCoord, DrawingErrorKind};

use super::Mode;

/// A colour that can be told from the others, by the colour-blind too, on white and on black (Okabe and Ito 2008).
pub(super) fn colour(mode: Mode) -> RGBColor {
    match mode {
        Mode::Shared => RGBColor(0x1f, 0x83, 0xc4),
        Mode::Independent => RGBColor(0xd5, 0x6a, 0x10),
        Mode::Batched => RGBColor(0x00, 0x9e, 0x73),
        Mode::Roof => RGBColor(0x86, 0x86, 0x86),
    }
}

/// The sign of a mode at a place.
pub(super) struct Mark<C> {
    pub(super) mode: Mode,
    pub(super) place: C,
    /// Hollow where it does not count.
    pub(super) is_solid: bool,
}

impl<'a, C> PointCollection<'a, C> for &'a Mark<C> {
    type Point = &'a C;
    type IntoIter = Once<&'a C>;

    fn point_iter(self) -> Self::IntoIter {
        once(&self.place)
    }
}

impl<C, B: DrawingBackend> Drawable<B> for Mark<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut places: I,
        backend: &mut B,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let Some((x, y)) = places.next() else { return Ok(()) };
        let style = ShapeStyle { color: colour(self.mode).to_rgba(), filled: self.is_solid, stroke_width: 2 };
        let around = |corners: &[(i32, i32)]| -> Vec<BackendCoord> {
            corners.iter().map(|(right, down)| (x + right, y + down)).collect()
        };
        match self.mode {
            Mode::Shared => backend.draw_circle((x, y), 4, &style, self.is_solid),
            Mode::Batched => backend.draw_rect((x - 4, y - 4), (x + 4, y + 4), &style, self.is_solid),
            Mode::Independent if self.is_solid => backend.fill_polygon(around(&[(0, -6), (5, 4), (-5, 4)]), &style),
            Mode::Independent => backend.draw_path(around(&[(0, -6), (5, 4), (-5, 4), (0, -6)]), &style),
            Mode::Roof if self.is_solid => backend.fill_polygon(around(&[(0, -6), (6, 0), (0, 6), (-6, 0)]), &style),
            Mode::Roof => backend.draw_path(around(&[(0, -6), (6, 0), (0, 6), (-6, 0), (0, -6)]), &style),
        }
    }
}
