//! Go against rules written a second time, in the plainest way: points in a list, chains found by walking over stones,
//! boards kept whole.

use std::collections::{BTreeSet, VecDeque};

use boughs::notation::{find_move, legal_moves, play_moves};
use boughs::{Game, Rng, Turn, perft};
use boughs_games::go::{Go, GoOf, LargeGo, Points as Sets};

/// The content of each point, row by row from the bottom: nothing, or a stone of Black or White.
type Points = Vec<u8>;

const EMPTY: u8 = 2;

#[derive(Clone)]
struct Plain {
    size: usize,
    points: Points,
    past: BTreeSet<Points>,
    player: u8,
    passes: u32,
}

impl Plain {
    fn new(size: usize) -> Plain {
        let points = vec![EMPTY; size * size];
        Plain { size, past: BTreeSet::from([points.clone()]), points, player: 0, passes: 0 }
    }

    /// The points at these steps to the right and up, if they are on the board.
    fn around(&self, point: usize, steps: [(isize, isize); 4]) -> impl Iterator<Item = usize> {
        let size = self.size;
        let on_board = move |along: usize, step| along.checked_add_signed(step).filter(|&along| along < size);
        let (row, column) = (point / size, point % size);
        let point = move |(right, up)| Some(on_board(row, up)? * size + on_board(column, right)?);
        steps.into_iter().filter_map(point)
    }

    fn neighbours(&self, point: usize) -> impl Iterator<Item = usize> {
        self.around(point, [(1, 0), (-1, 0), (0, 1), (0, -1)])
    }

    /// Returns all points connected with this one that hold the same, and the contents next to them: Black, White,
    /// nothing.
    fn region(&self, points: &Points, from: usize) -> (Vec<usize>, [bool; 3]) {
        let (mut region, mut border, mut next) = (vec![from], [false; 3], 0);
        while let Some(&point) = region.get(next) {
            for neighbour in self.neighbours(point) {
                if points[neighbour] != points[from] {
                    border[usize::from(points[neighbour])] = true;
                } else if !region.contains(&neighbour) {
                    region.push(neighbour);
                }
            }
            next += 1;
        }
        (region, border)
    }

    /// Returns the board after a stone of the player to move, if that is legal.
    fn after_stone(&self, point: usize) -> Option<Points> {
        if self.points[point] != EMPTY {
            return None;
        }
        let mut points = self.points.clone();
        points[point] = self.player;
        for next in self.neighbours(point).filter(|&next| self.points[next] == 1 - self.player) {
            let (chain, [.., breathes]) = self.region(&points, next);
            if points[next] != EMPTY && !breathes {
                chain.into_iter().for_each(|stone| points[stone] = EMPTY);
            }
        }
        let (_, [.., breathes]) = self.region(&points, point);
        (breathes && !self.past.contains(&points)).then_some(points)
    }

    fn apply(&mut self, point: Option<usize>) {
        match point {
            None => self.passes += 1,
            Some(point) => {
                self.points = self.after_stone(point).expect("a legal move");
                self.past.insert(self.points.clone());
                self.passes = 0;
            }
        }
        self.player = 1 - self.player;
    }

    fn is_own_eye(&self, point: usize) -> bool {
        let corners = || self.around(point, [(1, 1), (-1, 1), (1, -1), (-1, -1)]);
        let hostile = corners().filter(|&corner| self.points[corner] == 1 - self.player).count();
        self.neighbours(point).all(|next| self.points[next] == self.player)
            && if corners().count() == 4 { hostile < 2 } else { hostile == 0 }
    }

    fn area(&self) -> [u32; 2] {
        let (mut area, mut seen) = ([0; 2], vec![false; self.points.len()]);
        for from in 0..self.points.len() {
            if seen[from] {
                continue;
            }
            let (region, border) = self.region(&self.points, from);
            let owner = match (self.points[from], border) {
                (EMPTY, [true, false, _]) => Some(0),
                (EMPTY, [false, true, _]) => Some(1),
                (EMPTY, _) => None,
                (player, _) => Some(usize::from(player)),
            };
            if let Some(owner) = owner {
                area[owner] += region.len() as u32;
            }
            region.into_iter().for_each(|point| seen[point] = true);
        }
        area
    }

    fn name(&self, point: usize) -> String {
        let letter = char::from(b"abcdefghjklmnopqrst"[point % self.size]);
        format!("{letter}{}", point / self.size + 1)
    }

    /// Every legal move as its point and its text, and the pass.
    fn legal(&self) -> Vec<(Option<usize>, String)> {
        let stones = (0..self.points.len()).filter(|&point| self.after_stone(point).is_some());
        stones.map(|point| (Some(point), self.name(point))).chain([(None, "pass".to_string())]).collect()
    }

    /// The texts of the legal moves that a random playout may play; the pass if there are no others.
    fn sensible<'l>(&self, legal: &'l [(Option<usize>, String)]) -> Vec<&'l str> {
        let is_sensible = |point: Option<usize>| point.is_some_and(|point| !self.is_own_eye(point));
        let names: Vec<&str> =
            legal.iter().filter(|(point, _)| is_sensible(*point)).map(|(_, name)| name.as_str()).collect();
        if names.is_empty() { vec!["pass"] } else { names }
    }

    fn board(&self) -> String {
        let letters = &" a b c d e f g h j k l m n o p q r s t"[..2 * self.size];
        let width = self.size.to_string().len();
        let rows = self.points.chunks(self.size).enumerate().rev().map(|(row, points)| {
            let stones = points.iter().map(|point| [" X", " O", " ."][usize::from(*point)]);
            format!("{:>width$}{}\n", row + 1, stones.collect::<String>())
        });
        format!("{:width$}{letters}\n{}", "", rows.collect::<String>())
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.passes == 2 {
            return 0;
        }
        let after = |(point, _): (Option<usize>, String)| {
            let mut next = self.clone();
            next.apply(point);
            next.perft(depth - 1)
        };
        self.legal().into_iter().map(after).sum()
    }
}

/// The smaller board with a komi of seven.
fn start(size: usize) -> Go {
    Go::new(size as u8, 14).expect("a size within the range")
}

/// The same board with the sets of larger boards.
fn large(size: usize) -> LargeGo {
    LargeGo::large(size as u8, 14).expect("a size within the range")
}

fn names<G: Game>(game: &G, list: impl Fn(&G, &mut Vec<G::Action>)) -> Vec<String> {
    let mut actions = Vec::new();
    list(game, &mut actions);
    actions.into_iter().map(|action| game.action_text(action)).collect()
}

/// Plays a random game by both rules and compares them before every move. One move in `any` is any legal one, the
/// others are those of playouts.
fn compare<P: Sets>(mut game: GoOf<P>, size: usize, seed: u64, any: u32) {
    let (mut plain, mut rng) = (Plain::new(size), Rng::new(seed, size as u64));
    for ply in 0..GoOf::<P>::MAX_PLIES {
        let board = Game::board(&game);
        assert_eq!(board, plain.board());
        assert_eq!(game.area(), plain.area(), "\n{board}");
        assert_eq!(game.turn() == Turn::Over, plain.passes == 2, "{ply}\n{board}");
        if plain.passes == 2 {
            return;
        }
        let legal = plain.legal();
        assert!(names(&game, GoOf::<P>::actions).iter().eq(legal.iter().map(|(_, name)| name)), "\n{board}");
        assert_eq!(names(&game, GoOf::<P>::playout_actions), plain.sensible(&legal), "\n{board}");
        let action = match rng.below(any) {
            0 => find_move(&game, &legal[rng.below(legal.len() as u32) as usize].1),
            _ => game.random_action(&mut rng, &mut Vec::new()),
        };
        let action = action.expect("a legal move");
        let drawn = game.random_action(&mut rng, &mut Vec::new()).map(|action| game.action_text(action));
        assert!(drawn.is_some_and(|drawn| plain.sensible(&legal).contains(&drawn.as_str())), "\n{board}");
        let name = game.action_text(action);
        game.apply(action);
        plain.apply(legal.into_iter().find(|(_, known)| *known == name).expect("a legal move").0);
    }
    assert_eq!((game.turn(), game.area()), (Turn::Over, plain.area()));
}

#[test]
fn random_games_agree_with_the_plain_rules_on_moves_captures_eyes_and_area() {
    compare_random_games(4);
}

/// `cargo test -p boughs-games --test rules -- --ignored many_random_games`
#[test]
#[ignore = "takes a quarter of a minute"]
fn many_random_games_agree_with_the_plain_rules_on_moves_captures_eyes_and_area() {
    compare_random_games(1);
}

/// Compares this part of the random games, at least one of each size.
fn compare_random_games(part: u64) {
    for (size, games) in [(2, 1_000), (3, 600), (4, 300), (5, 100), (6, 30), (7, 20), (8, 10), (9, 10)] {
        (0..u64::div_ceil(games, part)).for_each(|seed| compare(start(size), size, seed, 1 + seed as u32 % 4));
    }
    for (size, games) in [(2, 500), (3, 300), (4, 150), (5, 50), (9, 5), (10, 4), (13, 2), (19, 1)] {
        (0..u64::div_ceil(games, part)).for_each(|seed| compare(large(size), size, seed, 1 + (seed + 1) as u32 % 4));
    }
}

#[test]
fn small_boards_have_as_many_move_sequences_as_by_the_plain_rules() {
    for (size, depth) in [(2, 8), (3, 5), (4, 3), (9, 2)] {
        let count = Plain::new(size).perft(depth);
        assert_eq!([perft(&start(size), depth), perft(&large(size), depth)], [count; 2], "size {size}");
    }
}

/// Tromp and Farnebäck 2007, "Combinatorics of Go", table 1: positions in which every chain has a liberty.
#[test]
fn small_boards_have_the_published_numbers_of_positions() {
    for (size, known) in [(2, 57), (3, 12_675)] {
        let (mut boards, mut seen, mut queue) = (BTreeSet::new(), BTreeSet::new(), VecDeque::from([start(size)]));
        while let Some(game) = queue.pop_front() {
            boards.insert(game.board());
            for (action, name) in legal_moves(&game) {
                let mut next = game.clone();
                next.apply(action);
                if next.turn() != Turn::Over
                    && seen.insert((next.board(), next.turn() == Turn::Player(0), name == "pass"))
                {
                    queue.push_back(next);
                }
            }
        }
        assert_eq!(boards.len(), known);
    }
}

#[test]
fn a_game_of_the_most_moves_is_over_and_counted_as_it_stands() {
    go_on_to_the_end(start(9));
    go_on_to_the_end(large(19));
}

fn go_on_to_the_end<P: Sets>(mut game: GoOf<P>) {
    let mut rng = Rng::new(1, 0);
    for _ in 0..GoOf::<P>::MAX_PLIES {
        assert_ne!(game.turn(), Turn::Over);
        // The pass is last, and only played if it is the only move.
        let legal = legal_moves(&game);
        let (action, _) = legal[rng.below(legal.len().max(2) as u32 - 1) as usize];
        game.apply(action);
    }
    assert_eq!(game.turn(), Turn::Over);
    let [black, white] = game.area();
    assert_eq!(game.reward(0), if black > white + 7 { 1.0 } else { 0.0 }, "{black} {white}");
}

#[test]
fn the_moves_to_a_board_do_not_matter_but_the_boards_on_the_way_do() {
    // White has sent two stones to be captured; capturing the stone that took them would repeat the board of four moves
    // ago, although it is no simple ko.
    let moves = "a2 b1 b2 d1 e5 c2 e4 a1 c1";
    let mut game = start(5);
    play_moves(&mut game, moves).expect(moves);
    assert_eq!(game.board(), "  a b c d e\n5 . . . . X\n4 . . . . X\n3 . . . . .\n2 X X O . .\n1 . . X O .\n");
    assert_eq!((find_move(&game, "b1"), find_move(&game, "a1").is_some()), (None, true));
    play_moves(&mut game, "e1 a5 b1").expect("allowed after an exchange elsewhere");
}
