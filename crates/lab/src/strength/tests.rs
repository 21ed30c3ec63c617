//! Plans that are played, and numbers of games that were made up.

use boughs_arena::statistics::{Estimate, Games};
use boughs_arena::{Clock, Ending, EventKey, Record};

use super::*;

pub(super) fn plan() -> Plan {
    Plan {
        game: "tictactoe".to_string(),
        settings: Settings::default(),
        modes: vec![Mode::Shared],
        threads: vec![1, 2],
        workers: vec![1, 4],
        rules: vec![InFlight::Unobserved],
        playouts: Some(20),
        time: None,
        grace: Duration::from_secs(10),
        games: 4,
        openings: Openings::Random(1, 2),
        seed: 3,
        tables: Some(1),
        command: "boughs scale <made up>".to_string(),
    }
}

fn replay(_: &Conditions, _: u64) -> String {
    "boughs match".to_string()
}

/// Plays a plan to its end, and says how many steps that took.
fn played(plan: Plan, store: &mut Store) -> (u64, Report) {
    let mut experiment = Experiment::new(plan, store, replay).unwrap();
    let (expected, mut steps) = (experiment.steps_left(), 0);
    experiment.play(&StopFlag::default(), &mut |_| steps += 1).unwrap();
    let report = experiment.report(false);
    assert_eq!((expected, experiment.steps_left(), report.played), (steps, 0, steps));
    (steps, report)
}

#[test]
fn what_a_store_has_is_not_played_again() {
    let mut store = Store::in_memory().unwrap();
    let (steps, report) = played(plan(), &mut store);
    // Two threads, one and four workers, and one thread with odds of 1/8, 1/4, 1/2 and 2.
    assert_eq!((steps, report.lines.len()), (7 * 4, 8));
    let (steps, again) = played(plan(), &mut store);
    assert_eq!(steps, 0);
    assert_eq!(csv(&again), csv(&report));
    assert_eq!(played(Plan { games: 6, workers: vec![1, 4, 8], ..plan() }, &mut store).0, 7 * 2 + 6);
}

#[test]
fn an_experiment_that_is_stopped_goes_on_where_it_was() {
    let mut store = Store::in_memory().unwrap();
    let mut experiment = Experiment::new(plan(), &mut store, replay).unwrap();
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
    let plan = Plan { threads: vec![1], workers: Vec::new(), playouts: Some(400), ..plan() };
    let mut experiment = Experiment::new(plan, &mut store, replay).unwrap();
    experiment.play(&StopFlag::default(), &mut |_| ()).unwrap();
    let playouts: Vec<[u64; 2]> = experiment
        .bouts
        .iter()
        .map(|bout| bout.standing().sides().each_ref().map(|side| side.playouts / side.moves.max(1)))
        .collect();
    assert_eq!(playouts, [[50, 400], [100, 400], [200, 400], [800, 400]]);
}

#[test]
fn solved_positions_are_answered_once() {
    let mut store = Store::in_memory().unwrap();
    let plan = Plan {
        game: "connect4".to_string(),
        threads: vec![1],
        workers: vec![1],
        playouts: Some(2),
        games: 2,
        ..plan()
    };
    let (stop, mut steps) = (StopFlag::default(), 0);
    let mut experiment = Experiment::new(plan.clone(), &mut store, replay).unwrap();
    let mut see = |_: &str| {
        steps += 1;
        if steps == 700 {
            stop.raise();
        }
    };
    experiment.play(&stop, &mut see).unwrap();
    let (steps, report) = played(plan.clone(), &mut store);
    assert_eq!(steps, 2 * 1_000 - 700 + 5 * 2);
    let optimal: Vec<bool> = report.lines.iter().map(|line| line.optimal.is_some()).collect();
    assert_eq!(optimal, [true, false, false, false, true, false]);
    let Some(Estimate::Between { value, low, high }) = report.lines[0].optimal else { panic!("an interval") };
    // Two playouts tell little, and about half of the moves keep the value.
    assert!((0.2..0.8).contains(&value) && (0.025..0.035).contains(&((high - low) / 2.0)), "{low} {value} {high}");
    assert_eq!(played(plan, &mut store).0, 0);
}

/// Puts pairs into a store in which the first contestant of a line won both games, one of them, and none.
fn make_up(store: &mut Store, plan: &Plan, way: Way, [both, one, none]: [u64; 3]) {
    let conditions = plan.conditions(way, Limit::Playouts(20));
    let key = EventKey { kind: "match".into(), conditions: conditions.text(), command: String::new() };
    let event = store.event(&key).unwrap();
    for round in 0..both + one + none {
        for game in 0..2 {
            // The first contestant has the first seat in the first game.
            let wins = round < both || (round < both + one && game == 0);
            let first = f64::from(u8::from(wins == (game == 0)));
            let record = Record {
                number: 2 * round + game,
                round,
                seats: vec![game as usize, 1 - game as usize],
                seed: 0,
                opening: vec![],
                moves: vec![format!("{round}"), format!("{wins}")],
                rewards: vec![first, 1.0 - first],
                ending: Ending::Over,
                clocks: vec![Clock::default(); 2],
                notes: vec![String::new(); 2],
                columns: vec![Default::default(); 2],
                began: 0.0,
                took: Duration::ZERO,
            };
            store.add(event, &record, "").unwrap();
        }
    }
}

#[test]
fn numbers_of_a_made_up_store_are_right() {
    let mut store = Store::in_memory().unwrap();
    let plan = Plan { threads: vec![1], workers: vec![4], games: 200, ..plan() };
    let workers = Way::Workers { rule: Some(InFlight::Unobserved), workers: 4 };
    // 90 points of 200 are -35 Elo; half the playouts got 60 of 200, which are -147, and twice as many 140.
    make_up(&mut store, &plan, workers, [15, 60, 25]);
    make_up(&mut store, &plan, Way::Alone { times: 0.5 }, [5, 50, 45]);
    make_up(&mut store, &plan, Way::Alone { times: 2.0 }, [45, 50, 5]);
    let report = Experiment::new(plan, &mut store, replay).unwrap().report(false);
    let line = report.lines_of(Kind::Workers).next().unwrap();
    assert_eq!(line.games, Games { wins: 90, draws: 0, losses: 110 });
    assert_eq!(line.share.value(), Some(0.45));
    assert!(line.elo.value().is_some_and(|elo| (elo + 34.86).abs() < 0.01), "{:?}", line.elo);
    // Pairs differ by sqrt(0.15 0.55^2 + 0.6 0.05^2 + 0.25 0.45^2) = 0.312, and 100 of them are sure to 6.1 %: it takes
    // 100 (6.1 / 5)^2 pairs.
    assert!(line.share.error().is_some_and(|error| (error - 0.061).abs() < 0.001), "{:?}", line.share);
    assert!(line.games_more.is_some_and(|more| (80..120).contains(&more)), "{:?}", line.games_more);
    // -34.86 of -147.19 Elo an octave.
    let value = line.equal_to.and_then(Estimate::value).unwrap();
    assert!((value - (-34.86f64 / 147.19).exp2()).abs() < 0.01, "{value}");
    assert!(line.speed_up.and_then(Estimate::value).is_some_and(|speed_up| (speed_up - 4.0 * value).abs() < 1e-9));
    let Some(Estimate::Between { low, high, .. }) = line.equal_to else { panic!("an interval") };
    assert!(low < value && value < high && high < 2.0, "{low} {high}");
}

#[test]
fn a_report_has_all_its_numbers_in_the_page_and_the_csv() {
    let mut store = Store::in_memory().unwrap();
    let plan = Plan { threads: vec![1, 2], workers: vec![1, 4], games: 200, ..plan() };
    make_up(&mut store, &plan, Way::Workers { rule: None, workers: 1 }, [20, 60, 20]);
    make_up(&mut store, &plan, Way::Workers { rule: Some(InFlight::Unobserved), workers: 4 }, [15, 60, 25]);
    make_up(&mut store, &plan, Way::Threads { mode: Mode::Shared, threads: 2 }, [0, 0, 100]);
    let report = Experiment::new(plan, &mut store, replay).unwrap().report(false);
    let plots = plots(&report).unwrap();
    assert_eq!(plots.len(), 4);
    let page = html(&report, &plots);
    assert!(page.contains("45.0 (") && page.contains("WU-UCT") && page.contains("&lt;made up&gt;"), "{page}");
    for text in [page, csv(&report)] {
        assert!(!text.contains("NaN") && !text.contains("inf,") && !text.contains("inf "), "{text}");
    }
}

#[test]
fn games_for_more_than_two_have_no_elo() {
    let mut store = Store::in_memory().unwrap();
    let three = Plan { game: "nim:players=3".to_string(), ..plan() };
    let error = Experiment::new(three, &mut store, replay).err().unwrap().to_string();
    assert!(error.contains("3 players; name a game for two"), "{error}");
}
