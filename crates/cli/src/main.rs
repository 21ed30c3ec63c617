//! `boughs`: searches games, plays them, checks them and measures the search.
//!
//! The way of a command: its arguments are read ([`commands`], [`args`]), the games list turns a name into a type,
//! the engine works while a line on standard error shows how far it is ([`progress`]), and the result is made into
//! text or JSON ([`show`]) and written at once ([`output`]), or into files ([`folder`]); a game against a person goes line by line ([`opponent`]), and one against programs by the lines of a protocol ([`protocols`]).
//! Whatever goes wrong becomes one sentence and an exit code ([`failure`]).

mod args;
mod bests;
mod commands;
mod failure;
mod folder;
mod interrupt;
mod opponent;
mod output;
mod progress;
mod protocols;
mod show;
mod terms;

fn main() -> std::process::ExitCode {
    interrupt::listen().and_then(|()| commands::run()).map_or_else(failure::Failure::tell, |()| 0.into())
}
