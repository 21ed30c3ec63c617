//! The rules of the games.

mod every_game;
mod go;
mod green_circle;
mod grids;
mod information;
mod options;
