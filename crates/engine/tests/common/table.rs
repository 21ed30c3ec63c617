//! Small games as data: one row for each position.

use std::collections::HashMap;
use std::time::Duration;

use boughs::Turn;

use super::bomb::Method;

/// The name of a position while a table is drawn up: a ply and a sum, say.
pub(crate) type Key = [u64; 2];

/// An event at a call of a position's method.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    Panic(&'static str),
    Sleep(Duration),
}

/// A position. `P` names the positions that its moves lead to.
pub(crate) struct Spot<P = Key> {
    pub(crate) turn: Turn,
    /// The code of each legal action, and the position after it.
    pub(crate) moves: Vec<(u32, P)>,
    /// The outcomes that chance draws although they are not listed.
    pub(crate) unlisted: Vec<(u32, P)>,
    /// The rewards at the end.
    pub(crate) rewards: Vec<f64>,
    /// The heuristic value for the first of two players, whose values add up to 1.
    pub(crate) value: Option<f64>,
    /// The positions that a player cannot tell from this one, itself included. None for a player who sees everything.
    pub(crate) twins: [Vec<P>; 2],
    /// An event at each call of a method.
    pub(crate) event: Option<(Method, Event)>,
}

impl Spot {
    fn new(turn: Turn) -> Spot {
        let twins = [Vec::new(), Vec::new()];
        Spot { turn, moves: Vec::new(), unlisted: Vec::new(), rewards: Vec::new(), value: None, twins, event: None }
    }

    /// The end of a game.
    pub(crate) fn over(rewards: &[f64]) -> Spot {
        Spot { rewards: rewards.to_vec(), ..Spot::new(Turn::Over) }
    }

    /// The end of a game of two, with the reward of the first, whose rewards add up to 1.
    pub(crate) fn over_for_two(first: f64) -> Spot {
        Spot::over(&[first, 1.0 - first])
    }

    /// A position in which a player or chance acts.
    pub(crate) fn of(turn: Turn, moves: impl IntoIterator<Item = (u32, Key)>) -> Spot {
        Spot { moves: moves.into_iter().collect(), ..Spot::new(turn) }
    }

    /// A position in which a player acts.
    pub(crate) fn player(player: u64, moves: impl IntoIterator<Item = (u32, Key)>) -> Spot {
        Spot::of(Turn::Player(player as usize), moves)
    }

    pub(crate) fn with(self, method: Method, event: Event) -> Spot {
        Spot { event: Some((method, event)), ..self }
    }

    fn numbered(self, number: &mut dyn FnMut(Key) -> usize) -> Spot<usize> {
        let mut moves = |moves: Vec<(u32, Key)>| moves.into_iter().map(|(code, key)| (code, number(key))).collect();
        let (moves, unlisted) = (moves(self.moves), moves(self.unlisted));
        let twins = self.twins.map(|twins| twins.into_iter().map(&mut *number).collect());
        Spot { turn: self.turn, moves, unlisted, rewards: self.rewards, value: self.value, twins, event: self.event }
    }
}

impl<P> Spot<P> {
    /// The event of a method happens, if it has one.
    pub(crate) fn happen(&self, method: Method) {
        match self.event {
            Some((at, Event::Panic(text))) if at == method => panic!("{text}"),
            Some((at, Event::Sleep(time))) if at == method => std::thread::sleep(time),
            _ => {}
        }
    }
}

impl Spot<usize> {
    /// The position after a move. Tables are strict: a move that is not legal is a panic.
    pub(crate) fn after(&self, code: u32) -> usize {
        // The code of a move is its place in most tables.
        let at_place = self.moves.get(code as usize).filter(|(at_place, _)| *at_place == code);
        let mut all = self.moves.iter().chain(&self.unlisted);
        let found = at_place.or_else(|| all.find(|(other, _)| *other == code));
        found.unwrap_or_else(|| panic!("{code} is not legal here")).1
    }
}

/// All positions of a game that can be reached from its start, which is the first.
pub(crate) struct Table {
    pub(crate) players: usize,
    pub(crate) spots: Vec<Spot<usize>>,
}

impl Table {
    /// Draws up a table. Tables live as long as the tests, so that positions are copied without counting references.
    pub(crate) fn new(players: usize, start: Key, look: &dyn Fn(Key) -> Spot) -> &'static Table {
        let (mut numbers, mut keys, mut spots) = (HashMap::from([(start, 0)]), vec![start], Vec::new());
        while let Some(&key) = keys.get(spots.len()) {
            let spot = look(key).numbered(&mut |key| {
                *numbers.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() - 1
                })
            });
            spots.push(spot);
        }
        Box::leak(Box::new(Table { players, spots }))
    }
}
