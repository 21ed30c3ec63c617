//! The sums of boards that differ in few cells from another one.

use boughs_games::Change;

use super::{Board, Cover, Network};
use crate::table::Table;

/// A board whose neighbours are valued by what they have different.
#[derive(Default)]
pub(crate) struct Base {
    cells: Vec<u8>,
    filled: usize,
    player: usize,
    stage: usize,
    /// The places of its weights.
    places: Vec<u32>,
    /// The same with the weights of a table, and their sum.
    terms: Vec<Term>,
    sum: f32,
    /// The numbers to add to the places for another board. Zero between two boards.
    changes: Vec<u32>,
    /// The lookups with a change.
    changed: Vec<u32>,
    /// The places of a board of another stage.
    others: Vec<u32>,
}

/// A place and the weight there.
#[derive(Clone, Copy)]
struct Term {
    place: u32,
    weight: f32,
}

impl Base {
    /// The step of the kind in a cell, which wraps around.
    #[inline]
    fn step(&self, change: &Change) -> u32 {
        u32::from(change.kind).wrapping_sub(self.cells[usize::from(change.cell)].into())
    }
}

impl Network {
    /// The stage of a board beside another.
    #[inline]
    fn stage_beside(&self, base: &Base, changes: &[Change]) -> usize {
        if self.tuples.stages == 1 {
            return 0;
        }
        let is_new = |change: &&Change| base.cells[usize::from(change.cell)] == 0;
        let (fresh, left) = (changes.iter().filter(is_new).count(), changes.iter().filter(|it| it.kind == 0).count());
        self.stage_of(base.filled + fresh - left)
    }

    /// Takes a board, as if a player had moved to it, to find the places of its neighbours by. Its stage is that of one
    /// of them, because the other ones are mostly in the same stage.
    pub(crate) fn set_base(&self, player: usize, board: &[u8], neighbour: &[Change], base: &mut Base) {
        base.cells.clear();
        base.cells.extend(board);
        (base.player, base.filled) = (player, self.filled(board));
        base.stage = self.stage_beside(base, neighbour);
        base.places.clear();
        self.list_places_of_set(self.first_of_set(player, base.stage), &Board::of(board), &mut base.places);
        base.changes.resize(self.terms(), 0);
    }

    /// Adds the places of the weights of a board for the same player to a list, by its changes.
    pub(crate) fn list_places_beside(&self, base: &Base, changes: &[Change], places: &mut Vec<u32>) {
        if self.stage_beside(base, changes) != base.stage {
            return self.list_places(base.player, &Board::of(&base.cells).after(changes), places);
        }
        let begin = places.len();
        places.extend(&base.places);
        for change in changes {
            self.move_places(&mut places[begin..], change.cell.into(), base.step(change));
        }
    }

    /// Reads the weights of the base from a table.
    pub(crate) fn weigh(&self, table: &Table, base: &mut Base) {
        let term = |&place: &u32| Term { place, weight: table.get(place as usize) };
        base.terms.clear();
        base.terms.extend(base.places.iter().map(term));
        base.sum = table.sum(&base.places);
    }

    /// The sum of the weights of a board for the same player, by its changes, in the table that the base was
    /// [weighed](Network::weigh) by.
    #[inline]
    pub(crate) fn sum_beside(&self, table: &Table, base: &mut Base, changes: &[Change]) -> f32 {
        if self.stage_beside(base, changes) != base.stage {
            base.others.clear();
            self.list_places(base.player, &Board::of(&base.cells).after(changes), &mut base.others);
            return table.sum(&base.others);
        }
        let mut sum = base.sum;
        let mut exchange = |term: Term, change: u32| {
            sum += table.get(term.place.wrapping_add(change) as usize) - term.weight;
        };
        if let [only] = changes {
            let step = base.step(only);
            for &Cover { lookup, unit } in &self.covers[usize::from(only.cell)] {
                exchange(base.terms[lookup as usize], unit.wrapping_mul(step));
            }
            return sum;
        }
        for it in changes {
            let step = base.step(it);
            for &Cover { lookup, unit } in &self.covers[usize::from(it.cell)] {
                let change = &mut base.changes[lookup as usize];
                if *change == 0 {
                    base.changed.push(lookup);
                }
                *change = change.wrapping_add(unit.wrapping_mul(step));
            }
        }
        for lookup in base.changed.drain(..) {
            exchange(base.terms[lookup as usize], std::mem::take(&mut base.changes[lookup as usize]));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SHAPE, filled};
    use super::*;
    use crate::tuples::Tuples;
    use boughs::Rng;

    #[test]
    fn a_board_beside_another_has_the_sum_that_it_has_alone() {
        let mut rng = Rng::new(4, 0);
        let tuples = Tuples::lines(SHAPE).and(Tuples::walks(SHAPE, 6, 5, &mut rng));
        let network = filled(Network::new(&tuples.in_stages(3), 2), &mut rng);
        let mut base = Base::default();
        for _ in 0..20 {
            let mut board: Vec<u8> = (0..16).map(|_| rng.below(3) as u8).collect();
            let player = rng.below(2) as usize;
            let neighbour = board.clone();
            board[rng.below(16) as usize] = 0;
            let before = board.clone();
            let changes = |board: &[u8]| -> Vec<Change> {
                let all = (0..).zip(board).map(|(cell, &kind)| Change { cell, kind });
                all.filter(|change| before[usize::from(change.cell)] != change.kind).collect()
            };
            network.set_base(player, &before, &changes(&neighbour), &mut base);
            network.weigh(&network.weights, &mut base);
            for _ in 0..20 {
                board[rng.below(16) as usize] = rng.below(3) as u8;
                let beside = network.sum_beside(&network.weights, &mut base, &changes(&board));
                let alone = network.value(player, &board);
                assert!((beside - alone).abs() < 1e-4, "{beside} {alone}");
            }
        }
    }
}
