//! The networks that come with the program. Each is learned anew, to the same bytes, by the command beside it.

use std::sync::{Arc, OnceLock};

use boughs::{Session, SessionEvaluator};

use crate::error::NetError;
use crate::evaluator::NetEvaluator;
use crate::file;
use crate::judge::board;

/// A network that comes with the program.
struct BuiltIn {
    game: &'static str,
    columns: usize,
    rows: usize,
    bytes: &'static [u8],
    /// The network, once it was asked for.
    evaluator: OnceLock<Arc<NetEvaluator>>,
}

impl BuiltIn {
    const fn new(game: &'static str, columns: usize, rows: usize, bytes: &'static [u8]) -> BuiltIn {
        BuiltIn { game, columns, rows, bytes, evaluator: OnceLock::new() }
    }
}

static NETS: [BuiltIn; 3] = [
    // boughs learn breakthrough --out breakthrough.net --small --games 400000 --opening 12 --explore 0.05
    //   --tuples rectangles:3x3+rectangles:2x5
    BuiltIn::new("breakthrough", 8, 8, include_bytes!("../nets/breakthrough.net")),
    // boughs learn connect4 --out connect4.net --small --games 3000000 --tuples walks:40x7 --opening 16
    BuiltIn::new("connect4", 7, 6, include_bytes!("../nets/connect4.net")),
    // boughs learn othello --out othello.net --small --games 600000 --opening 10
    //   --tuples lines+diagonals+rectangles:3x3+rectangles:5x2
    BuiltIn::new("othello", 8, 8, include_bytes!("../nets/othello.net")),
];

/// The network of the game of a position that comes with the program.
///
/// # Errors
/// If there is none, or no memory for it.
pub(crate) fn read_built_in(position: &dyn Session) -> Result<Arc<dyn SessionEvaluator>, NetError> {
    let (game, shape) = board(position)?;
    let is_it = |net: &&BuiltIn| (net.game, net.columns, net.rows) == (game.name, shape.columns, shape.rows);
    let Some(net) = NETS.iter().find(is_it) else {
        let games: Vec<&str> = NETS.iter().map(|net| net.game).collect();
        return Err(NetError::NoBuiltIn(games.join(", ")));
    };
    if let Some(evaluator) = net.evaluator.get() {
        return Ok(evaluator.clone());
    }
    let network = file::read(game.name, shape, position.players(), net.bytes)?;
    let evaluator = Arc::new(NetEvaluator::new(network, game, position));
    Ok(net.evaluator.get_or_init(|| evaluator).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_that_come_with_the_program_are_small_and_are_read_once() {
        for net in &NETS {
            assert!(net.bytes.len() < 1_000_000, "{}: {} bytes", net.game, net.bytes.len());
            let start = boughs_games::start(net.game).unwrap();
            let [first, second] = [0, 1].map(|_| read_built_in(&*start.position).unwrap());
            assert!(Arc::ptr_eq(&first, &second));
        }
    }
}
