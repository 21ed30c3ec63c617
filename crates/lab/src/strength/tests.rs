//! Plans played to their end, and reports of made-up games.

use boughs::StopFlag;
use boughs_arena::Store;
use boughs_arena::statistics::{Estimate, Games};

use super::synthetic::{make_up, plan, replay};
use super::*;

/// Plays a plan to its end. Returns the number of steps and the report.
fn played(plan: StrengthPlan, store: &mut Store) -> (u64, StrengthReport) {
    let mut experiment = StrengthExperiment::new(plan, store, replay).unwrap();
    let (expected, mut steps) = (experiment.steps_left(), 0);
    experiment.play(&StopFlag::default(), &mut |_| steps += 1).unwrap();
    let report = experiment.report(false);
    assert_eq!((expected, experiment.steps_left(), report.played), (steps, 0, steps));
    (steps, report)
}

#[test]
fn games_in_the_store_are_not_played_again() {
    let mut store = Store::in_memory().unwrap();
    let (steps, report) = played(plan(), &mut store);
    // Two threads, one and four workers, and one thread with odds of 1/8, 1/4, 1/2 and 2.
    assert_eq!((steps, report.rows.len()), (7 * 4, 8));
    assert_eq!(report.method()[2], "28 games and solved positions, all played now");
    let (steps, again) = played(plan(), &mut store);
    assert_eq!(steps, 0);
    assert_eq!(again.method()[2], "0 games and solved positions played now, 28 kept from before");
    assert_eq!(format!("{:?}", again.rows), format!("{:?}", report.rows));
    assert_eq!(played(StrengthPlan { games: 6, workers: vec![1, 4, 8], ..plan() }, &mut store).0, 7 * 2 + 6);
}

#[test]
fn an_experiment_that_is_stopped_goes_on_where_it_was() {
    let mut store = Store::in_memory().unwrap();
    let mut experiment = StrengthExperiment::new(plan(), &mut store, replay).unwrap();
    let (stop, mut steps) = (StopFlag::default(), 0);
    let mut see = |_: &str| {
        steps += 1;
        if steps == 5 {
            stop.raise();
        }
    };
    experiment.play(&stop, &mut see).unwrap();
    let left = experiment.steps_left();
    assert!(experiment.report(true).interrupted && (1..7 * 4).contains(&left));
    assert_eq!(played(plan(), &mut store).0, left);
}

#[test]
fn odds_are_playouts_and_the_one_thread_has_none() {
    let mut store = Store::in_memory().unwrap();
    let plan = StrengthPlan { threads: vec![1], workers: Vec::new(), playouts: Some(400), ..plan() };
    let mut experiment = StrengthExperiment::new(plan, &mut store, replay).unwrap();
    experiment.play(&StopFlag::default(), &mut |_| ()).unwrap();
    let playouts: Vec<[u64; 2]> = experiment
        .series
        .iter()
        .map(|series| series.score().sides().each_ref().map(|side| side.playouts / side.moves.max(1)))
        .collect();
    assert_eq!(playouts, [[50, 400], [100, 400], [200, 400], [800, 400]]);
}

#[test]
fn solved_positions_are_answered_once() {
    let mut store = Store::in_memory().unwrap();
    let plan = StrengthPlan {
        game: "connect4".to_string(),
        threads: vec![1],
        workers: vec![1],
        playouts: Some(2),
        games: 2,
        ..plan()
    };
    let (stop, mut steps) = (StopFlag::default(), 0);
    let mut experiment = StrengthExperiment::new(plan.clone(), &mut store, replay).unwrap();
    let mut see = |_: &str| {
        steps += 1;
        if steps == 700 {
            stop.raise();
        }
    };
    experiment.play(&stop, &mut see).unwrap();
    let (steps, report) = played(plan.clone(), &mut store);
    assert_eq!(steps, 2 * 1_000 - 700 + 5 * 2);
    let optimal: Vec<bool> = report.rows.iter().map(|row| row.optimal.is_some()).collect();
    assert_eq!(optimal, [true, false, false, false, true, false]);
    let Some(Estimate::Between { value, low, high }) = report.rows[0].optimal else { panic!("an interval") };
    // Two playouts tell little, and about half of the moves keep the value.
    assert!((0.2..0.8).contains(&value) && (0.025..0.035).contains(&((high - low) / 2.0)), "{low} {value} {high}");
    assert_eq!(played(plan, &mut store).0, 0);
}

#[test]
fn numbers_of_a_made_up_store_are_right() {
    let mut store = Store::in_memory().unwrap();
    let plan = StrengthPlan { threads: vec![1], workers: vec![4], games: 200, ..plan() };
    let workers = Config::Workers { rule: Some(InFlight::Unobserved), workers: 4 };
    // 90 points of 200 are -35 Elo; half the playouts got 60 of 200, which are -147, and twice as many 140.
    make_up(&mut store, &plan, workers, [15, 60, 25]);
    make_up(&mut store, &plan, Config::Alone { times: 0.5 }, [5, 50, 45]);
    make_up(&mut store, &plan, Config::Alone { times: 2.0 }, [45, 50, 5]);
    let report = StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false);
    let row = report.rows_of(Kind::Workers).next().unwrap();
    assert_eq!(row.games, Games { wins: 90, draws: 0, losses: 110 });
    assert_eq!(row.share.value(), Some(0.45));
    assert!(row.elo.value().is_some_and(|elo| (elo + 34.86).abs() < 0.01), "{:?}", row.elo);
    // Pairs differ by sqrt(0.15 0.55^2 + 0.6 0.05^2 + 0.25 0.45^2) = 0.312, and 100 of them are sure to 6.1 %: it takes
    // 100 (6.1 / 5)^2 pairs.
    assert!(row.share.error().is_some_and(|error| (error - 0.061).abs() < 0.001), "{:?}", row.share);
    assert!(row.games_more.is_some_and(|more| (80..120).contains(&more)), "{:?}", row.games_more);
    // -34.86 of -147.19 Elo an octave.
    let value = row.equal_to.and_then(Estimate::value).unwrap();
    assert!((value - (-34.86f64 / 147.19).exp2()).abs() < 0.01, "{value}");
    assert!(row.speed_up.and_then(Estimate::value).is_some_and(|speed_up| (speed_up - 4.0 * value).abs() < 1e-9));
    let Some(Estimate::Between { low, high, .. }) = row.equal_to else { panic!("an interval") };
    assert!(low < value && value < high && high < 2.0, "{low} {high}");
}

#[test]
fn every_rank_makes_the_playouts_of_the_one_thread() {
    let mut store = Store::in_memory().unwrap();
    let plan = StrengthPlan { threads: vec![], workers: vec![], ranks: vec![1, 4], playouts: Some(64), ..plan() };
    let mut experiment = StrengthExperiment::new(plan.clone(), &mut store, replay).unwrap();
    experiment.play(&StopFlag::default(), &mut |_| ()).unwrap();
    // Both end early where the move is decided, so a whole search is the longest one.
    let playouts = |place: usize| {
        let series: &series::Series = &experiment.series[place];
        series.score().sides().each_ref().map(|side| side.playouts as f64 / side.moves.max(1) as f64)
    };
    let [one, [four, opponent]] = [playouts(0), playouts(1)];
    assert!(one[0] <= 64.0 && opponent <= 64.0 && (64.0..=256.0).contains(&four), "{one:?} {four} {opponent}");
    let report = experiment.report(false);
    assert!(report.method()[1].contains("each rank makes as many playouts"), "{:?}", report.method());
    let rows: Vec<(Kind, f64)> = report.rows.iter().map(|row| (row.kind, row.size)).collect();
    let curve = [0.5, 1.0, 2.0, 4.0].map(|times| (Kind::HandicapCurve, times));
    assert_eq!(rows, [[(Kind::Ranks, 1.0), (Kind::Ranks, 4.0)].as_slice(), &curve].concat());
    assert_eq!(played(plan, &mut store).0, 0);
}

#[test]
fn the_speed_up_of_ranks_is_the_multiple_that_one_thread_needs() {
    let mut store = Store::in_memory().unwrap();
    let plan = StrengthPlan { threads: vec![], workers: vec![], ranks: vec![4, 64], games: 200, ..plan() };
    // 140 points of 200, those of one thread with twice the playouts; and more than with 32 times as many.
    make_up(&mut store, &plan, Config::Ranks { ranks: 4 }, [45, 50, 5]);
    make_up(&mut store, &plan, Config::Ranks { ranks: 64 }, [98, 2, 0]);
    make_up(&mut store, &plan, Config::Alone { times: 2.0 }, [45, 50, 5]);
    make_up(&mut store, &plan, Config::Alone { times: 32.0 }, [70, 20, 10]);
    let report = StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false);
    let rows: Vec<&StrengthRow> = report.rows_of(Kind::Ranks).collect();
    let four = rows[0].speed_up.and_then(Estimate::value).unwrap();
    assert!((four - 2.0).abs() < 0.01 && rows[0].equal_to.and_then(Estimate::value) == Some(four), "{four}");
    assert!(matches!(rows[1].speed_up, Some(Estimate::AtLeast { low: 32.0, .. })), "{:?}", rows[1]);
}

#[test]
fn games_for_more_than_two_have_no_elo() {
    let mut store = Store::in_memory().unwrap();
    let three = StrengthPlan { game: "nim:players=3".to_string(), ..plan() };
    let error = StrengthExperiment::new(three, &mut store, replay).err().unwrap().to_string();
    assert!(error.contains("3 players; name a game for two"), "{error}");
}

#[test]
fn games_have_the_conditions_of_matches() {
    let grace = |game: &str, limit| match (game, limit) {
        ("photosynthesis", Limit::Time(_)) => Duration::ZERO,
        _ => Duration::from_millis(50),
    };
    let plan = StrengthPlan { game: "photosynthesis".to_string(), grace, ..plan() };
    for (limit, grace) in [(Limit::Time(Duration::from_millis(9)), 0), (Limit::Playouts(9), 50)] {
        let conditions = plan.conditions(Config::Alone { times: 2.0 }, limit);
        assert_eq!(conditions.game, "photosynthesis:seed=any");
        assert_eq!(conditions.grace, Duration::from_millis(grace));
    }
}
