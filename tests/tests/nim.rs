//! The player who can force the win at Nim keeps it, against one other player or against two.

use boughs::{Budget, Game, Search, Settings, Turn};
use boughs_games::nim::Nim;

/// Returns true if `hero` wins against every play of the others, found by trying everything.
fn can_force(nim: &Nim, hero: usize) -> bool {
    let mut actions = Vec::new();
    nim.actions(&mut actions);
    let mut after = actions.into_iter().map(|take| {
        let mut next = *nim;
        next.apply(take);
        can_force(&next, hero)
    });
    match nim.turn() {
        Turn::Player(player) if player == hero => after.any(|wins| wins),
        Turn::Player(_) => after.all(|wins| wins),
        _ => nim.reward(hero) == 1.0,
    }
}

/// Searches each game the first player can force, and checks that the move found keeps the win.
fn check(games: &[&[u8]], players: usize) {
    for heaps in games {
        let nim = Nim::new(heaps, players).expect("a game");
        assert!(can_force(&nim, 0), "{heaps:?}");
        let settings = Settings { memory: 16 << 20, ..Settings::default() };
        let mut search = Search::new(nim, settings).expect("a search");
        let report = search.run(Budget::iterations(200_000)).expect("a report");
        let mut after = nim;
        after.apply(report.best_action().expect("a move"));
        assert!(can_force(&after, 0), "{heaps:?}, {players} players: {} gives the win away", report.line());
    }
}

#[test]
fn the_player_of_two_who_can_leave_heaps_that_cancel_does() {
    check(&[&[1, 2, 4], &[2, 3], &[3, 4, 5], &[1, 1, 3], &[2, 2, 3], &[1, 3, 5]], 2);
}

#[test]
fn the_player_of_three_who_can_beat_both_others_does() {
    check(&[&[5], &[1, 1, 2], &[1, 1, 5], &[1, 1, 1, 1], &[1, 1, 1, 2], &[1, 1, 1, 4]], 3);
}
