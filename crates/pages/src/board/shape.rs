//! The places of a board's cells in its text, by which a board is drawn without knowing the game.
//!
//! Boards are written for terminals. A text that begins with rows of single characters with spaces between them is a
//! grid: a dot is an empty cell, a capital letter or a sign is a piece, and small letters and numbers are labels at the
//! edge. In a row with lines between the cells, as in `1 | X | 3`, every word is a cell; in one with a line after each
//! cell too, as in `2 |  64 | 128 |`, cells are what is between lines. Rows that are shifted against each other by half
//! a cell are made of hexagons. The text after the grid stays text.
//!
//! A cell may also be a word of such a character and a digit, `X3` for a piece of size 3, `x3` for a piece that is not
//! ready, with a stroke and another digit for its shadow, `.2/1`; `##` is no cell. Then every cell of the board is such
//! a word.

use boughs_games::GameEntry;
use serde::Serialize;

/// The places of all cells and labels in the text of a grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Shape {
    /// True if cells are hexagons, false if they are squares.
    pub(crate) hexagons: bool,
    /// True if pieces stand on the intersections of lines.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) intersections: bool,
    /// True if the first player's pieces are black and the second one's white.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stones: bool,
    /// The pieces in a line that decide the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    pub(crate) cells: Vec<Place>,
    pub(crate) labels: Vec<Place>,
    /// The length of the grid in the text.
    pub(crate) end: usize,
    /// The seats to which top and bottom, and left and right belong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sides: Option<[usize; 2]>,
    /// The names of the cells in moves, where the board does not show them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
}

/// A word of the text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Place {
    /// The index of its first character in the text.
    pub(crate) at: usize,
    /// Its length.
    pub(crate) length: usize,
    /// Its middle from the left, in widths of a cell.
    pub(crate) x: f64,
    /// Its row.
    pub(crate) y: usize,
}

/// A line of the text.
enum TextLine {
    /// A line drawn between rows.
    Rule,
    /// Cells and labels; each with its first column and its length.
    Row { cells: Vec<(usize, usize)>, labels: Vec<(usize, usize)> },
}

impl Shape {
    /// The shape of all these boards, if they have the same one.
    pub(crate) fn common(boards: &[&str]) -> Option<Shape> {
        let shape = Shape::of(boards.first()?)?;
        boards.iter().all(|board| Shape::of(board).as_ref() == Some(&shape)).then_some(shape)
    }

    /// The shape of all these boards of a game, if they have the same one.
    pub(crate) fn of_game(entry: Option<&GameEntry>, boards: &[&str]) -> Option<Shape> {
        let shape = Shape::common(boards)?;
        Some(match entry {
            Some(entry) => {
                let (intersections, stones) = (entry.intersections, entry.black_and_white);
                let (line, sides, names) = (entry.in_a_line, entry.sides, entry.cell_names());
                Shape { intersections, stones, line, sides, names, ..shape }
            }
            None => shape,
        })
    }

    /// The shape of a board, if its text is a grid.
    pub(crate) fn of(board: &str) -> Option<Shape> {
        /// The fewest cells of a board.
        const FEWEST: usize = 4;

        // A script counts the characters of a text in its own way, and all ways agree where it is ASCII.
        if !board.is_ascii() {
            return None;
        }
        let mut shape = Shape::default();
        let mut rows = Vec::new();
        for text in board.split_inclusive('\n') {
            let Some(line) = TextLine::of(text.trim_end()) else { break };
            if let TextLine::Row { cells, labels } = line {
                rows.push((shape.end, cells, labels));
            }
            shape.end += text.len();
        }
        let firsts: Vec<usize> = rows.iter().filter_map(|(_, cells, _)| Some(cells.first()?.0)).collect();
        let is_wide = rows.iter().flat_map(|(_, cells, _)| cells).any(|&(_, length)| length > 1);
        let gaps = rows.iter().flat_map(|(_, cells, _)| cells.windows(2).map(|pair| pair[1].0 - pair[0].0));
        let width = gaps.min()?;
        shape.hexagons = firsts.windows(2).any(|pair| 2 * (pair[0].abs_diff(pair[1]) % width) == width);
        for (y, (start, cells, labels)) in rows.iter().enumerate() {
            let place = |(column, length): (usize, usize)| {
                let middle = column as f64 + (length - 1) as f64 / 2.0;
                Place { at: start + column, length, x: middle / width as f64, y }
            };
            // The place of a word does not depend on its content.
            let least = if is_wide { WORD } else { 1 };
            shape.cells.extend(cells.iter().map(|&(column, length)| place((column, length.max(least)))));
            shape.labels.extend(labels.iter().copied().map(place));
        }
        (firsts.len() > 1 && shape.cells.len() >= FEWEST).then_some(shape)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Returns the index in `shapes` of a shape. Adds a new one.
pub(crate) fn index_of(shape: Shape, shapes: &mut Vec<Shape>) -> usize {
    shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
        shapes.push(shape);
        shapes.len() - 1
    })
}

/// The length of a cell that is a word.
const WORD: usize = 4;

/// Returns true if a word is a cell by itself: a sign with a number, and perhaps a shade.
fn is_cell(word: &[u8]) -> bool {
    let (cell, shade) = match word {
        [cell @ .., b'/', shade] => (cell, *shade),
        cell => (cell, b'0'),
    };
    shade.is_ascii_digit() && matches!(cell, [b'A'..=b'Z' | b'a'..=b'z' | b'.', b'0'..=b'9'] | b"##")
}

impl TextLine {
    /// Reads a line; `None` if it belongs to no grid.
    fn of(text: &str) -> Option<TextLine> {
        if text.contains('-') && text.chars().all(|c| " -+|".contains(c)) {
            return Some(TextLine::Rule);
        }
        let boxed = text.strip_suffix('|').and_then(|row| row.split_once('|'));
        if let Some(line) = boxed.and_then(|(label, boxes)| TextLine::boxed(label, boxes)) {
            return Some(line);
        }
        let is_ruled = text.contains('|');
        let (mut cells, mut labels) = (Vec::new(), Vec::new());
        let mut column = 0;
        for word in text.split([' ', '|']) {
            let place = (column, word.len());
            column += word.len() + 1;
            match word.as_bytes() {
                [] => {}
                [byte] if is_ruled || !matches!(byte, b'a'..=b'z' | b'0'..=b'9') => cells.push(place),
                [b'a'..=b'z'] | [b'0'..=b'9'] | [b'0'..=b'9', b'0'..=b'9'] => labels.push(place),
                word if is_cell(word) => cells.push(place),
                _ => return None,
            }
        }
        (!cells.is_empty() || !labels.is_empty()).then_some(TextLine::Row { cells, labels })
    }

    /// Reads a line of boxes, each of which is a cell with a number or a dot, after a label.
    fn boxed(label: &str, boxes: &str) -> Option<TextLine> {
        let mut column = label.len() + 1;
        let mut cells = Vec::new();
        for content in boxes.split('|') {
            let word = content.trim();
            if word != "." && word.parse::<u32>().is_err() {
                return None;
            }
            cells.push((column, content.len()));
            column += content.len() + 1;
        }
        let indent = label.len() - label.trim_start().len();
        let labels = Some((indent, label.trim().len())).filter(|&(_, length)| length > 0);
        Some(TextLine::Row { cells, labels: labels.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use boughs_arena::boards;
    use boughs_games::entries;

    use super::*;

    fn cell_names(game: &str) -> Vec<String> {
        boughs_games::start(game).unwrap().entry.cell_names()
    }

    fn shape(game: &str) -> Option<Shape> {
        Shape::of(&boards(game, &[]).unwrap()[0])
    }

    #[test]
    fn boards_of_cells_are_grids_and_all_others_are_texts() {
        let is_grid = |game: &GameEntry| {
            let moves: Vec<String> = game.bench[0].split_whitespace().map(str::to_string).collect();
            let boards = boards(game.name, &moves).unwrap();
            Shape::common(&boards.iter().map(String::as_str).collect::<Vec<_>>()).is_some()
        };
        let grids: Vec<_> = entries().iter().filter(|game| is_grid(game)).map(|game| game.name).collect();
        let expected =
            ["tictactoe", "connect4", "othello", "hex", "breakthrough", "go", "2048", "yavalath", "photosynthesis"];
        assert_eq!(grids, expected);
    }

    #[test]
    fn every_cell_is_found_and_every_label() {
        let count = |game| shape(game).map(|shape| (shape.cells.len(), shape.labels.len(), shape.hexagons)).unwrap();
        assert_eq!(count("tictactoe"), (9, 0, false));
        assert_eq!(count("connect4"), (42, 7, false));
        assert_eq!(count("othello"), (64, 16, false));
        assert_eq!(count("breakthrough"), (64, 16, false));
        assert_eq!(count("go:size=9"), (81, 18, false));
        assert_eq!(count("hex:size=11"), (121, 22, true));
        assert_eq!(count("yavalath:size=5"), (61, 9, true));
        assert_eq!(count("photosynthesis"), (37, 0, true));
        assert_eq!(count("2048"), (16, 8, false));
    }

    #[test]
    fn rows_keep_their_indentation_in_widths_of_a_cell() {
        let hex = shape("hex:size=3").unwrap();
        let rows: Vec<_> = hex.cells.iter().map(|cell| (cell.x, cell.y)).collect();
        let expected = [(1.5, 1), (2.5, 1), (3.5, 1), (2.0, 2), (3.0, 2), (4.0, 2), (2.5, 3), (3.5, 3), (4.5, 3)];
        assert_eq!(rows, expected);
        let cells = shape("tictactoe").unwrap().cells;
        assert!(cells.iter().enumerate().all(|(n, cell)| (cell.x - 0.25, cell.y) == ((n % 3) as f64, n / 3)));
    }

    #[test]
    fn places_lead_to_their_words() {
        let text = boards("othello", &[]).unwrap().remove(0);
        let shape = Shape::of(&text).unwrap();
        let at = |place: &Place| &text[place.at..place.at + place.length];
        assert_eq!(shape.cells.iter().filter(|cell| at(cell) == "X").count(), 2);
        assert!(shape.cells.iter().all(|cell| [".", "X", "O"].contains(&at(cell))));
        assert_eq!(shape.labels.iter().take(9).map(at).collect::<String>(), "abcdefgh1");
    }

    #[test]
    fn the_shape_of_a_board_does_not_depend_on_its_pieces_or_the_text_below() {
        let full = "X O\nO X\n";
        let empty = ". .\n. .\nY is out\n";
        assert_eq!(Shape::of(full), Shape::of(empty));
        assert_eq!(Shape::of(full).unwrap().end, full.len());
    }

    #[test]
    fn cells_between_lines_hold_numbers_or_signs() {
        let count = |text| Shape::of(text).map(|shape| (shape.cells.len(), shape.labels.len()));
        assert_eq!(count("1 | 2 | 128 |\n2 | . |  16 |\n"), Some((4, 2)));
        assert_eq!(count("| X | O | . |\n| . | X | . |\n"), Some((6, 0)));
        // Letters of columns stand above the middles of boxes.
        let shape = shape("2048").unwrap();
        assert!(shape.labels[..4].iter().zip(&shape.cells).all(|(label, cell)| label.x == cell.x), "{shape:?}");
    }

    #[test]
    fn words_are_cells_with_any_content() {
        let moves = ["map:7", "wait", "wait"].map(str::to_string);
        let boards = boards("photosynthesis:seed=any", &moves).unwrap();
        let shape = Shape::common(&boards.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        assert!(shape.cells.iter().all(|cell| is_cell(boards[3][cell.at..cell.at + cell.length].trim().as_bytes())));
        assert_eq!(&boards[3][shape.end..shape.end + 6], "day 1,");
    }

    #[test]
    fn cells_have_the_names_that_moves_call_them() {
        let map = ["map:7".to_string()];
        let before = boards("photosynthesis:seed=any", &map).unwrap().remove(1);
        let cells = Shape::of(&before).unwrap().cells;
        let names = cell_names("photosynthesis");
        assert_eq!((cells.len(), cell_names("hex").len()), (names.len(), 0));
        let trees = cells.iter().zip(&names).filter(|(cell, _)| before[cell.at..].starts_with("X1"));
        for (place, name) in trees {
            let moves = [map[0].clone(), "wait".into(), "wait".into(), format!("grow:{name}"), "wait".into()];
            let after = boards("photosynthesis:seed=any", &moves).unwrap().remove(5);
            assert_eq!(&after[place.at..place.at + 2], "x2", "cell {name}");
        }
    }

    #[test]
    fn small_texts_and_other_texts_have_no_shape() {
        for text in ["", "\n", "X O\n", ". .\n.\n", "a o\nb o\nc o\nd o\n", "hello\nX O\nO X\n", "Ä O\nO X\n"] {
            assert_eq!(Shape::of(text), None, "{text}");
        }
    }
}
