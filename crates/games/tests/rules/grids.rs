//! Boards as grids: every move of a game that has one is a point or a pass.

use std::collections::BTreeSet;

use boughs::{Rng, Turn};
use boughs_games::{Content, start};

#[test]
fn every_move_of_a_grid_puts_a_stone_of_its_player_on_an_empty_point() {
    let games = [
        "tictactoe",
        "connect4",
        "othello",
        "hex",
        "hex:size=3",
        "hex:size=19",
        "go",
        "go:size=2",
        "go:size=13",
        "go:size=19",
        "yavalath",
        "yavalath:size=3",
    ];
    for spec in games {
        let started = start(spec).expect(spec);
        let mut rng = Rng::new(1, 0);
        for _ in 0..3 {
            let mut position = started.position.clone();
            while let Turn::Player(player) = position.turn() {
                let grid = started.entry.grid(&*position).expect(spec);
                assert_eq!(grid.points.len(), usize::from(grid.columns) * usize::from(grid.rows));
                let at = |grid: &boughs_games::Grid, place: boughs_games::Place| {
                    grid.points[usize::from(place.row) * usize::from(grid.columns) + usize::from(place.column)]
                };
                let mut names = BTreeSet::new();
                let legal = position.legal_moves();
                for (action, text) in &legal {
                    let Some(place) = started.entry.place(&*position, *action) else {
                        assert_eq!(text, "pass", "{spec}");
                        continue;
                    };
                    assert_eq!(at(&grid, place), Content::Empty, "{spec}: {text}\n{}", position.board());
                    assert_eq!(grid.place(&grid.name(place).to_lowercase()), Some(place), "{spec}: {text}");
                    assert!(names.insert(grid.name(place)), "{spec}: two moves on {}", grid.name(place));
                    if ["go", "hex", "othello"].iter().any(|name| spec.starts_with(name)) {
                        assert!(grid.name(place).eq_ignore_ascii_case(text), "{spec}: {text}");
                    }
                }
                let action = position.as_position().random_step(&mut rng).expect("a move");
                let place = started.entry.place(&*position, action);
                position.apply(action);
                if let Some(place) = place {
                    let after = started.entry.grid(&*position).expect(spec);
                    assert_eq!(at(&after, place), Content::Stone(player), "{spec}\n{}", position.board());
                }
            }
        }
    }
}

#[test]
fn the_grid_has_as_many_points_as_the_board_has_cells() {
    for (spec, cells) in
        [("yavalath", 61), ("yavalath:size=3", 19), ("hex:size=5", 25), ("go:size=13", 169), ("connect4", 42)]
    {
        let started = start(spec).expect(spec);
        let grid = started.entry.grid(&*started.position).expect(spec);
        assert_eq!(grid.points.iter().filter(|content| **content == Content::Empty).count(), cells, "{spec}");
    }
}

#[test]
fn other_games_are_no_grids() {
    for spec in ["breakthrough", "2048", "nim", "yavalath:players=3", "kuhn"] {
        let started = start(spec).expect(spec);
        assert_eq!(started.entry.grid(&*started.position), None, "{spec}");
    }
}
