//! The weights of tuples, and the value of a board.

mod beside;

use std::ops::Range;

use boughs_games::{Change, exchange_players};

use crate::table::Table;
use crate::tuples::Tuples;
pub(crate) use beside::Base;

/// A network of tuples. Each player has weights of their own, except where the players can be exchanged
/// ([`CellsShape::exchange`](boughs_games::CellsShape::exchange)) and one set of weights is for both. Images of a tuple
/// under the symmetries of the board share theirs. Each stage of a game ([`Tuples::in_stages`]) has weights of its own.
///
/// Threads read and change the weights at the same time, without locks (Hogwild: Niu et al. 2011). Of two threads that
/// change the same weight at once one may lose its change.
pub struct Network {
    tuples: Tuples,
    /// The first weight of the tuple of each lookup. A lookup is an image of a tuple.
    firsts: Vec<u32>,
    /// The end of the lookups of each tuple.
    ends: Vec<usize>,
    /// On a small board, what each kind in each cell adds to the place of each lookup; else empty.
    shifts: Vec<u32>,
    /// The lookups that each cell belongs to.
    covers: Vec<Vec<Cover>>,
    /// The weights of one set.
    of_set: u32,
    players: usize,
    /// The way to see a board with the eyes of the first player, if the weights are those of both.
    exchange: Option<Vec<usize>>,
    weights: Table,
    /// The weights of priors, in the same places.
    policy: Option<Table>,
}

/// A lookup that a cell belongs to.
#[derive(Clone, Copy, Debug)]
struct Cover {
    lookup: u32,
    /// The distance of the weights of two contents of the cell that follow each other.
    unit: u32,
}

/// The most cells of a small board. A move on a larger one changes few of them.
pub(crate) const SMALL: usize = 24;

/// The most cells of a board: those of Go on 19x19 have room.
const MOST_CELLS: usize = 512;

/// A board whose cells need no check, because it has as many as may be.
pub(crate) struct Board([u8; MOST_CELLS]);

impl Board {
    #[inline]
    pub(crate) fn of(cells: &[u8]) -> Board {
        let mut board = [0; MOST_CELLS];
        board[..cells.len()].copy_from_slice(cells);
        Board(board)
    }

    /// The board after some changes.
    #[inline]
    pub(crate) fn after(&self, changes: &[Change]) -> Board {
        let mut board = self.0;
        changes.iter().for_each(|change| board[usize::from(change.cell) % MOST_CELLS] = change.kind);
        Board(board)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("tuples", &self.tuples).finish_non_exhaustive()
    }
}

impl Network {
    /// A network whose weights are zero. `None` if there is no memory for it, it has no tuples, no stages or more
    /// weights than 32 bits count, or the board has more than 512 cells.
    pub fn new(tuples: &Tuples, players: usize) -> Option<Network> {
        let stages = tuples.stages;
        let permutations = tuples.shape.permutations();
        let kinds = tuples.shape.kinds as u32;
        if tuples.cells.is_empty() || tuples.shape.cells() > MOST_CELLS || stages == 0 {
            return None;
        }
        let (mut firsts, mut covers, mut ends) = (Vec::new(), vec![Vec::new(); tuples.shape.cells()], Vec::new());
        let mut first = 0u32;
        for tuple in &tuples.cells {
            let mut images: Vec<Vec<usize>> = Vec::new();
            for permutation in &permutations {
                let image = tuple.iter().map(|&cell| permutation[cell]).collect();
                if !images.contains(&image) {
                    images.push(image);
                }
            }
            let contents = kinds.checked_pow(tuple.len() as u32)?;
            for image in images {
                let (lookup, mut unit) = (firsts.len() as u32, contents);
                for cell in image {
                    unit /= kinds;
                    covers[cell].push(Cover { lookup, unit });
                }
                firsts.push(first);
            }
            first = first.checked_add(contents)?;
            ends.push(firsts.len());
        }
        let exchange = tuples.shape.exchange().filter(|_| players == 2);
        let sets = stages.checked_mul(if exchange.is_some() { 1 } else { players })?;
        let all = (first as usize).checked_mul(sets).filter(|&all| u32::try_from(all).is_ok())?;
        let (tuples, weights) = (tuples.clone(), Table::new(all)?);
        let mut shifts = Vec::new();
        if tuples.shape.cells() <= SMALL {
            shifts.resize(tuples.shape.cells() * tuples.shape.kinds * firsts.len(), 0);
            let mut rows = shifts.chunks_exact_mut(firsts.len());
            for (covers, kind) in covers.iter().flat_map(|covers| (0..kinds).map(move |kind| (covers, kind))) {
                let Some(row) = rows.next() else { break };
                covers.iter().for_each(|cover| row[cover.lookup as usize] = kind * cover.unit);
            }
        }
        Some(Network { tuples, firsts, shifts, ends, covers, of_set: first, players, exchange, weights, policy: None })
    }

    /// The tuples.
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// A network of this many stages, all of which have the weights of this one of one stage. `None` if this one has
    /// several stages, or there is no memory for it.
    pub fn split(&self, stages: usize) -> Option<Network> {
        if self.tuples.stages != 1 {
            return None;
        }
        let of_set = self.of_set as usize;
        let network = Network::new(&self.tuples.clone().in_stages(stages), self.players)?;
        let network = if self.policy.is_some() { network.with_policy()? } else { network };
        for (from, to) in self.tables().zip(network.tables()) {
            // Most contents never occur, and memory that is not written to takes no room.
            for (place, weight) in (0..from.len()).map(|place| (place, from.get(place))).filter(|(_, it)| *it != 0.0) {
                let first = of_set * stages * (place / of_set) + place % of_set;
                (0..stages).for_each(|stage| to.set(first + of_set * stage, weight));
            }
        }
        Some(network)
    }

    /// The same network without weights of priors.
    #[must_use]
    pub fn without_policy(self) -> Network {
        Network { policy: None, ..self }
    }

    /// The same network with weights of priors, all zero. `None` if there is no memory for them.
    pub fn with_policy(self) -> Option<Network> {
        let policy = Some(Table::new(self.weights.len())?);
        Some(Network { policy, ..self })
    }

    /// The first weight of the set of a player and a stage.
    #[inline]
    fn first_of_set(&self, player: usize, stage: usize) -> u32 {
        let of_player = if self.exchange.is_some() { 0 } else { player };
        self.of_set * (self.tuples.stages * of_player + stage) as u32
    }

    /// The number of filled cells of a board, if there are several stages.
    #[inline]
    fn filled(&self, board: &[u8]) -> usize {
        if self.tuples.stages == 1 { 0 } else { board.iter().filter(|&&kind| kind > 0).count() }
    }

    /// The stage of a board with this number of filled cells.
    #[inline]
    fn stage_of(&self, filled: usize) -> usize {
        (self.tuples.stages * filled).saturating_sub(1) / self.tuples.shape.cells()
    }

    /// Shows boards, one after the other, as the weights of a player know them.
    pub(crate) fn show(&self, player: usize, boards: &mut [u8]) {
        let Some(exchange) = self.exchange.as_ref().filter(|_| player == 1) else { return };
        let mut before = Vec::with_capacity(exchange.len());
        boards.chunks_exact_mut(exchange.len()).for_each(|board| exchange_players(board, exchange, &mut before));
    }

    /// Shows the changes of moves, as [`show`](Network::show) does the boards.
    pub(crate) fn show_changes(&self, player: usize, changes: &mut [Change]) {
        let Some(exchange) = self.exchange.as_ref().filter(|_| player == 1) else { return };
        for Change { cell, kind } in changes {
            // Each cell takes the place of the one that takes its own.
            *cell = exchange[usize::from(*cell)] as u16;
            *kind = if let 1..=2 = *kind { 3 - *kind } else { *kind };
        }
    }

    /// Gives every board the same value.
    pub fn fill(&self, value: f32) {
        let each = value / self.terms() as f32;
        (0..self.weights.len()).for_each(|place| self.weights.set(place, each));
    }

    /// The value of a board after a move of a player: the sum of its weights.
    #[inline]
    pub fn value(&self, player: usize, board: &[u8]) -> f32 {
        let (mut places, mut board) = (Vec::with_capacity(self.terms()), board.to_vec());
        self.show(player, &mut board);
        self.list_places(player, &Board::of(&board), &mut places);
        self.weights.sum(&places)
    }

    /// The number of weights whose sum is a value.
    pub(crate) fn terms(&self) -> usize {
        self.firsts.len()
    }

    pub(crate) fn weights(&self) -> &Table {
        &self.weights
    }

    /// The weights of priors, if it has any.
    pub(crate) fn policy(&self) -> Option<&Table> {
        self.policy.as_ref()
    }

    /// All tables: the weights of values, and those of priors if it has any.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        [Some(&self.weights), self.policy.as_ref()].into_iter().flatten()
    }

    /// Adds the places of the weights of a board that was [shown](Network::show) to a list, one for each term of its
    /// value.
    #[inline]
    pub(crate) fn list_places(&self, player: usize, board: &Board, places: &mut Vec<u32>) {
        let stage = self.stage_of(self.filled(&board.0[..self.tuples.shape.cells()]));
        self.list_places_of_set(self.first_of_set(player, stage), board, places);
    }

    /// Adds the places of the weights of a board to a list, in the set that begins at a place.
    #[inline]
    fn list_places_of_set(&self, set: u32, board: &Board, places: &mut Vec<u32>) {
        let begin = places.len();
        places.extend(self.firsts.iter().map(|first| set + first));
        let (places, terms, kinds) = (&mut places[begin..], self.terms(), self.tuples.shape.kinds);
        let filled = board.0[..self.tuples.shape.cells()].iter().enumerate().filter(|&(_, &kind)| kind > 0);
        for (cell, &kind) in filled {
            if self.shifts.is_empty() {
                self.move_places(places, cell, kind.into());
            } else {
                // All lookups of a small board at a time: most of them have each cell, and vectors add several at once.
                let row = terms * (kinds * cell + usize::from(kind));
                places.iter_mut().zip(&self.shifts[row..row + terms]).for_each(|(place, shift)| *place += shift);
            }
        }
    }

    /// Moves the places of a board's weights by a step of the kind in a cell.
    #[inline]
    fn move_places(&self, places: &mut [u32], cell: usize, step: u32) {
        for &Cover { lookup, unit } in &self.covers[cell] {
            let place = &mut places[lookup as usize];
            *place = place.wrapping_add(unit.wrapping_mul(step));
        }
    }

    /// The images of a tuple among the terms of a value.
    pub(crate) fn images(&self, tuple: usize) -> Range<usize> {
        let first = tuple.checked_sub(1).map_or(0, |before| self.ends[before]);
        first..self.ends[tuple]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;
    use boughs_games::{CellsShape, Colours, Symmetries};

    pub(super) const SHAPE: CellsShape =
        CellsShape { columns: 4, rows: 4, kinds: 3, symmetries: Symmetries::Square, colours: Colours::Differ };

    /// The network with random weights.
    pub(super) fn filled(network: Option<Network>, rng: &mut Rng) -> Network {
        let network = network.unwrap();
        (0..network.weights.len()).for_each(|place| network.weights.set(place, rng.unit() as f32));
        network
    }

    #[test]
    fn a_board_and_its_images_have_the_same_value_and_players_have_their_own() {
        let mut rng = Rng::new(4, 0);
        let tuples = Tuples::lines(SHAPE).and(Tuples::walks(SHAPE, 6, 5, &mut rng));
        let network = filled(Network::new(&tuples.in_stages(3), 2), &mut rng);
        for _ in 0..50 {
            let board: Vec<u8> = (0..16).map(|_| rng.below(3) as u8).collect();
            let values = [0, 1].map(|player| network.value(player, &board));
            assert!((values[0] - values[1]).abs() > 1e-6);
            for to in SHAPE.permutations() {
                let image: Vec<u8> = (0..16).map(|cell| board[to[cell]]).collect();
                let of_image = [0, 1].map(|player| network.value(player, &image));
                assert!((0..2).all(|player| (of_image[player] - values[player]).abs() < 1e-4));
            }
        }
    }

    #[test]
    fn players_who_can_be_exchanged_share_the_weights() {
        for colours in [Colours::Alike, Colours::UpsideDown, Colours::Transposed] {
            let shape = CellsShape { colours, ..SHAPE };
            let (mut rng, exchange) = (Rng::new(4, 0), shape.exchange().unwrap());
            let tuples =
                Tuples::walks(CellsShape { symmetries: Symmetries::None, ..shape }, 6, 5, &mut rng).in_stages(2);
            let network = filled(Network::new(&tuples, 2), &mut rng);
            assert_eq!(network.weights.len() as u32, 2 * tuples.weights().unwrap());
            for _ in 0..50 {
                let board: Vec<u8> = (0..16).map(|_| rng.below(3) as u8).collect();
                let mut other = board.clone();
                exchange_players(&mut other, &exchange, &mut Vec::new());
                let values = [network.value(0, &board), network.value(1, &other), network.value(1, &board)];
                assert!((values[0] - values[1]).abs() < 1e-5 && (values[0] - values[2]).abs() > 1e-6, "{values:?}");
            }
        }
    }

    #[test]
    fn stages_have_weights_of_their_own_and_go_by_the_filled_cells() {
        let mut rng = Rng::new(4, 0);
        let network = filled(Network::new(&Tuples::lines(SHAPE).in_stages(4), 2), &mut rng);
        assert_eq!(network.weights.len(), 8 * 2 * 81);
        for filled in 0..=16 {
            let board: Vec<u8> = (0..16).map(|cell| u8::from(cell < filled)).collect();
            for player in 0..2 {
                let mut places = Vec::new();
                network.list_places(player, &Board::of(&board), &mut places);
                let stage = [0, 4, 8, 12].into_iter().rposition(|most| filled > most).unwrap_or(0);
                assert!(
                    places.iter().all(|place| place / network.of_set == 4 * player as u32 + stage as u32),
                    "{filled} {places:?}"
                );
            }
        }
        assert!(Network::new(&Tuples::lines(SHAPE).in_stages(0), 2).is_none());
    }

    #[test]
    fn every_content_of_a_tuple_has_a_weight_of_its_own() {
        let shape = CellsShape { symmetries: Symmetries::None, ..SHAPE };
        let tuples = Tuples::new(shape, vec![vec![0, 1, 6], vec![2, 5]]).unwrap();
        let network = Network::new(&tuples, 1).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..3u32.pow(3) {
            let mut board = [0; 16];
            [0, 1, 6].into_iter().zip([1, 3, 9]).for_each(|(cell, unit)| board[cell] = (number / unit % 3) as u8);
            let mut places = Vec::new();
            network.list_places(0, &Board::of(&board), &mut places);
            assert!(places[0] < 27 && places[1] == 27, "{places:?}");
            seen.insert(places[0]);
        }
        assert_eq!((seen.len(), network.weights.len()), (27, 27 + 9));
    }

    #[test]
    fn all_stages_of_a_network_that_is_split_have_its_weights() {
        let mut rng = Rng::new(4, 0);
        let one = filled(Network::new(&Tuples::lines(SHAPE), 2), &mut rng).with_policy().unwrap();
        let split = one.split(3).unwrap();
        assert!(split.policy().is_some() && split.weights.len() == 3 * one.weights.len());
        for _ in 0..50 {
            let board: Vec<u8> = (0..16).map(|_| rng.below(3) as u8).collect();
            assert!((0..2).all(|player| split.value(player, &board) == one.value(player, &board)));
        }
        assert!(split.split(2).is_none());
    }

    #[test]
    fn a_network_has_tuples() {
        assert!(Network::new(&Tuples::rectangles(SHAPE, 5, 5), 1).is_none());
    }

    #[test]
    fn a_filled_network_gives_every_board_its_value() {
        let network = Network::new(&Tuples::lines(SHAPE), 1).unwrap();
        network.fill(5.0);
        assert!((network.value(0, &[0; 16]) - 5.0).abs() < 1e-5 && (network.value(0, &[2; 16]) - 5.0).abs() < 1e-5);
    }
}
