//! The faults of networks and of their files, each in one sentence for a person.

use std::fmt;
use std::io;

use boughs_games::has_added_games;

use crate::file::VERSION;

/// The reason why a network cannot be read. `Display` gives one sentence for a person.
#[derive(Debug)]
pub enum NetError {
    /// The file is none of a network.
    NoNet,
    /// A newer program has written it.
    Newer(u32),
    /// It is of another game, or of another board.
    OtherGame(String),
    /// The game has no cells.
    NoCells,
    /// No network of the game, on a board of this size, comes with the program.
    NoBuiltIn(String),
    /// The game has more than two players.
    Players,
    /// Its players do not see the whole board, or its rewards are none that a network learns.
    Unfit(&'static str),
    /// It is a network to play by, and nothing can be learned on from it.
    NoCourse,
    /// It was learned with other tuples or settings than those that are asked for; the first of its own that differs.
    OtherSettings(String),
    /// It has as many stages, which cannot be made others.
    Stages(usize),
    /// A text names no tuples of the board; one sentence.
    Tuples(String),
    /// It is a file of ONNX that cannot be used; one sentence.
    Onnx(String),
    /// Something is missing or damaged.
    Damaged,
    /// It has more weights than the memory has room for, or 32 bits can count.
    Memory,
    /// The system gives no more threads to learn by.
    Threads(String),
    /// It cannot be read.
    Io(io::Error),
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::NoBuiltIn(games) => write!(
                f,
                "no network of this game and board comes with the program, only of {games}; learn one by 'boughs learn'"
            ),
            NetError::NoNet => f.write_str("it is no file of a network; 'boughs learn' writes one"),
            NetError::Newer(version) => {
                write!(
                    f,
                    "it has version {version} of the format, and this program reads {VERSION}; use a newer program"
                )
            }
            NetError::OtherGame(game) => write!(f, "it is a network of {game}; use one of the game at hand"),
            NetError::NoCells => {
                let cure = "; a game of your own has one by NamedGame::grid, or by cells_shape and cells";
                let cure = if has_added_games() { cure } else { "" };
                write!(f, "this game has no board of cells, so it has no networks{cure}")
            }
            NetError::Players => f.write_str("a network learns games for one or two players, and this game has more"),
            NetError::Unfit(reason) => f.write_str(reason),
            NetError::NoCourse => f.write_str("it has no course of learning to go on from; learn into another file"),
            NetError::OtherSettings(own) => {
                write!(f, "it was learned {own}; name another file, or use the settings that it has")
            }
            NetError::Stages(stages) => {
                write!(f, "it has {stages} stages, and only one stage can be made several; leave out --stages")
            }
            NetError::Tuples(fault) | NetError::Onnx(fault) => f.write_str(fault),
            NetError::Damaged => f.write_str("it is cut or damaged; copy it again, or learn it again"),
            NetError::Memory => {
                f.write_str("its weights are too many for the memory; use fewer or shorter tuples, or more memory")
            }
            NetError::Threads(fault) => write!(f, "the system gives no more threads ({fault}); ask for fewer"),
            NetError::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NetError {}

impl From<io::Error> for NetError {
    fn from(error: io::Error) -> NetError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                NetError::Damaged
            }
            _ => NetError::Io(error),
        }
    }
}
