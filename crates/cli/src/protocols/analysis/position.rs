//! The positions of a query.

use boughs::{Session, Turn};
use boughs_games::StartedGame;

use super::query::{Played, Query};
use crate::protocols::game_spec::GameSpec;

/// The start of a query's game, and the actions that lead to each of its turns.
pub(super) struct Positions {
    pub(super) start: StartedGame,
    pub(super) actions: Vec<u32>,
    /// The number of actions before each turn.
    turns: Vec<usize>,
}

impl Positions {
    /// Plays the moves of a query.
    ///
    /// # Errors
    /// The field at fault, and one sentence about it.
    pub(super) fn of(query: &Query, spec: &GameSpec) -> Result<Positions, (&'static str, String)> {
        let start = start(query, spec)?;
        let mut line = Line { position: start.position.clone(), start: &start, actions: Vec::new() };
        for stone in &query.initial_stones {
            line.play(stone).map_err(|why| ("initialStones", why))?;
        }
        if let Some(colour) = &query.initial_player {
            line.give_turn(colour).map_err(|why| ("initialPlayer", why))?;
        }
        let mut turns = vec![line.actions.len()];
        for (number, played) in query.moves.iter().enumerate() {
            line.play(played).map_err(|why| ("moves", format!("move {}: {why}", number + 1)))?;
            turns.push(line.actions.len());
        }
        let actions = line.actions;
        Ok(Positions { start, actions, turns })
    }

    /// The number of the last turn.
    pub(super) fn last(&self) -> usize {
        self.turns.len() - 1
    }

    /// The actions before a turn, if there is one with this number.
    pub(super) fn at(&self, turn: usize) -> Option<&[u32]> {
        self.turns.get(turn).map(|&count| &self.actions[..count])
    }
}

/// Starts the game of a query: with its size of the board, and with its komi where the game has one.
fn start(query: &Query, spec: &GameSpec) -> Result<StartedGame, (&'static str, String)> {
    let mut start = spec.start().map_err(|why| ("id", why))?;
    let mut spec = spec.clone();
    if let Some(either) = query.columns.or(query.rows) {
        let other = spec.on_board(query.columns, query.rows);
        spec = other.ok_or_else(|| {
            let is_wide = query.columns.is_some() && spec.on_board(query.columns, None).is_none();
            let [columns, rows] = [query.columns, query.rows].map(|side| side.unwrap_or(either));
            let why = format!("{} has no board of {columns} by {rows}", start.entry.name);
            (if is_wide { "boardXSize" } else { "boardYSize" }, why)
        })?;
        start = spec.start().map_err(|why| ("boardXSize", why))?;
    }
    if let Some(komi) = query.komi
        && start.entry.options.contains("komi=")
    {
        start = spec.with("komi", &komi.to_string()).start().map_err(|why| ("komi", why))?;
    }
    Ok(start)
}

/// The moves so far.
struct Line<'a> {
    start: &'a StartedGame,
    position: Box<dyn Session>,
    actions: Vec<u32>,
}

impl Line<'_> {
    fn apply(&mut self, action: u32) {
        self.position.apply(action);
        self.actions.push(action);
    }

    /// Makes it a colour's turn.
    fn give_turn(&mut self, colour: &str) -> Result<(), String> {
        let colours = self.start.entry.colours();
        let is = |name: &&str| name.eq_ignore_ascii_case(colour) || name[..1].eq_ignore_ascii_case(colour);
        let seat = colours.iter().position(is).ok_or_else(|| format!("'{colour}' is no colour; write B or W"))?;
        let skip = self.start.entry.turn_to(&*self.position, seat);
        let skip = skip.ok_or_else(|| format!("it is not the turn of {colour}"))?;
        skip.into_iter().for_each(|action| self.apply(action));
        Ok(())
    }

    fn play(&mut self, played: &Played) -> Result<(), String> {
        let name = match played {
            Played::Of(colour, name) => {
                self.give_turn(colour)?;
                name
            }
            Played::Next(name) => name,
        };
        let names = |action: u32, text: &str| {
            text.eq_ignore_ascii_case(name)
                || self.start.entry.vertex(&*self.position, action).eq_ignore_ascii_case(name)
        };
        let legal = self.position.legal_moves();
        let found = legal.iter().find(|(action, text)| names(*action, text)).map(|(action, _)| *action);
        let action = found.filter(|_| matches!(self.position.turn(), Turn::Player(_)));
        self.apply(action.ok_or_else(|| format!("'{name}' is not legal"))?);
        Ok(())
    }
}
