//! The box against one of plain cells, and the rules of the game.

use boughs::Rng;

use super::*;

/// The box as plain cells, by the words of the rules.
#[derive(Clone)]
struct Plain([[u8; SIZE]; SIZE]);

impl Plain {
    fn place(&mut self, number: usize, flavour: u8) {
        let empty = (0..CELLS).filter(|cell| self.0[cell / SIZE][cell % SIZE] == 0).nth(number);
        let cell = empty.expect("an empty cell");
        self.0[cell / SIZE][cell % SIZE] = flavour;
    }

    fn tilt(&mut self, tilt: Tilt) {
        for line in 0..SIZE {
            let cell = |place: usize| {
                let along = if tilt.is_high() { SIZE - 1 - place } else { place };
                if tilt.is_vertical() { (along, line) } else { (line, along) }
            };
            let candies: Vec<u8> =
                (0..SIZE).map(cell).map(|(row, column)| self.0[row][column]).filter(|&candy| candy != 0).collect();
            for (place, (row, column)) in (0..SIZE).map(cell).enumerate() {
                self.0[row][column] = candies.get(place).copied().unwrap_or(0);
            }
        }
    }

    fn squares(&self) -> u32 {
        let mut seen = [[false; SIZE]; SIZE];
        let mut sum = 0;
        for start in (0..CELLS).map(|cell| (cell / SIZE, cell % SIZE)) {
            let flavour = self.0[start.0][start.1];
            let (mut waiting, mut count) = (vec![start], 0);
            while let Some((row, column)) = waiting.pop() {
                if flavour == 0 || seen[row][column] || self.0[row][column] != flavour {
                    continue;
                }
                seen[row][column] = true;
                count += 1;
                let near = [
                    (row + 1, column),
                    (row.wrapping_sub(1), column),
                    (row, column + 1),
                    (row, column.wrapping_sub(1)),
                ];
                waiting.extend(near.into_iter().filter(|&(row, column)| row < SIZE && column < SIZE));
            }
            sum += count * count;
        }
        sum
    }
}

fn cells(board: &Board) -> [[u8; SIZE]; SIZE] {
    std::array::from_fn(|row| std::array::from_fn(|column| board.flavour(row, column)))
}

#[test]
fn the_box_equals_one_of_plain_cells_in_twenty_thousand_games() {
    let mut rng = Rng::new(15, 0);
    for game in 0..20_000 {
        let (mut fast, mut plain) = (Board::default(), Plain([[0; SIZE]; SIZE]));
        // All flavours are as likely in one game, and one of them rare in the next.
        let flavours = if game % 2 == 0 { &[1, 2, 3][..] } else { &[1, 1, 1, 1, 2, 2, 2, 2, 3][..] };
        for turn in 0..CELLS {
            let (number, flavour) = (rng.below((CELLS - turn) as u32) as usize, rng.pick(flavours).expect("a flavour"));
            fast.place(number, flavour);
            plain.place(number, flavour);
            // Every position of some games, and the last one of all.
            if game % 50 == 0 {
                assert_eq!(cells(&fast), plain.0, "game {game}, turn {turn}, placed");
            }
            let tilt = rng.pick(&Tilt::ALL).expect("a tilt");
            fast.tilt(tilt);
            plain.tilt(tilt);
            if game % 50 == 0 {
                assert_eq!(cells(&fast), plain.0, "game {game}, turn {turn}, {tilt:?}");
                assert_eq!(squares(&fast), plain.squares(), "game {game}, turn {turn}, {tilt:?}");
                assert_eq!(fast.candies(), turn + 1);
            }
        }
        assert_eq!(cells(&fast), plain.0, "game {game}");
        assert_eq!(squares(&fast), plain.squares(), "game {game}");
    }
}
