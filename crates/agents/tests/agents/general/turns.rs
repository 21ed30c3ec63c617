//! Searches of whole turns: their values of actions, with and without enough room.

use std::cell::Cell;

use boughs::{Game, Rng, Turn};
use boughs_agents::learn::{ActionValues, Features, TurnSearch, logistic};

/// A turn that begins with one of nine actions. The first one is followed by twelve choices of two, each other one by
/// two choices of eight.
#[derive(Clone, Copy, Debug)]
struct Maze {
    /// A one, followed by the choices as octal digits.
    path: u64,
    made: u32,
}

thread_local! {
    /// The number of applied actions.
    static APPLIED: Cell<usize> = const { Cell::new(0) };
}

const FIRST: u8 = 9;
const START: Maze = Maze { path: 1, made: 0 };

impl Maze {
    fn is_large(&self) -> bool {
        self.path >> (3 * (self.made - 1)) == 1 << 4
    }
}

impl Game for Maze {
    type Action = u8;
    fn turn(&self) -> Turn {
        let length = if self.made > 0 && self.is_large() { 13 } else { 3 };
        Turn::Player(usize::from(self.made == length))
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(
            0..if self.made == 0 {
                FIRST
            } else if self.is_large() {
                2
            } else {
                8
            },
        );
    }
    fn apply(&mut self, choice: u8) {
        APPLIED.set(APPLIED.get() + 1);
        self.path = if self.made == 0 { 16 + u64::from(choice) } else { self.path << 3 | u64::from(choice) };
        self.made += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        0.5
    }
}

impl Features for Maze {
    fn names() -> Vec<String> {
        vec!["path".to_string()]
    }
    fn features(&self, see: &mut impl FnMut(usize, f64)) {
        see(0, Rng::new(self.path, 0).unit());
    }
    fn key(&self) -> u64 {
        self.path
    }
}

const WEIGHTS: &[f64] = &[2.0];

/// The best value of all ends below a position.
fn best(maze: Maze) -> f64 {
    let mut choices = Vec::new();
    maze.actions(&mut choices);
    let next = choices.into_iter().map(|choice| {
        let mut next = maze;
        next.apply(choice);
        match next.turn() {
            Turn::Player(0) => best(next),
            _ => logistic(2.0 * Rng::new(next.path, 0).unit()),
        }
    });
    next.fold(0.0, f64::max)
}

fn after(choice: u8) -> Maze {
    let mut maze = START;
    maze.apply(choice);
    maze
}

fn values(search: &mut TurnSearch<Maze>, is_spent: bool) -> ActionValues<u8> {
    search.values(&START, 0, WEIGHTS, &mut Rng::new(1, 0), || is_spent)
}

#[test]
fn with_room_for_everything_all_is_known() {
    let found = values(&mut TurnSearch::new(100_000), false);
    assert!(found.is_whole && found.actions.len() == usize::from(FIRST));
    assert!(found.actions.iter().all(|&(choice, value)| value == best(after(choice))));
    assert!(found.actions.iter().map(|&(choice, _)| choice).eq(0..FIRST), "in the order of the game");
}

#[test]
fn a_large_action_takes_no_room_from_the_others() {
    // Each of the others has 72 positions, and the large one more than 8,000.
    let found = values(&mut TurnSearch::new(9 * 72 + 9), false);
    assert!(!found.is_whole);
    for &(choice, value) in &found.actions {
        let known = best(after(choice));
        assert!(
            if choice == 0 { value > 0.0 && value < known } else { value == known },
            "{choice}: {value} for {known}"
        );
    }
    // The rest of their shares goes to the large one.
    assert!(values(&mut TurnSearch::new(9 * 72 + 16_500), false).is_whole);
}

#[test]
fn who_has_no_time_or_no_room_says_something_of_every_action() {
    for (most, is_spent) in [(100_000, true), (1, false), (0, false)] {
        let found = values(&mut TurnSearch::new(most), is_spent);
        assert!(!found.is_whole && found.actions.len() == usize::from(FIRST));
        assert!(found.actions.iter().all(|&(choice, value)| value > 0.0 && value <= best(after(choice))));
    }
}

#[test]
fn later_decisions_know_what_was_searched() {
    let (mut search, mut maze, mut asked) = (TurnSearch::new(100_000), START, 0);
    let value = values(&mut search, false).actions.iter().find(|&&(choice, _)| choice == 0).map(|&(_, value)| value);
    maze.apply(0);
    while maze.turn() == Turn::Player(0) {
        let choice = search.choose(&maze, 0, WEIGHTS, &mut Rng::new(1, 0), || {
            asked += 1;
            false
        });
        assert_eq!(Some(choice.value), value);
        maze.apply(choice.action.unwrap());
    }
    assert_eq!(asked, 0);
}

#[test]
fn the_work_is_bounded_and_so_is_the_work_between_two_looks_at_the_clock() {
    for most in [1, 20, 700, 2_000, 16_000] {
        let (mut before, mut longest) = (0, 0);
        APPLIED.set(0);
        TurnSearch::new(most).values(&START, 0, WEIGHTS, &mut Rng::new(1, 0), || {
            longest = longest.max(APPLIED.get() - before);
            before = APPLIED.get();
            false
        });
        // The positions, the additional traversals of up to 13 actions, and the first actions.
        let total = APPLIED.get();
        assert!(total <= most + (most / 8 + 9) * 13 + 3 * 9, "{total} of {most}");
        // 256 positions and 64 traversals.
        assert!(longest <= 256 + 64 * 13 + 3 * 9, "{longest} of {most}");
        // Asked at any time to end, it ends with one traversal from each action.
        for end in [0, 1, 5] {
            let (mut asked, mut at_end) = (0, 0);
            APPLIED.set(0);
            TurnSearch::new(most).values(&START, 0, WEIGHTS, &mut Rng::new(1, 0), || {
                asked += 1;
                at_end = if asked > end && at_end == 0 { APPLIED.get() } else { at_end };
                asked > end
            });
            let after = if at_end == 0 { 0 } else { APPLIED.get() - at_end };
            assert!(after <= 9 * 13 + 3 * 9, "{after} of {most}");
        }
    }
}
