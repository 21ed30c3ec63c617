//! The looks of series: each has its colour and its sign.

use std::iter::{Once, once};

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters_backend::{BackendCoord, DrawingErrorKind};

/// A colour and a sign.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) colour: RGBColor,
    pub(crate) sign: Sign,
}

/// The sign at a measured value.
#[derive(Clone, Copy)]
pub(crate) enum Sign {
    Circle,
    Triangle,
    Square,
    Diamond,
}

impl Look {
    // Colours that the colour-blind can tell apart too, on white and on black (Okabe and Ito 2008).
    pub(crate) const BLUE: Look = Look { colour: RGBColor(0x1f, 0x83, 0xc4), sign: Sign::Circle };
    pub(crate) const ORANGE: Look = Look { colour: RGBColor(0xd5, 0x6a, 0x10), sign: Sign::Triangle };
    pub(crate) const GREEN: Look = Look { colour: RGBColor(0x00, 0x9e, 0x73), sign: Sign::Square };
    pub(crate) const GREY: Look = Look { colour: RGBColor(0x86, 0x86, 0x86), sign: Sign::Diamond };
}

/// An interval, with a stroke at both ends.
pub(super) struct Bar<C> {
    pub(super) look: Look,
    pub(super) ends: [C; 2],
}

impl<'a, C> PointCollection<'a, C> for &'a Bar<C> {
    type Point = &'a C;
    type IntoIter = std::slice::Iter<'a, C>;

    fn point_iter(self) -> Self::IntoIter {
        self.ends.iter()
    }
}

impl<C, B: DrawingBackend> Drawable<B> for Bar<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut B,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let style = ShapeStyle { color: self.look.colour.to_rgba(), filled: false, stroke_width: 1 };
        let ends: Vec<BackendCoord> = places.collect();
        for &(x, y) in &ends {
            backend.draw_path([(x - 5, y), (x + 5, y)], &style)?;
        }
        backend.draw_path(ends, &style)
    }
}

/// A sign at a place.
pub(super) struct Mark<C> {
    pub(super) look: Look,
    pub(super) place: C,
    /// False for a hollow sign: the value does not count.
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
        let style = ShapeStyle { color: self.look.colour.to_rgba(), filled: self.is_solid, stroke_width: 2 };
        let around = |corners: &[(i32, i32)]| -> Vec<BackendCoord> {
            corners.iter().map(|(right, down)| (x + right, y + down)).collect()
        };
        match self.look.sign {
            Sign::Circle => backend.draw_circle((x, y), 4, &style, self.is_solid),
            Sign::Square => backend.draw_rect((x - 4, y - 4), (x + 4, y + 4), &style, self.is_solid),
            Sign::Triangle if self.is_solid => backend.fill_polygon(around(&[(0, -6), (5, 4), (-5, 4)]), &style),
            Sign::Triangle => backend.draw_path(around(&[(0, -6), (5, 4), (-5, 4), (0, -6)]), &style),
            Sign::Diamond if self.is_solid => backend.fill_polygon(around(&[(0, -6), (6, 0), (0, 6), (-6, 0)]), &style),
            Sign::Diamond => backend.draw_path(around(&[(0, -6), (6, 0), (0, 6), (-6, 0), (0, -6)]), &style),
        }
    }
}
