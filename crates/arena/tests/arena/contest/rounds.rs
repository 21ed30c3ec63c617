//! The games of rounds, as they are played.

use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::statistics::{Decision, Sprt};
use boughs_arena::{Conditions, Contest, Openings, Record, Store};

use super::{conditions, play};

/// Plays the games of a match and returns them without their times.
fn games(game: &str, rounds: u64, tables: usize, seed: u64) -> Vec<Record> {
    let plan = Conditions { seed, ..conditions(game, ["mcts:c=0.7", "mcts"], 60) };
    let mut records = play(&mut Contest::new(plan).unwrap(), rounds, tables);
    for record in &mut records {
        (record.began, record.took) = (0.0, Duration::ZERO);
        record.clocks.iter_mut().for_each(|clock| (clock.total, clock.longest) = Default::default());
        record.seed = 0;
    }
    records
}

#[test]
fn games_come_in_rounds_and_depend_on_nothing_but_the_seed() {
    for (game, players) in [("connect4", 2), ("nim:heaps=1-2-3,players=3", 3), ("whist:hand=2", 3), ("pig:goal=20", 2)]
    {
        let one = games(game, 6, 1, 1);
        assert_eq!(one.len(), 6 * players, "{game}");
        assert_eq!(one, games(game, 6, 1, 1), "{game}");
        assert_eq!(one, games(game, 6, 3, 1), "{game}: however many are played at a time");
        assert_eq!(one[..2 * players], games(game, 2, 2, 1), "{game}: however many there are");
        assert!((2..10).any(|seed| games(game, 6, 1, seed) != one), "{game}: the seed chooses");
        for round in one.chunks(players) {
            assert!(round.iter().all(|game| game.opening == round[0].opening), "{game}: a round has one opening");
            let seats: Vec<usize> =
                round.iter().filter_map(|game| game.seats.iter().position(|&who| who == 0)).collect();
            assert!(seats.iter().copied().eq(0..players), "{game}: the first has each seat once");
        }
    }
}

#[test]
fn alone_each_plays_once_a_round_and_the_higher_score_wins() {
    let mut contest = Contest::new(conditions("2048", ["mcts:c=0.3", "flat"], 5)).unwrap();
    assert!(contest.players() == 1 && contest.has_scores());
    let games = play(&mut contest, 2, 2);
    assert_eq!(games.iter().map(|game| game.seats.clone()).collect::<Vec<_>>(), [[0], [1], [0], [1]]);
    let standing = &contest.standings()[0];
    let wins = games.chunks(2).filter(|round| round[0].rewards[0] > round[1].rewards[0]).count();
    assert_eq!(standing.tally().pairs.0[4], wins as u64);
    assert_eq!(standing.tally().pairs.count(), 2);
}

#[test]
fn an_agent_is_stronger_if_it_sees_more() {
    // Without exploration the first move that wins a playout is played on.
    let mut contest = Contest::new(conditions("connect4", ["mcts", "mcts:c=0"], 300)).unwrap();
    play(&mut contest, 20, 2);
    let tally = contest.standings()[0].tally();
    assert!(tally.games.wins > 28, "{tally:?}");
}

#[test]
fn the_depth_of_searches_is_counted() {
    let mut contest = Contest::new(conditions("connect4", ["mcts", "flat"], 300)).unwrap();
    let games = play(&mut contest, 1, 1);
    for game in games {
        let depth = |who: usize| game.columns[game.seats.iter().position(|&seat| seat == who).unwrap()]["depth"];
        assert!(depth(0) > 2.0 && depth(1) == 1.0, "{:?}", game.columns);
    }
    assert_eq!(contest.standings()[0].sides()[1].columns["depth"], 1.0);
}

#[test]
fn a_test_ends_a_match_and_games_beyond_it_do_not_count() {
    let test: Sprt = "0,100".parse().unwrap();
    let new = || Contest::new(conditions("connect4", ["mcts", "mcts:c=0"], 200)).unwrap().ended_by(test);
    let mut tallies = Vec::new();
    for tables in [1, 2, 5] {
        let mut contest = new();
        let games = play(&mut contest, 1_000_000, tables);
        let tally = contest.standings()[0].tally();
        assert!(contest.is_decided() && games.len() as u64 >= tally.games.count(), "{tally:?}");
        assert_eq!(test.state(tally.pairs).decision, Decision::AcceptH1);
        tallies.push(tally);
        // The contest is decided and plays no more.
        assert_eq!(play(&mut contest, 1_000_000, tables), []);
    }
    assert!(tallies[0] == tallies[1] && tallies[1] == tallies[2], "{tallies:?}");
    // Games beyond the decision that are in a store do not count either.
    let mut store = Store::in_memory().unwrap();
    let plan = conditions("connect4", ["mcts", "mcts:c=0"], 200);
    let mut more = Contest::new(plan)
        .unwrap()
        .keep_in(&mut store, "match", "boughs match", |_, number| number.to_string())
        .unwrap();
    play(&mut more, tallies[0].pairs.count() + 10, 2);
    let resumed = new().keep_in(&mut store, "match", "boughs match", |_, number| number.to_string()).unwrap();
    assert_eq!(resumed.standings()[0].tally(), tallies[0]);
}

#[test]
fn a_match_that_is_broken_off_goes_on_with_the_games_that_are_missing() {
    let plan = || Conditions { openings: Openings::Start, ..conditions("tictactoe", ["mcts", "flat"], 20) };
    let whole = {
        let mut contest = Contest::new(plan()).unwrap();
        play(&mut contest, 10, 1);
        format!("{:?}", contest.standings()[0].strength())
    };
    let mut store = Store::in_memory().unwrap();
    let mut kept = 0;
    for enough in [1, 3, 4] {
        let mut contest =
            Contest::new(plan()).unwrap().keep_in(&mut store, "match", "", |_, number| number.to_string()).unwrap();
        let mut seen = 0;
        let progress = contest.play(10, 2, &StopFlag::default(), &mut |_| {
            seen += 1;
            if seen >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let progress = progress.unwrap();
        assert_eq!(progress.kept, kept);
        kept += progress.games;
        // Games that were under way count too, on a busy machine perhaps all there are.
        assert!(progress.games >= enough || kept == 20, "{progress:?}");
    }
    let stopped = StopFlag::default();
    stopped.raise();
    let mut contest =
        Contest::new(plan()).unwrap().keep_in(&mut store, "match", "", |_, number| number.to_string()).unwrap();
    let nothing = contest.play(10, 2, &stopped, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(nothing.games, 0);
    let rest = play(&mut contest, 10, 2);
    assert_eq!(rest.len() as u64 + kept, 20);
    assert_eq!(format!("{:?}", contest.standings()[0].strength()), whole);
}

#[test]
fn a_game_by_its_number_is_the_one_of_the_match() {
    let mut contest = Contest::new(conditions("whist:hand=2", ["mcts", "flat"], 30)).unwrap();
    let games = play(&mut contest, 3, 2);
    for game in &games {
        let again = contest.play_only(game.number, &StopFlag::default()).unwrap().unwrap().0;
        assert_eq!((&again.opening, &again.moves, &again.rewards), (&game.opening, &game.moves, &game.rewards));
    }
    assert_eq!(contest.standings()[0].tally().games.count(), 9, "it counts for nothing");
}
