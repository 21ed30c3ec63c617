//! The agents of Green Circle.

use std::time::Duration;

use boughs::{Budget, Game, Rng, StopReason, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::learn::{Features, TurnSearch};
use boughs_games::green_circle::{GreenCircle, Setup, Step};

use crate::process::ends_within;

/// Returns true if the first of two agents, who changes seats from game to game, gets at least this sum of rewards. No
/// game is played after that is decided.
fn gets(least: f64, agents: [&str; 2], games: u64, playouts: u64) -> bool {
    let mut sum = 0.0;
    for game in 0..games {
        let seat = game as usize % 2;
        let (mut position, mut rng) = (GreenCircle::new(&Setup::of_seed(game / 2)), Rng::new(game / 2, 1));
        let mut players = [0, 1].map(|player: usize| {
            let spec: AgentSpec = agents[player ^ seat].parse().unwrap();
            spec.with_seed(game).build(&position).unwrap()
        });
        while position.turn() != Turn::Over {
            let step = match position.turn() {
                Turn::Player(player) => {
                    players[player].reset(&position).unwrap();
                    players[player].search(Budget::iterations(playouts), &mut |_| ()).unwrap().best_action()
                }
                _ => position.chance(&mut rng, &mut Vec::new()),
            };
            position.apply(step.unwrap());
        }
        sum += position.reward(seat);
        if sum >= least || sum + ((games - game - 1) as f64) < least {
            break;
        }
    }
    sum >= least
}

#[test]
fn each_agent_beats_the_one_before() {
    assert!(gets(18.0, ["builder2", "random"], 20, 1));
    assert!(gets(8.0, ["exhaustive", "builder2"], 10, 300));
    assert!(gets(3.0, ["foresight:positions=50", "builder2"], 4, 16));
    assert!(gets(7.0, ["foresight:positions=500", "exhaustive"], 10, 300));
}

/// A position of a game between two agents `builder2`, after a number of steps.
fn on_the_way(seed: u64, steps: usize) -> GreenCircle {
    let (mut position, mut rng) = (GreenCircle::new(&Setup::of_seed(seed)), Rng::new(seed, 1));
    let spec: AgentSpec = "builder2".parse().unwrap();
    let mut player = spec.build(&position).unwrap();
    for _ in 0..steps {
        let step = match position.turn() {
            Turn::Player(_) => {
                player.reset(&position).unwrap();
                player.search(Budget::iterations(1), &mut |_| ()).unwrap().best_action()
            }
            _ => position.chance(&mut rng, &mut Vec::new()),
        };
        position.apply(step.unwrap());
    }
    position
}

#[test]
fn foresight_answers_in_time_in_the_largest_turns() {
    let position = on_the_way(228, 196);
    let (player, weights) = (position.active(), GreenCircle::weights());
    let mut search = TurnSearch::new(100_000);
    assert!(!search.values(&position, player, weights, &mut Rng::new(1, 0), || false).is_whole);
    for (name, time, least) in [
        ("foresight", 100, 1),
        ("foresight:positions=1000000", 30, 0),
        ("foresight:threads=4", 30, 0),
        ("foresight", 50, 0),
        ("foresight", 20, 0),
        ("foresight:threads=2", 50, 0),
        ("foresight:threads=2", 20, 0),
        ("foresight:threads=2,parallel=batched", 20, 0),
        ("foresight", 1, 0),
    ] {
        let spec: AgentSpec = name.parse().unwrap();
        let mut agent = spec.build(&position).unwrap();
        let time = Duration::from_millis(time);
        let answers = || {
            let report = agent.search(Budget::time(time), &mut |_| ()).unwrap();
            assert!(
                report.best.is_some() && report.stop == StopReason::Time && report.iterations >= least,
                "{report:?}"
            );
        };
        assert!(ends_within(time + Duration::from_millis(8), answers), "{name} is late");
    }
}

#[test]
fn foresight_is_the_same_with_the_same_seed_and_keeps_its_budget() {
    let position = GreenCircle::new(&Setup::of_seed(2));
    let found = |seed, playouts| {
        let spec: AgentSpec = "foresight".parse().unwrap();
        let report = spec.with_seed(seed).build(&position).unwrap().search(Budget::iterations(playouts), &mut |_| ());
        let report = report.unwrap();
        assert_eq!((report.iterations, report.stop), (playouts, StopReason::Iterations));
        report.children.iter().map(|child| (child.action, child.playouts, child.mean.to_bits())).collect::<Vec<_>>()
    };
    assert!(found(1, 100) == found(1, 100) && found(1, 100) != found(2, 100));
    assert_eq!(found(1, 1_000).iter().map(|(_, playouts, _)| playouts).sum::<u64>(), 1_000);
    assert_eq!(found(1, 0).iter().map(|(_, playouts, _)| playouts).sum::<u64>(), 0);
}

#[test]
fn threads_of_foresight_share_the_work_and_do_not_change_the_result_of_a_batched_search() {
    let found = |position: GreenCircle, threads: usize| {
        let mut spec: AgentSpec = "foresight:turns=3,positions=300,parallel=batched".parse().unwrap();
        spec.set("threads", &threads.to_string()).unwrap();
        assert_eq!(spec.threads(), threads);
        let mut agent = spec.with_seed(1).build(&position).unwrap();
        let report = agent.search(Budget::iterations(3_000), &mut |_| ()).unwrap();
        assert_eq!(report.iterations, 3_000);
        let busy = threads_with_work();
        assert!(threads == 1 || busy.is_none_or(|busy| busy >= 2), "{busy:?} of {threads} threads had work");
        report.children.iter().map(|child| (child.action, child.playouts, child.mean.to_bits())).collect::<Vec<_>>()
    };
    // The second turn is too large to be searched to its end.
    for position in [GreenCircle::new(&Setup::of_seed(2)), on_the_way(228, 196)] {
        let alone = found(position, 1);
        assert!(found(position, 2) == alone && found(position, 8) == alone);
    }
}

#[test]
fn weights_come_from_a_file_that_was_learned() {
    let position = GreenCircle::new(&Setup::of_seed(2));
    let path = std::env::temp_dir().join(format!("boughs-weights-{}.json", std::process::id()));
    let best = |weights: &str| {
        let spec: AgentSpec = format!("foresight:width=1,weights={weights}").parse().unwrap();
        let mut agent = spec.build(&position)?;
        Ok::<_, boughs::SearchError>(agent.search(Budget::iterations(100), &mut |_| ())?.best_action::<Step>().unwrap())
    };
    let with = |names: &[String], weights: &[f64]| {
        let features =
            names.iter().zip(weights).map(|(name, weight)| format!("{{\"name\":\"{name}\",\"weight\":{weight}}}"));
        std::fs::write(&path, format!("{{\"features\":[{}]}}", features.collect::<Vec<_>>().join(","))).unwrap();
        best(&path.display().to_string())
    };
    let (names, weights) = (GreenCircle::names(), GreenCircle::weights());
    assert_eq!(with(&names, weights).unwrap(), best("own").unwrap());
    let opposite: Vec<f64> = weights.iter().map(|weight| -weight).collect();
    assert_ne!(with(&names, &opposite).unwrap(), best("own").unwrap());
    let fault = with(&names[1..], weights).unwrap_err().to_string();
    assert!(fault.contains("has no weights for Green Circle: its features are others; try weights=own, or"), "{fault}");
    std::fs::write(&path, "[").unwrap();
    assert!(
        best(&path.display().to_string()).unwrap_err().to_string().contains("has no weights for Green Circle: EOF")
    );
    std::fs::remove_file(&path).unwrap();
    assert!(
        best(&path.display().to_string()).unwrap_err().to_string().contains("has no weights for Green Circle: No such")
    );
}

/// The number of threads that have worked for a millisecond, of those that this test has started. They have its name.
/// `None` where the system does not tell.
fn threads_with_work() -> Option<usize> {
    let own = std::fs::read_link("/proc/thread-self").ok()?.file_name()?.to_owned();
    let own_name = std::fs::read_to_string("/proc/thread-self/comm").ok()?;
    let threads = std::fs::read_dir("/proc/self/task").ok()?.flatten().filter(|thread| thread.file_name() != own);
    let named = threads
        .map(|thread| thread.path())
        .filter(|path| std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name == own_name));
    let nanoseconds = named.filter_map(|path| {
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Some(nanoseconds.filter(|time| *time > 1_000_000).count())
}

#[test]
fn nobody_decides_by_cards_that_are_hidden() {
    let mut compared = 0;
    let (mut position, mut rng, mut scratch) = (GreenCircle::new(&Setup::of_seed(4)), Rng::new(4, 1), Vec::new());
    for _ in 0..60 {
        if let Turn::Player(player) = position.turn() {
            compared += usize::from(decisions_are_alike(&position, player));
        }
        position.apply(at_random(&position, &mut rng, &mut scratch));
    }
    assert!(compared > 10, "{compared}");
    // In this game a player loses a card unseen by the other.
    let (mut position, mut rng) = (GreenCircle::new(&Setup::of_seed(28_571)), Rng::new(28_571, 1));
    (0..282).for_each(|_| position.apply(at_random(&position, &mut rng, &mut scratch)));
    assert!(
        position.turn() == Turn::Player(position.active()) && !position.seat(1 - position.active()).lost.is_empty()
    );
    assert!(decisions_are_alike(&position, position.active()));
}

fn at_random(position: &GreenCircle, rng: &mut Rng, scratch: &mut Vec<Step>) -> Step {
    match position.turn() {
        Turn::Player(_) => position.random_action(rng, scratch),
        _ => position.chance(rng, scratch),
    }
    .unwrap()
}

/// Checks that an agent finds the same in two other positions that the player cannot tell from this one. Returns true
/// if those two differ.
fn decisions_are_alike(position: &GreenCircle, player: usize) -> bool {
    let twins = [5, 6].map(|stream| {
        let mut twin = *position;
        twin.determinize(player, &mut Rng::new(stream, 0));
        twin
    });
    for name in ["builder2", "exhaustive:memory=16M", "foresight:positions=50"] {
        let found = [*position, twins[0], twins[1]].map(|twin| {
            let spec: AgentSpec = name.parse().unwrap();
            let mut agent = spec.with_seed(1).build(&twin).unwrap();
            let report = agent.search(Budget::iterations(20), &mut |_| ()).unwrap();
            let children = report.children.iter();
            let children = children.map(|child| (child.action, child.playouts, child.mean.to_bits()));
            (report.best.clone().map(|best| best.action), children.collect::<Vec<_>>())
        });
        assert!(found[0] == found[1] && found[1] == found[2], "{name}: {found:?}");
    }
    twins[0] != twins[1]
}
