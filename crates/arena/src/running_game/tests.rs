use std::time::{Duration, Instant};

use boughs::{Agent, Budget, Choice, Report, SearchError, Session};
use boughs_agents::AgentSpec;
use boughs_games::{Referee, Verdict, start};

use super::*;
use crate::plan::Openings;

/// A referee that asks three times.
struct Tired;

impl Referee for Tired {
    fn follow(&mut self, _: &dyn Session, _: u32) {}
    fn question(&mut self, _: &dyn Session, _: usize) -> String {
        String::new()
    }
    fn judge(&mut self, _: &dyn Session, _: usize, _: &str) -> Verdict<u32> {
        Verdict::Disqualified
    }
    fn disqualify(&self, _: &dyn Session, _: usize) -> Option<u32> {
        None
    }
    fn breaks_off(&self, _: &dyn Session, questions: u64) -> bool {
        questions == 3
    }
}

fn conditions(limit: Limit) -> Conditions {
    Conditions {
        game: "any".into(),
        contestants: vec!["flat".parse().expect("an agent"); 2],
        pairings: vec![[0, 1]],
        limit,
        grace: Duration::ZERO,
        openings: Openings::Start,
        seed: 1,
    }
}

/// Plays a game of two agents, each wrapped by `wrap`, to its end.
fn played<'t>(
    setting: (&'t Conditions, &'t Planned, &'t StopFlag),
    game: &str,
    protocol: Protocol,
    wrap: impl Fn(Box<dyn Agent>) -> Box<dyn Agent>,
) -> (Ending, RunningGame<'t>) {
    let start = start(game).expect("a game");
    let agent = || Participant::Agent(wrap(AgentSpec::default().build(&*start.position).expect("an agent")));
    let participants = vec![agent(), agent()];
    let rngs = (Rng::new(1, 1), Rng::new(1, 2));
    let mut game = RunningGame::new(setting, start, Vec::new(), (participants, protocol), rngs);
    let Ok(ending) = game.play() else { panic!("nothing interrupts it") };
    (ending, game)
}

#[test]
fn a_game_is_broken_off_after_as_many_questions_as_a_contest_allows() {
    let (conditions, stop) = (conditions(Limit::Playouts(10)), StopFlag::default());
    let planned = conditions.planned(0, 2);
    for (protocol, ending, moves) in
        [(Protocol::Contest(Box::new(Tired)), Ending::Cut, 3..=3), (Protocol::Plain, Ending::Over, 5..=9)]
    {
        let (ended, game) = played((&conditions, &planned, &stop), "tictactoe", protocol, |agent| agent);
        assert_eq!(ended, ending);
        assert!(moves.contains(&game.moves.len()), "{:?}", game.moves);
    }
}

/// An agent that takes its time to look at a position.
struct Slow(Box<dyn Agent>);

const GLANCE: Duration = Duration::from_millis(20);

impl Agent for Slow {
    fn position(&self) -> &dyn Session {
        self.0.position()
    }
    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        self.0.search(budget, see)
    }
    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        self.search(budget, &mut |_| ()).map(|report| Choice::from(&report))
    }
    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.0.advance(action)
    }
    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        std::thread::sleep(GLANCE);
        self.0.reset(position)
    }
    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        self.0.begin(position, seed)
    }
}

#[test]
fn the_clock_of_an_agent_runs_while_it_looks_at_the_position_and_late_answers_are_counted() {
    let grace = Duration::from_secs(10);
    let conditions = Conditions { grace, ..conditions(Limit::Time(Duration::from_millis(1))) };
    let (planned, stop) = (conditions.planned(0, 2), StopFlag::default());
    let slow = |agent| Box::new(Slow(agent)) as Box<dyn Agent>;
    let (ending, game) = played((&conditions, &planned, &stop), "kuhn", Protocol::Plain, slow);
    assert_eq!(ending, Ending::Over);
    for Seat { clock, late, .. } in &game.seats {
        assert!(clock.moves > 0 && clock.total >= GLANCE * clock.moves as u32, "{clock:?}");
        assert_eq!(u64::from(*late), clock.moves);
    }
}

/// An agent that makes one playout and remembers the time it was given.
struct Remembering(Box<dyn Agent>, Duration);

impl Agent for Remembering {
    fn position(&self) -> &dyn Session {
        self.0.position()
    }
    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        self.1 = budget.deadline().map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
        self.0.search(Budget::iterations(1), see)
    }
    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        self.search(budget, &mut |_| ()).map(|report| Choice::from(&report))
    }
    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.0.advance(action)
    }
    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.0.reset(position)
    }
    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        self.0.begin(position, seed)
    }
}

#[test]
fn without_grace_an_agent_ends_its_search_sooner_by_the_delays_of_the_machine() {
    let seconds = Duration::from_secs;
    let start = start("tictactoe").expect("a game");
    let agent = AgentSpec::default().build(&*start.position).expect("an agent");
    let mut agent = Remembering(agent, Duration::ZERO);
    let meter = DelayMeter::start();
    (0..3).for_each(|_| meter.answered(Instant::now().checked_sub(seconds(5))));
    let mut given = |grace, meter| {
        let limit = (Limit::Time(seconds(100)), grace, meter);
        search(&mut agent, None, limit, &StopFlag::default()).expect("an answer");
        agent.1
    };
    assert!((seconds(85)..=seconds(90)).contains(&given(Duration::ZERO, Some(&meter))));
    assert!((seconds(90)..=seconds(95)).contains(&given(seconds(5), Some(&meter))));
    assert!((seconds(95)..=seconds(100)).contains(&given(seconds(50), Some(&meter))));
    assert!((seconds(95)..=seconds(100)).contains(&given(Duration::ZERO, None)));
}
