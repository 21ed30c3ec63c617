//! Tests of the box against one of plain cells, and of the rules of the game.

use boughs::notation::play_moves;
use boughs::{Game, Rng, Turn};

use super::*;

/// A box of plain cells, written after the words of the rules.
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
fn the_box_equals_one_of_plain_cells_in_four_thousand_games() {
    let mut rng = Rng::new(15, 0);
    for game in 0..4_000 {
        let (mut fast, mut plain) = (Board::default(), Plain([[0; SIZE]; SIZE]));
        // In one game all flavours are equally likely, and in the next one of them is rare.
        let flavours = if game % 2 == 0 { &[1, 2, 3][..] } else { &[1, 1, 1, 1, 2, 2, 2, 2, 3][..] };
        for turn in 0..CELLS {
            let (number, flavour) = (rng.below((CELLS - turn) as u32) as usize, rng.pick(flavours).expect("a flavour"));
            fast.place(number, flavour);
            plain.place(number, flavour);
            // Checks every position of some games, and the last position of all.
            if game % 10 == 0 {
                assert_eq!(cells(&fast), plain.0, "game {game}, turn {turn}, placed");
            }
            let tilt = rng.pick(&Tilt::ALL).expect("a tilt");
            fast.tilt(tilt);
            plain.tilt(tilt);
            if game % 10 == 0 {
                assert_eq!(cells(&fast), plain.0, "game {game}, turn {turn}, {tilt:?}");
                assert_eq!(squares(&fast), plain.squares(), "game {game}, turn {turn}, {tilt:?}");
                assert_eq!(fast.candies(), turn + 1);
            }
        }
        assert_eq!(cells(&fast), plain.0, "game {game}");
        assert_eq!(squares(&fast), plain.squares(), "game {game}");
    }
}

fn after(moves: &str) -> Ahc015 {
    let mut game = Ahc015::new(Case::generate(0).flavours);
    play_moves(&mut game, moves).expect(moves);
    game
}

#[test]
fn a_candy_comes_and_the_box_is_tilted_a_hundred_times() {
    let mut game = after("");
    let mut rng = Rng::new(1, 0);
    for left in (1..=CELLS).rev() {
        assert_eq!((game.turn(), game.come()), (Turn::Chance, CELLS - left));
        let mut cells = Vec::new();
        game.actions(&mut cells);
        assert_eq!(cells.len(), left);
        game.apply(game.chance(&mut rng, &mut Vec::new()).expect("a placement"));
        assert_eq!(game.turn(), Turn::Player(0));
        let ends = Tilt::ALL.map(|tilt| {
            let mut end = game;
            end.apply(Step::Tilt(tilt));
            end.score()
        });
        assert!(left > 1 || ends.iter().all(|&end| end == ends[0]), "the last tilt changes nothing");
        game.apply(Step::Tilt(Tilt::ALL[left % 4]));
    }
    assert_eq!((game.turn(), game.reward(0)), (Turn::Over, f64::from(game.score())));
}

#[test]
fn the_score_is_rounded_to_the_nearest_millionth() {
    assert_eq!(scaled(33 * 33 + 33 * 33 + 34 * 34, [33, 33, 34]), MOST);
    // 1000 / 3334 is 0.29994001...
    assert_eq!(scaled(1_000, [33, 33, 34]), 299_940);
    assert_eq!(scaled(2, [1, 1, 1]), 666_667);
}

#[test]
fn the_board_shows_the_front_first_and_what_comes_next() {
    let board = after("57B77B42").board();
    let lines: Vec<&str> = board.lines().collect();
    assert_eq!(lines.len(), SIZE + 1);
    assert_eq!(lines.iter().take(SIZE).map(|line| line.matches(['1', '2', '3']).count()).sum::<usize>(), 3);
    assert_eq!(
        lines[4].chars().nth(1).map(|cell| cell != '.'),
        Some(true),
        "the 42nd cell is the second of the fifth row"
    );
    assert!(lines[9].contains(['1', '2', '3']), "the back is the last row");
    assert!(lines[SIZE].starts_with("score "), "{board}");
}
