//! Replay of a recorded game by the rules.

use std::collections::VecDeque;

use boughs_games::green_circle::{
    ARCHITECTURE_STUDY, BONUS, Cards, DAILY_ROUTINE, DEBT, Fault, Happened, Luck, Phase, Reason, Referee, Setup, Step,
    need,
    protocol::{Command, command_text, read_answer},
};

use serde_json::Value;

use super::super::same;
use super::trace::{self, Application, Chance, End, Game, Player, State};

/// A game that is being replayed.
pub(super) struct Replay {
    referee: Referee,
    steps: u32,
    last_status: &'static str,
}

/// Recorded outcomes of chance, to be repeated. An outcome that does not agree with the rules is left out, and shows as
/// a difference.
struct Recorded {
    shuffles: VecDeque<Vec<u8>>,
    resolved: Option<String>,
}

impl Luck for Recorded {
    fn shuffle(&mut self, cards: Cards) -> Vec<u8> {
        let recorded = self.shuffles.pop_front().unwrap_or_default();
        let mut sorted = recorded.clone();
        sorted.sort_unstable();
        if sorted.iter().copied().eq(cards.list()) { recorded } else { cards.list().collect() }
    }

    fn pick(&mut self, steps: &[(Step, u32)]) -> Option<Step> {
        let recorded = command(self.resolved.as_deref()?);
        steps.iter().map(|&(step, _)| step).find(|&step| command(&resolved_text(step)) == recorded)
    }
}

impl Replay {
    pub(super) fn new(game: &Game) -> Result<Replay, String> {
        same("league", &game.league, &3)?;
        same("max_turns", &game.max_turns, &boughs_games::green_circle::MOST_DECISIONS)?;
        let applications = game.applications.iter().try_fold(0u32, |set, application| {
            let Application { id, .. } = *application;
            same("applications", application, &Application { id, need: need(id) })?;
            Ok::<u32, String>(set | 1u32.checked_shl(u32::from(id)).unwrap_or_default())
        })?;
        let mut piles = [[0; 8]; 2];
        for (pile, player) in piles.iter_mut().zip(&game.init.players) {
            let order = || player.draw_order.iter().chain(player.hand_order.iter().rev()).copied();
            let starts = sorted(order()) == [8, 8, 8, 8, 9, 9, 9, 9];
            if !starts || player.draw_order.len() != 4 {
                return Err(
                    "init: players do not begin with four BONUS and four TECHNICAL_DEBT, half of them in hand".into()
                );
            }
            pile.iter_mut().zip(order()).for_each(|(place, kind)| *place = kind);
        }
        let referee = Referee::new(&Setup { applications, piles });
        same_state("init", &game.init, &state(&referee))?;
        Ok(Replay { referee, steps: 0, last_status: "ok" })
    }

    pub(super) fn step(&mut self, step: &trace::Step) -> Result<(), String> {
        self.steps += 1;
        same("n", &step.n, &self.steps)?;
        same("whether the game goes on", &true, &self.referee.ending().is_none())?;
        same_state("state", &step.state, &state(&self.referee))?;
        same("phase", &step.phase.as_str(), &self.referee.position().phase().name())?;
        same("active", &step.active, &self.referee.position().active())?;
        let view = self.referee.view();
        same_list("legal", &step.legal, &view.offers)?;
        same_list("input", &step.input, &view.lines())?;
        let shuffles = step.chance.iter().filter_map(|chance| chance.shuffle.clone()).collect();
        let mut luck = Recorded { shuffles, resolved: step.resolved.clone() };
        let answered = self.referee.answer(step.out.as_deref(), &mut luck);
        self.last_status = answered.result.map_or_else(status, |_| "ok");
        same("status", &step.status.as_str(), &self.last_status)?;
        let Ok(resolved) = answered.result.map(resolved_text) else {
            // The official referee's events after a disqualification are not played.
            return same("resolved", &step.resolved, &None);
        };
        let recorded = step.resolved.clone().unwrap_or_default();
        if command(&recorded) != command(&resolved) {
            return same("resolved", &recorded, &resolved);
        }
        same("chance", &step.chance, &answered.chance.into_iter().map(chance).collect())
    }

    /// The number of compared decisions.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    pub(super) fn end(&self, end: &End) -> Result<(), String> {
        same("steps", &end.steps, &self.steps)?;
        same("last_status", &end.last_status.as_str(), &self.last_status)?;
        let ending = self.referee.ending().ok_or("the game is recorded as over, but goes on")?;
        let seats = [0, 1].map(|player| self.referee.position().seat(player));
        let is_tie = seats[0].score == seats[1].score;
        let (reason, by) = match ending.reason {
            Reason::Disqualified(_) => ("disqualified", "disqualified"),
            reason => {
                same_state("final", &end.last, &state(&self.referee))?;
                same("released", &end.released, &seats.map(|seat| i32::from(seat.score)))?;
                same("technical_debt", &end.technical_debt, &seats.map(|seat| seat.debt()))?;
                let by = match ending.winner {
                    None => "tie",
                    Some(_) if is_tie => "technical_debt",
                    Some(_) => "apps",
                };
                (if reason == Reason::FiveApplications { "five_apps" } else { "max_turns" }, by)
            }
        };
        same("reason", &end.reason.as_str(), &reason)?;
        same("by", &end.by.as_str(), &by)?;
        same("ref_score", &end.ref_score, &ending.scores)?;
        same("winner", &end.winner, &ending.winner.map_or(-1, |winner| winner as i32))
    }
}

fn sorted(cards: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut cards: Vec<u8> = cards.collect();
    cards.sort_unstable();
    cards
}

/// Compares lists of lines. The error tells the first that differs.
fn same_list(field: &str, recorded: &[String], ours: &[String]) -> Result<(), String> {
    let lines = recorded.len().max(ours.len());
    (0..lines).try_for_each(|line| same(&format!("{field}, line {},", line + 1), &recorded.get(line), &ours.get(line)))
}

/// Compares states. The error tells the fields that differ.
fn same_state(name: &str, recorded: &State, ours: &State) -> Result<(), String> {
    if recorded == ours {
        return Ok(());
    }
    let [recorded, ours] = [recorded, ours].map(|state| serde_json::to_value(state).unwrap_or_default());
    Err(differences(name, &recorded, &ours).join("; "))
}

/// Finds the fields that differ, with their paths.
fn differences(path: &str, recorded: &Value, ours: &Value) -> Vec<String> {
    let inside: Vec<(String, &Value)> = match recorded {
        _ if recorded == ours => return Vec::new(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), field)).collect(),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            list.iter().enumerate().map(|(place, item)| (place.to_string(), item)).collect()
        }
        _ => return vec![format!("{path}: here {ours}, recorded {recorded}")],
    };
    let of = |(name, field): (String, &Value)| {
        let ours = ours.pointer(&format!("/{name}")).unwrap_or(&Value::Null);
        differences(&format!("{path}.{name}"), field, ours)
    };
    inside.into_iter().flat_map(of).collect()
}

/// Writes a step as traces do: both desks of a move, and no message.
fn resolved_text(step: Step) -> String {
    match step {
        Step::Move { to, from } => format!("MOVE {to} {from}"),
        step => command_text(step),
    }
}

/// Reads the command of a line, with its numbers in any form.
fn command(text: &str) -> Command {
    read_answer(text).command
}

fn status(fault: Fault) -> &'static str {
    match fault {
        Fault::Format => "illegal_format",
        Fault::Rule => "illegal_rule",
        Fault::Exception => "exception",
        Fault::Timeout => "timeout",
    }
}

fn chance(happened: Happened) -> Chance {
    match happened {
        Happened::Shuffled(pile) => Chance { shuffle: Some(pile), draw: None, why: None },
        Happened::Drew { kind, is_redraw } => {
            Chance { shuffle: None, draw: Some(kind), why: Some(if is_redraw { "end" } else { "play" }.into()) }
        }
    }
}

/// Writes a game as traces do.
fn state(referee: &Referee) -> State {
    let position = referee.position();
    let board = position.board_cards().counts();
    State {
        phase: position.phase().name().to_string(),
        active: position.active(),
        last_turn: position.is_last_round(),
        over: position.is_complete(),
        apps: position.open_applications().collect(),
        desks: std::array::from_fn(|desk| board[desk]),
        bonus_pool: board[usize::from(BONUS)],
        td_pool: board[usize::from(DEBT)],
        players: [0, 1].map(|player| player_of(referee, player)),
    }
}

fn player_of(referee: &Referee, player: usize) -> Player {
    let position = referee.position();
    let seat = position.seat(player);
    let is_active = position.active() == player;
    let mut perm = [0; 10];
    perm[usize::from(DAILY_ROUTINE)] = seat.routines;
    perm[usize::from(ARCHITECTURE_STUDY)] = seat.studies;
    let only_active = |number: u8| if is_active { number } else { 0 };
    Player {
        loc: seat.location,
        score: i32::from(seat.score),
        daily: seat.routines,
        arch: seat.studies,
        plays_left: only_active(position.plays()),
        to_throw: only_active(position.throws()),
        must_give: is_active && position.phase() == Phase::Give,
        pending_take: position.pending_take().filter(|_| is_active).map_or(-1, |desk| desk as i8),
        hand: seat.hand.counts(),
        draw: seat.draw.counts(),
        discard: seat.discard.counts(),
        played: if is_active { position.played().counts() } else { [0; 10] },
        auto: seat.automated.counts(),
        perm,
        hand_order: referee.hand(player).to_vec(),
        draw_order: referee.draw_pile(player).to_vec(),
    }
}
