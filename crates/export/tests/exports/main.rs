//! Files for judges: each step that makes them, the files whole, and their comparison with the programs.

mod common;
mod effects;
mod fold;
mod implementations;
mod old;
mod one_file;
mod parameters;
mod short;
mod single;
mod verify;
mod watch;
