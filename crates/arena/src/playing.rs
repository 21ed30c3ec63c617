//! A game under way: who is to move is asked, and all hear of it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;

use boughs::{Agent, AgentSpec, Budget, Game, Information, Rng, StopFlag, TreeKind, Turn};
use boughs_bots::BotSpec;
use boughs_games::Listed;

use crate::plan::{Conditions, Limit, Planned};
use crate::program::Bot;
use crate::program::plain::{self, Greeting};
use crate::secrets::with_choices_redrawn;
use crate::speech::{PATIENCE, Speech};
use crate::statistics::Mean;
use crate::{Clock, Ending, Fault};

/// Who has a seat in a game.
pub(crate) enum Player<G: Game> {
    Agent(Box<dyn Agent<G>>),
    Bot(Box<Bot>),
}

/// Why a game did not go on.
pub(crate) enum Break {
    Interrupted,
    Lost { seat: usize, fault: Fault },
}

/// What is counted of a seat beside its time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// Answers that came after their time and within the grace.
    pub(crate) late: u32,
    /// Answers that were not legal and cost less than the game.
    pub(crate) refused: u32,
    /// How many moves ahead an agent has looked.
    pub(crate) depth: Mean,
}

/// A game under way.
pub(crate) struct Playing<'t, G: Game> {
    pub(crate) conditions: &'t Conditions,
    pub(crate) planned: &'t Planned,
    pub(crate) stop: &'t StopFlag,
    pub(crate) position: G,
    /// All moves from the start of the game.
    pub(crate) moves: Vec<String>,
    pub(crate) players: Vec<Player<G>>,
    pub(crate) clocks: Vec<Clock>,
    /// What is counted of each seat.
    pub(crate) counts: Vec<Counts>,
    /// Who lost by which fault in a turn that goes on for others.
    pub(crate) faults: Vec<(usize, Fault)>,
    /// What there is to say about the answers of each seat, in lines.
    pub(crate) remarks: Vec<String>,
    pub(crate) speech: Speech<G>,
    pub(crate) luck: Rng,
    /// For what agents imagine of what they do not know.
    pub(crate) imagination: Rng,
}

impl<G: Listed> Playing<'_, G> {
    /// Tells programs what is played.
    pub(crate) fn greet(&mut self) -> Result<(), Break> {
        let seats = self.players.len();
        for (seat, player) in self.players.iter_mut().enumerate() {
            if let Player::Bot(bot) = player {
                let greeting = Greeting { game: &self.conditions.game, seat, seats, limit: self.conditions.limit };
                self.speech.greet(bot, &greeting).map_err(|fault| Break::Lost { seat, fault })?;
            }
        }
        Ok(())
    }

    pub(crate) fn play(&mut self) -> Result<Ending, Break> {
        let mut scratch = Vec::new();
        let mut questions = 0;
        for _ in self.moves.len()..G::MAX_PLIES as usize {
            let action = match self.position.turn() {
                Turn::Over => return Ok(self.ended()),
                Turn::Chance => self.position.chance(&mut self.luck, &mut scratch),
                Turn::Player(_) if self.speech.breaks_off(&self.position, questions) => return Ok(Ending::Cut),
                Turn::Player(seat) => {
                    if self.stop.is_raised() {
                        return Err(Break::Interrupted);
                    }
                    questions += 1;
                    Some(self.choose(seat).or_else(|broken| self.go_on_without(broken))?)
                }
            };
            let Some(action) = action else { return Ok(Ending::Cut) };
            self.moves.push(self.position.action_text(action));
            self.speech.follow(&self.position, action);
            self.position.apply(action);
            if G::INFORMATION == Information::Perfect {
                self.advance(action)?;
            }
        }
        Ok(if self.position.turn() == Turn::Over { self.ended() } else { Ending::Cut })
    }

    /// What happens instead of the move of who has lost, where the game goes on for others until their turn is complete.
    fn go_on_without(&mut self, broken: Break) -> Result<G::Action, Break> {
        let Break::Lost { seat, fault } = broken else { return Err(broken) };
        if self.stop.is_raised() {
            return Err(Break::Interrupted);
        }
        let Some(action) = self.speech.disqualify(&self.position, seat) else {
            return Err(Break::Lost { seat, fault });
        };
        self.faults.push((seat, fault));
        Ok(action)
    }

    /// How a game that is over has ended.
    fn ended(&self) -> Ending {
        match &self.faults[..] {
            [] => Ending::Over,
            faults => Ending::Forfeit(faults.to_vec()),
        }
    }

    /// How long a seat may think now, or how much. Where programs play by the lines of a contest there is more time for the first
    /// answer, for agents too.
    fn limit(&self, seat: usize) -> Limit {
        let contestant = &self.conditions.contestants[self.planned.seats[seat]];
        let limit = self.conditions.limit.times(contestant.odds());
        match limit {
            Limit::Time(time) if self.clocks[seat].moves == 0 => Limit::Time(time.max(self.speech.first_answer())),
            limit => limit,
        }
    }

    /// The move of a seat, and the time it takes.
    fn choose(&mut self, seat: usize) -> Result<G::Action, Break> {
        let limit = self.limit(seat);
        let lost = |fault| Break::Lost { seat, fault };
        let grace = match self.players[seat] {
            Player::Agent(_) => self.conditions.grace,
            Player::Bot(_) => self.conditions.program_grace,
        };
        let (time, allowed) = match limit {
            Limit::Time(time) => (time, time.saturating_add(grace)),
            Limit::Playouts(_) => (PATIENCE, PATIENCE),
        };
        let seen = (G::INFORMATION != Information::Perfect).then(|| self.seen_by(seat));
        let agent = match &mut self.players[seat] {
            Player::Agent(agent) => agent,
            Player::Bot(bot) => {
                let heard = self.speech.ask(bot, (&self.position, seat), &self.moves, allowed);
                let is_first = self.clocks[seat].moves == 0;
                let heard = heard.map_err(|fault| match fault {
                    Fault::Exited(status) if is_first && !self.speech.greets() => {
                        lost(Fault::NotStarted(format!("it ended before its first answer ({status})")))
                    }
                    fault => lost(fault),
                })?;
                if !heard.remark.is_empty() {
                    // Writing to a string cannot fail.
                    _ = writeln!(
                        self.remarks[seat],
                        "[referee] move {}: {}",
                        self.moves.len() + 1,
                        plain::shown(&heard.remark)
                    );
                }
                self.clocks[seat].add(heard.took, 0);
                self.counts[seat].late += u32::from(heard.took > time);
                self.counts[seat].refused += u32::from(heard.is_refused);
                return Ok(heard.action);
            }
        };
        let started = Instant::now();
        if let Some(seen) = seen {
            agent.reset(seen);
        }
        let budget = match limit {
            // More time than there is ends with no deadline.
            Limit::Time(time) => started.checked_add(time).map_or(Budget::time(time), Budget::until),
            Limit::Playouts(playouts) => Budget::iterations(playouts),
        };
        let budget = budget.early_stop(false).or_stopped_by(self.stop.clone());
        let report = agent.search(budget, &mut |_| ());
        let took = started.elapsed();
        if self.stop.is_raised() {
            return Err(Break::Interrupted);
        }
        let report = report.map_err(|error| lost(Fault::Failed(error.to_string())))?;
        self.clocks[seat].add(took, report.iterations);
        if report.depth > 0 {
            self.counts[seat].depth.add(f64::from(report.depth));
        }
        if matches!(limit, Limit::Time(_)) && took > allowed {
            return Err(lost(Fault::Late { after: took, allowed }));
        }
        self.counts[seat].late += u32::from(matches!(limit, Limit::Time(_)) && took > time);
        // On a busy machine the deadline may come before the first playout.
        let best = report.best_action();
        let best = best.or_else(|| self.position.random_action(&mut self.imagination, &mut Vec::new()));
        best.ok_or_else(|| lost(Fault::Failed("it found no legal move".to_string())))
    }

    /// The position as it is given to the agent of a seat.
    fn seen_by(&mut self, seat: usize) -> G {
        let contestant = &self.conditions.contestants[self.planned.seats[seat]];
        match contestant.agent().and_then(BotSpec::general) {
            Some(AgentSpec::Mcts(settings)) if settings.tree == TreeKind::Plain => {
                with_choices_redrawn(&self.position, seat, &mut self.imagination)
            }
            _ => self.position.clone(),
        }
    }

    /// Tells agents of a move everybody has seen.
    fn advance(&mut self, action: G::Action) -> Result<(), Break> {
        for (seat, player) in self.players.iter_mut().enumerate() {
            if let Player::Agent(agent) = player {
                agent.advance(action).map_err(|error| Break::Lost { seat, fault: Fault::Failed(error.to_string()) })?;
            }
        }
        Ok(())
    }

    /// What is counted of each seat, as columns: answers that were late or refused, where they can be, how deep an agent has
    /// looked, and what it has in the end, unless somebody lost by a fault before.
    pub(crate) fn counted(&self, ending: &Ending) -> Vec<BTreeMap<String, f64>> {
        let tallies = if *ending == Ending::Over { self.position.tallies() } else { Vec::new() };
        let is_timed = matches!(self.conditions.limit, Limit::Time(_));
        let of = |(seat, counts): (usize, &Counts)| {
            let may_be_refused = !self.speech.greets() && matches!(self.players[seat], Player::Bot(_));
            let late = is_timed.then_some(("late", counts.late.into()));
            let refused = may_be_refused.then_some(("refused", counts.refused.into()));
            let depth = counts.depth.value().map(|depth| ("depth", depth));
            let has = tallies.iter().map(|(name, numbers)| (*name, numbers[seat]));
            late.into_iter()
                .chain(refused)
                .chain(depth)
                .chain(has)
                .map(|(name, number)| (name.to_string(), number))
                .collect()
        };
        self.counts.iter().enumerate().map(of).collect()
    }

    /// What each seat gets: by a fault the least there is, and the others what is left, or the most there is, unless the rules say
    /// what comes of faults.
    pub(crate) fn rewards(&self, ending: &Ending) -> Vec<f64> {
        let players = self.position.players();
        let rewards = |of: &dyn Fn(usize) -> f64| (0..players).map(of).collect();
        match (ending, G::REWARDS.bounds) {
            (Ending::Over, _) => rewards(&|seat| self.position.reward(seat)),
            (Ending::Forfeit(_), _) if !self.faults.is_empty() => rewards(&|seat| self.position.reward(seat)),
            (Ending::Forfeit(faults), Some((least, most))) => rewards(&|seat| match G::REWARDS.sum {
                _ if faults.iter().any(|(loser, _)| seat == *loser) => least,
                Some(sum) => (sum - least) / (players - 1).max(1) as f64,
                None => most,
            }),
            (Ending::Cut | Ending::Forfeit(_), _) => rewards(&|seat| self.position.cut_reward(seat)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use boughs::{Report, SearchError};
    use boughs_games::kuhn::Kuhn;
    use boughs_games::tictactoe::TicTacToe;
    use boughs_games::{Official, Verdict};

    use super::*;
    use crate::plan::Openings;

    /// A referee that asks three times.
    struct Tired;

    impl Official<TicTacToe> for Tired {
        fn follow(&mut self, _: &TicTacToe, _: <TicTacToe as Game>::Action) {}
        fn question(&mut self, _: &TicTacToe, _: usize) -> String {
            String::new()
        }
        fn judge(&mut self, _: &TicTacToe, _: usize, _: &str) -> Verdict<<TicTacToe as Game>::Action> {
            Verdict::Disqualified
        }
        fn breaks_off(&self, _: &TicTacToe, questions: u64) -> bool {
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
            program_grace: Duration::ZERO,
            openings: Openings::Start,
            seed: 1,
        }
    }

    /// Plays to the end with what was made of two agents, and gives the game.
    fn played<'t, G: Listed>(
        (conditions, planned, stop): (&'t Conditions, &'t Planned, &'t StopFlag),
        position: G,
        speech: Speech<G>,
        player: impl Fn(Box<dyn Agent<G>>) -> Box<dyn Agent<G>>,
    ) -> (Ending, Playing<'t, G>) {
        let agent = || Player::Agent(player(BotSpec::default().build(position.clone()).expect("an agent")));
        let players = vec![agent(), agent()];
        let mut game = Playing {
            conditions,
            planned,
            stop,
            position,
            moves: Vec::new(),
            players,
            clocks: vec![Clock::default(); 2],
            counts: vec![Counts::default(); 2],
            faults: Vec::new(),
            remarks: vec![String::new(); 2],
            speech,
            luck: Rng::new(1, 1),
            imagination: Rng::new(1, 2),
        };
        let Ok(ending) = game.play() else { panic!("nobody breaks it off") };
        (ending, game)
    }

    #[test]
    fn a_game_is_broken_off_after_as_many_questions_as_a_contest_allows() {
        let (conditions, stop) = (conditions(Limit::Playouts(10)), StopFlag::default());
        let planned = conditions.planned(0, 2);
        for (speech, ending, moves) in [
            (Speech::Official(Box::new(Tired) as Box<dyn Official<TicTacToe>>), Ending::Cut, 3..=3),
            (Speech::Plain, Ending::Over, 5..=9),
        ] {
            let (ended, game) = played((&conditions, &planned, &stop), TicTacToe::default(), speech, |agent| agent);
            assert_eq!(ended, ending);
            assert!(moves.contains(&game.moves.len()), "{:?}", game.moves);
        }
    }

    /// An agent that takes its time to look at a position.
    struct Slow(Box<dyn Agent<Kuhn>>);

    const GLANCE: Duration = Duration::from_millis(20);

    impl Agent<Kuhn> for Slow {
        fn position(&self) -> &Kuhn {
            self.0.position()
        }
        fn search(
            &mut self,
            budget: Budget,
            observe: &mut dyn FnMut(&Report<<Kuhn as Game>::Action>),
        ) -> Result<Report<<Kuhn as Game>::Action>, SearchError> {
            self.0.search(budget, observe)
        }
        fn advance(&mut self, action: <Kuhn as Game>::Action) -> Result<(), SearchError> {
            self.0.advance(action)
        }
        fn reset(&mut self, position: Kuhn) {
            std::thread::sleep(GLANCE);
            self.0.reset(position);
        }
        fn begin(&mut self, position: Kuhn, seed: u64) {
            self.0.begin(position, seed);
        }
    }

    #[test]
    fn the_clock_of_an_agent_runs_while_it_looks_at_the_position_and_late_answers_are_counted() {
        let grace = Duration::from_secs(10);
        let conditions = Conditions { grace, ..conditions(Limit::Time(Duration::from_millis(1))) };
        let (planned, stop) = (conditions.planned(0, 2), StopFlag::default());
        let slow = |agent| Box::new(Slow(agent)) as Box<dyn Agent<Kuhn>>;
        let (ending, game) = played((&conditions, &planned, &stop), Kuhn::default(), Speech::Plain, slow);
        assert_eq!(ending, Ending::Over);
        for (clock, counts) in game.clocks.iter().zip(&game.counts) {
            assert!(clock.moves > 0 && clock.total >= GLANCE * clock.moves as u32, "{clock:?}");
            assert_eq!(u64::from(counts.late), clock.moves);
        }
    }
}
