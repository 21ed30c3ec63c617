//! Tests of the rules, one by one, in positions made for them.

use boughs::notation::{legal_moves, play_moves};
use boughs::{Game, Rng, Turn};

use super::Outcome::{Asleep, Clash, Disqualified, Done, Refused};
use super::*;

fn cell(index: u32) -> Cell {
    Cell::new(index).expect("a cell")
}

/// A position on ground without holes on day 1, when the sun shines up and right, with these trees: cell, size, owner.
fn position(sun: [u16; 2], trees: &[(u32, usize, usize)]) -> Position {
    let map = Map { ground: Ground::whole(), trees: [0; 2] };
    let mut position = Position { sun, day: 1, ..Position::start(&map) };
    for &(index, size, owner) in trees {
        position.trees[owner][size] |= cell(index).bit();
    }
    position
}

fn grow(index: u32) -> Action {
    Action::Grow(cell(index))
}

fn complete(index: u32) -> Action {
    Action::Complete(cell(index))
}

fn seed(from: u32, to: u32) -> Action {
    Action::Seed { from: cell(from), to: cell(to) }
}

/// Resolves a turn of both players.
fn resolve(position: &mut Position, first: Action, second: Action) -> [Outcome; 2] {
    position
        .resolve([first, second].map(|action| Some(Answer::Act(action))))
        .map(|outcome| outcome.expect("an outcome"))
}

#[test]
fn a_shadow_is_as_long_as_the_tree_and_falls_through_others() {
    // Cells 15, 5, 0, 2, 9 and 22 lie in a line to the upper right.
    let shadows = |trees: &[(u32, usize, usize)]| {
        position([0; 2], trees).shadows(1).map(|set| in_spiral(set).map(Cell::index).collect::<Vec<_>>())
    };
    assert_eq!(shadows(&[(15, 3, 0)])[3], [0, 2, 5]);
    assert_eq!(shadows(&[(15, 3, 0), (5, 1, 1)]), [vec![], vec![0, 2, 5], vec![0, 2, 5], vec![0, 2, 5]]);
    assert_eq!(shadows(&[(15, 0, 0), (9, 2, 0)]), [vec![], vec![22], vec![22], vec![]]);
}

#[test]
fn a_tree_gives_its_size_in_sun_unless_a_shadow_is_as_tall() {
    for (shading, shaded, income) in
        [(3, 3, 0), (3, 2, 0), (2, 3, 3), (2, 2, 0), (1, 2, 2), (1, 1, 0), (0, 1, 1), (3, 0, 0)]
    {
        for owner in 0..2 {
            let position = position([0; 2], &[(5, shading, owner), (0, shaded, 1)]);
            let expected = income + if owner == 1 { shading as u16 } else { 0 };
            assert_eq!(position.income(1)[1], expected, "{shaded} behind {shading} of {owner}");
        }
    }
}

#[test]
fn a_cost_counts_own_trees_of_the_size_that_comes_of_it() {
    let position = position([99; 2], &[(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 2, 0), (4, 2, 0), (5, 3, 0), (6, 3, 1)]);
    assert_eq!([0, 1, 2, 3].map(|size| position.cost(0, size)), [2, 2, 5, 8]);
    assert_eq!([0, 1, 2, 3].map(|size| position.cost(1, size)), [0, 1, 3, 8]);
}

#[test]
fn what_is_done_is_paid_for_and_makes_a_tree_dormant() {
    let mut position = position([9, 4], &[(0, 2, 0), (9, 1, 0), (15, 3, 1)]);
    assert_eq!(resolve(&mut position, grow(0), complete(15)), [Done; 2]);
    assert_eq!((position.sun, position.score, position.nutrients), ([2, 0], [0, 22], 19));
    assert_eq!(resolve(&mut position, seed(0, 5), Action::Wait), [Refused, Asleep], "the tree is dormant");
    assert_eq!((position.day, position.asleep, position.dormant), (2, [false; 2], 0), "the next day dawns");
    assert_eq!(position.sun, [6, 0], "the tree and the small one get their sun");
}

#[test]
fn a_seed_is_dormant_and_cannot_grow_on_its_day() {
    let mut position = position([9, 9], &[(0, 2, 0), (9, 1, 1)]);
    assert_eq!(resolve(&mut position, seed(0, 7), seed(9, 22)), [Done; 2]);
    assert_eq!(position.dormant, [0, 7, 9, 22].map(|index| cell(index).bit()).iter().sum::<u64>());
    assert_eq!((position.cost(0, 0), position.is_legal(0, grow(7))), (1, false));
    assert_eq!(resolve(&mut position, grow(7), Action::Wait), [Refused, Asleep]);
    assert!(position.is_legal(0, grow(7)), "on the next day it can");
}

#[test]
fn seeds_at_the_same_cell_clash_and_cost_nothing_but_the_activity_of_their_trees() {
    let mut position = position([9, 9], &[(1, 1, 0), (8, 1, 1), (22, 0, 0), (31, 1, 0)]);
    assert_eq!(resolve(&mut position, seed(1, 7), seed(8, 7)), [Clash; 2]);
    assert_eq!((position.sun, position.asleep), ([9, 9], [false; 2]));
    assert_eq!(position.dormant, cell(1).bit() | cell(8).bit());
    assert!(position.free() & cell(7).bit() != 0);
    assert_eq!(resolve(&mut position, seed(31, 15), Action::Wait), [Done, Asleep]);
    assert_eq!(position.sun, [8, 9]);
}

#[test]
fn trees_completed_at_the_same_time_score_the_same_nutrients() {
    let trees = [(0, 3, 0), (7, 3, 1), (19, 3, 1)];
    let mut position = position([9, 9], &trees).with_nutrients(1);
    assert_eq!(resolve(&mut position, complete(0), complete(7)), [Done; 2]);
    assert_eq!((position.score, position.nutrients), ([5, 3], 0), "nutrients never fall below 0");
    assert_eq!((position.trees(0), position.trees(1), position.dormant), (0, cell(19).bit(), 0));
    assert_eq!(resolve(&mut position, Action::Wait, complete(19)), [Asleep, Done]);
    assert_eq!((position.score, position.nutrients), ([5, 3], 0));
}

#[test]
fn a_cell_is_free_only_in_the_turn_after_its_tree_was_completed() {
    let mut position = position([9, 9], &[(0, 3, 0), (1, 1, 1), (2, 1, 1)]);
    assert_eq!(resolve(&mut position, complete(0), seed(1, 0)), [Done, Refused]);
    assert!(position.is_asleep(1) && position.free() & 1 << 27 != 0);
    assert!(position.is_legal(1, seed(2, 0)));
}

#[test]
fn an_action_that_is_not_legal_is_refused_and_costs_the_day() {
    let ground = Ground::new(|cell| u32::from(cell.index() != 10)).expect("a ground");
    let trees = [(0, 2, 0), (1, 1, 1), (9, 3, 0), (15, 1, 0), (30, 0, 0)];
    let start = Position { ground, ..position([3, 9], &trees) };
    let refused = [
        grow(0),      // too dear
        grow(1),      // not theirs
        grow(2),      // no tree
        grow(9),      // as tall as can be
        complete(9),  // too dear
        complete(0),  // not tall
        seed(30, 29), // seeds throw no seeds
        seed(15, 6),  // too far
        seed(0, 1),   // taken
        seed(9, 10),  // nothing grows there
        seed(2, 3),   // no tree
    ];
    for action in refused {
        let mut position = start;
        assert!(!position.is_legal(0, action), "{action}");
        assert_eq!(resolve(&mut position, action, grow(1)), [Refused, Done], "{action}");
        assert_eq!((position.sun[0], position.trees[0], position.asleep), (3, start.trees[0], [true, false]));
        assert_eq!(position.dormant, cell(1).bit());
    }
    let mut position = start;
    assert_eq!(
        position.resolve([Some(Answer::Nowhere), Some(Answer::Act(Action::Wait))]),
        [Some(Refused), Some(Asleep)]
    );
}

#[test]
fn who_is_asleep_is_not_asked_before_the_next_day() {
    let mut position = position([9, 9], &[(0, 1, 0), (9, 1, 1), (15, 1, 1)]);
    resolve(&mut position, Action::Wait, grow(9));
    assert_eq!(position.resolve([Some(Answer::Act(grow(0))), Some(Answer::Act(grow(15)))]), [None, Some(Done)]);
    assert_eq!((position.day, position.trees[0][1]), (1, cell(0).bit()));
    position.resolve([None, Some(Answer::Act(Action::Wait))]);
    assert_eq!((position.day, position.asleep), (2, [false; 2]));
}

#[test]
fn who_faults_loses_after_the_turn_and_the_other_scores_every_tree() {
    let mut one = position([9, 9], &[(0, 3, 0), (9, 1, 0), (15, 1, 1)]);
    let before = one;
    assert_eq!(one.resolve([Some(Answer::Act(complete(0))), Some(Answer::Fault)]), [Some(Done), Some(Disqualified)]);
    assert_eq!((one.is_over(), one.score, one.final_scores()), (true, [24, -1], [24 + 5 / 3 + 1, -1]));
    assert_eq!((one.resolve([None; 2]), one.day), ([None; 2], 1), "nothing happens after the end");
    let mut both = before;
    assert_eq!(both.resolve([None; 2]), [Some(Disqualified); 2], "no answer is a fault");
    assert_eq!(both.final_scores(), [-1, -1]);
}

#[test]
fn the_last_day_brings_a_third_of_the_sun_and_trees_to_those_who_are_level() {
    let trees = [(0, 1, 0), (1, 0, 0), (15, 3, 1)];
    for (score, scores) in [([3, 5], [5, 6]), ([4, 4], [6, 5]), ([4, 5], [4 + 2 + 2, 5 + 1 + 1])] {
        let mut position = Position { day: DAYS - 1, score, ..position([8, 5], &trees) };
        resolve(&mut position, Action::Wait, Action::Wait);
        assert_eq!((position.day, position.sun), (DAYS, [8, 5]), "there is no harvest after the last day");
        assert_eq!(position.final_scores(), scores);
    }
}

#[test]
fn legal_actions_are_those_that_are_legal() {
    let (mut rng, mut listed) = (Rng::new(5, 0), Vec::new());
    let all = |index: u32| Cell::all().map(move |to| seed(index, to.index())).chain([grow(index), complete(index)]);
    let mut game = Photosynthesis::new(3);
    while let Turn::Player(player) = game.turn() {
        let position = *game.position();
        listed.clear();
        position.legal_actions(player, &mut listed);
        assert!(listed.iter().all(|&action| position.is_legal(player, action)));
        let legal = (0..37).flat_map(all).filter(|&action| position.is_legal(player, action)).count();
        assert_eq!(listed.len(), legal + 1, "\n{}", game.board());
        game.apply(position.uniform_action(player, &mut rng));
    }
}

#[test]
fn any_legal_action_is_as_likely_as_the_other() {
    let position = position([4, 0], &[(0, 2, 0), (9, 3, 0), (15, 1, 0), (31, 1, 1), (2, 0, 0)]);
    let (mut rng, mut listed) = (Rng::new(1, 0), Vec::new());
    position.legal_actions(0, &mut listed);
    let mut counts = vec![0; listed.len()];
    for _ in 0..1_000 * listed.len() {
        let action = position.uniform_action(0, &mut rng);
        counts[listed.iter().position(|&legal| legal == action).expect("a legal action")] += 1;
    }
    // Six standard deviations of about a thousand.
    assert!(counts.len() > 40 && counts.iter().all(|count| (810..=1_190).contains(count)), "{counts:?}");
}

#[test]
fn playouts_that_are_not_foolish_beat_any_others() {
    let mut rng = Rng::new(2, 0);
    for game in 0..20 {
        let mut position = *Photosynthesis::new(game).position();
        let sensible = game as usize % 2;
        while !position.is_over() {
            let answers = [0, 1].map(|player| match player == sensible {
                true => position.sensible_action(player, &mut rng),
                false => position.uniform_action(player, &mut rng),
            });
            position.resolve(answers.map(|action| Some(Answer::Act(action))));
        }
        let scores = position.final_scores();
        assert!(scores[sensible] > scores[1 - sensible] + 20, "{scores:?}");
    }
}

#[test]
fn a_choice_is_secret_until_both_have_chosen() {
    let mut game = Photosynthesis::default();
    play_moves(&mut game, "wait wait").expect("moves");
    let start = game;
    let first = legal_moves(&game).last().expect("a move").0;
    game.apply(first);
    assert_eq!((game.turn(), game.chosen(), game.position()), (Turn::Player(1), Some(first), start.position()));
    assert_eq!(game.information(1), start.information(1));
    assert_ne!(game.information(0), start.information(0));
    let mut taken_back = game;
    taken_back.determinize(1, &mut Rng::new(1, 0));
    assert_eq!(taken_back, start);
    game.apply(Action::Wait);
    assert_eq!((game.turn(), game.chosen()), (Turn::Player(0), None), "who sleeps is not asked");
    assert_ne!(game.position(), start.position());
}

#[test]
fn the_board_shows_trees_shadows_and_holes() {
    let mut game = Photosynthesis::default();
    play_moves(&mut game, "wait wait grow:21").expect("moves");
    let drawn = "         \
         .1/1  ##    .1    .1  |
      X1    .2    .2    .2    X1  |
   .1    .2    .3    .3    .2    .1  |
.1    .2    ##    .3    ##    .2    .1  |
   .1    .2/1  .3    .3    .2    .1/1|
      O1    .2    .2    .2    O1  |
         .1    .1    ##    .1  |
day 1, the sun shines up and right, nutrients 20
player 1 (X): 0 points, 4 sun, has chosen
player 2 (O): 0 points, 4 sun
"
    .replace('|', "");
    assert_eq!(game.board(), drawn);
    play_moves(&mut game, "wait").expect("moves");
    let after = drawn.replacen("X1    .2    .2    .2    X1", "X1    .2    .2    .2    x2", 1);
    let after = after.replace("4 sun, has chosen", "1 sun").replace("4 sun\n", "4 sun, asleep\n");
    assert_eq!(game.board(), after);
}
