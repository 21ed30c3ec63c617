//! A game that a client plays by a protocol of board games: the position, the moves to it, and the agent that searches
//! it.

use boughs::{Agent, Report, Session, Turn};
use boughs_agents::AgentSpec;
use boughs_games::{GameEntry, Grid, Names, StartedGame};

use super::game_spec::GameSpec;
use crate::failure::Failure;
use crate::ranks::Builder;

/// A game in progress.
pub(crate) struct Game {
    pub(crate) spec: GameSpec,
    pub(crate) started: StartedGame,
    pub(crate) agent_spec: AgentSpec,
    pub(crate) agent: Box<dyn Agent>,
    builder: Builder,
    /// The names of points, if they are not those of the game.
    pub(crate) names: Option<Names>,
    /// All moves, and passes that no command has named.
    moves: Vec<u32>,
    /// The moves before each command that has played one.
    marks: Vec<Vec<u32>>,
    /// The number of games before this one, which have had other random numbers.
    games: u64,
}

/// The text of a pass, in every game that has one.
const PASS: &str = "pass";

impl Game {
    /// Starts a game.
    pub(crate) fn start(spec: GameSpec, agent_spec: AgentSpec, builder: Builder) -> Result<Game, Failure> {
        let started = spec.start().map_err(Failure::new)?;
        let agent = builder.build(&agent_spec, &*started.position)?;
        Ok(Game {
            spec,
            started,
            agent_spec,
            agent,
            builder,
            names: None,
            moves: Vec::new(),
            marks: Vec::new(),
            games: 0,
        })
    }

    pub(crate) fn position(&self) -> &dyn Session {
        self.agent.position()
    }

    /// The agent, for a search of the position.
    pub(crate) fn searcher(&mut self) -> &mut dyn Agent {
        if self.builder.has_ranks() {
            self.builder.is_at(&self.spec.text(), &self.moves);
        }
        &mut *self.agent
    }

    pub(crate) fn moves(&self) -> &[u32] {
        &self.moves
    }

    /// The player who acts, if the game is not over.
    pub(crate) fn player(&self) -> Option<usize> {
        match self.position().turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// The seat of a colour.
    pub(crate) fn seat(&self, colour: &str) -> Result<usize, String> {
        let first = self.colours()[0];
        let colour = match colour.to_ascii_lowercase().as_str() {
            "b" | "black" => "black",
            "w" | "white" => "white",
            _ => return Err(format!("'{colour}' is no colour; say black or white")),
        };
        Ok(usize::from(colour != first))
    }

    /// The colours of both seats.
    pub(crate) fn colours(&self) -> [&'static str; 2] {
        self.started.entry.colours()
    }

    /// Starts another game, with other random numbers.
    pub(crate) fn restart(&mut self, spec: GameSpec) -> Result<(), String> {
        self.games += 1;
        self.begin(spec)
    }

    /// Goes to the start of a game.
    fn begin(&mut self, spec: GameSpec) -> Result<(), String> {
        let started = spec.start()?;
        let seed = self.agent_spec.seed().wrapping_add(self.games);
        // Another size of the board may be another type of position.
        let is_same = self.agent.begin(&*started.position, seed).is_ok();
        if !is_same {
            self.agent = self.builder.build(&self.agent_spec, &*started.position).map_err(|error| error.to_string())?;
        }
        (self.spec, self.started) = (spec, started);
        self.moves.clear();
        self.marks.clear();
        Ok(())
    }

    /// Takes another agent in the same position.
    pub(crate) fn set_agent(&mut self, spec: AgentSpec) -> Result<(), String> {
        self.agent = self.builder.build(&spec, self.position()).map_err(|error| error.to_string())?;
        self.agent_spec = spec;
        Ok(())
    }

    /// The board as clients see it, if it is a grid.
    pub(crate) fn grid(&self) -> Option<Grid> {
        let grid = self.started.entry.grid(self.position())?;
        Some(Grid { names: self.names.unwrap_or(grid.names), ..grid })
    }

    /// The text of a move as clients write it.
    pub(crate) fn vertex(&self, position: &dyn Session, action: u32) -> String {
        self.words().vertex(position, action)
    }

    /// The names of moves, for when the agent is busy.
    pub(crate) fn words(&self) -> Words {
        Words { entry: self.started.entry, names: self.names }
    }

    /// The legal moves with their vertices.
    pub(crate) fn legal(&self) -> Vec<(u32, String)> {
        let position = self.position();
        let moves = position.legal_moves().into_iter();
        moves.map(|(action, _)| (action, self.vertex(position, action))).collect()
    }

    /// The action that makes it the turn of the other player.
    fn skip(&self) -> Option<u32> {
        self.started.entry.skip(self.position())
    }

    /// Makes it a player's turn where the game has a way to do that. Passes that follow each other change nothing, so
    /// they are taken back, because they would end the game.
    pub(crate) fn give_turn(&mut self, player: usize) -> Result<(), String> {
        if self.player() == Some(player) {
            return Ok(());
        }
        let before = self.moves.clone();
        let passes = self.passes_at_the_end();
        let kept = self.moves.len() - passes;
        self.go_to(before[..kept].to_vec())?;
        if self.player().is_some_and(|next| next != player)
            && let Some(skip) = self.skip()
        {
            self.advance(skip)?;
        }
        if self.player() == Some(player) {
            return Ok(());
        }
        self.go_to(before)?;
        Err(match self.player() {
            Some(_) => format!("illegal move: it is not the turn of {}", self.colours()[player]),
            None => "illegal move: the game is over".to_string(),
        })
    }

    /// The number of passes in a row at the end of the moves.
    fn passes_at_the_end(&self) -> usize {
        let mut position = self.started.position.clone();
        self.moves.iter().fold(0, |passes, &action| {
            let is_pass = position.action_text(action) == PASS;
            position.apply(action);
            if is_pass { passes + 1 } else { 0 }
        })
    }

    /// Plays a move of a player.
    pub(crate) fn play(&mut self, player: usize, vertex: &str) -> Result<(), String> {
        let before = self.moves.clone();
        if self.player().is_none() && vertex.eq_ignore_ascii_case(PASS) {
            // Nothing is left to play, and clients pass until both have.
            self.marks.push(before);
            return Ok(());
        }
        self.give_turn(player)?;
        let legal = self.legal().into_iter().find(|(_, text)| text.eq_ignore_ascii_case(vertex));
        let played = match legal {
            Some((action, _)) => self.advance(action),
            None => Err("illegal move".to_string()),
        };
        match played {
            Ok(()) => self.marks.push(before),
            Err(_) => self.go_to(before)?,
        }
        played
    }

    /// Plays a move that the program has chosen, after these moves.
    pub(crate) fn play_own(&mut self, action: u32, before: Vec<u32>) -> Result<(), String> {
        self.advance(action)?;
        self.marks.push(before);
        Ok(())
    }

    fn advance(&mut self, action: u32) -> Result<(), String> {
        let is_legal = self.position().legal_moves().iter().any(|(legal, _)| *legal == action);
        let advanced = if !is_legal && self.skip() == Some(action) {
            let mut position = self.position().clone_session();
            position.apply(action);
            self.agent.reset(&*position)
        } else {
            self.agent.advance(action)
        };
        advanced.map_err(|error| error.to_string())?;
        self.moves.push(action);
        Ok(())
    }

    /// Takes the last move back.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        let before = self.marks.pop().ok_or("cannot undo")?;
        self.go_to(before)
    }

    /// Goes to the position after these moves, which have been legal.
    pub(crate) fn go_to(&mut self, moves: Vec<u32>) -> Result<(), String> {
        if moves == self.moves {
            return Ok(());
        }
        self.moves = moves;
        let mut position = self.started.position.clone();
        self.moves.iter().for_each(|&action| position.apply(action));
        self.agent.reset(&*position).map_err(|error| error.to_string())
    }

    /// Goes to the position after these moves, which have been legal. Where they go on from the moves so far, the agent
    /// keeps its tree.
    pub(crate) fn follow(&mut self, moves: Vec<u32>) -> Result<(), String> {
        self.marks.clear();
        if !moves.starts_with(&self.moves) {
            return self.go_to(moves);
        }
        let known = self.moves.len();
        moves[known..].iter().try_for_each(|&action| self.advance(action))
    }

    /// Goes to the end of a record. `undo` takes back its moves, of which each has a number of actions before it.
    pub(crate) fn load(&mut self, actions: Vec<u32>, moves: &[usize]) -> Result<(), String> {
        self.marks = moves.iter().map(|&before| actions[..before].to_vec()).collect();
        self.go_to(actions)
    }

    /// Makes the moves so far the start of what `undo` takes back.
    pub(crate) fn forget_marks(&mut self) {
        self.marks.clear();
    }

    /// Plays moves again after the start of the game has changed.
    fn replay(&mut self, moves: &[u32], marks: Vec<Vec<u32>>) -> Result<(), String> {
        for &action in moves {
            self.advance(action).map_err(|_| "illegal move".to_string())?;
        }
        self.marks = marks;
        Ok(())
    }

    /// The game with another option, at the same moves.
    pub(crate) fn set_option(&mut self, key: &str, value: &str) -> Result<(), String> {
        let spec = self.spec.with(key, value);
        spec.start()?;
        let (moves, marks) = (std::mem::take(&mut self.moves), std::mem::take(&mut self.marks));
        self.begin(spec)?;
        self.replay(&moves, marks)
    }

    /// The move that a search has chosen; the first legal one if it had no time for any.
    pub(crate) fn chosen(&self, report: &Report) -> Option<u32> {
        let best = report.best.as_ref().map(|best| best.action);
        best.or_else(|| self.position().legal_moves().first().map(|(action, _)| *action))
    }

    /// The answer to `genmove` after the end of the game. A client ends it where one resigns or both pass.
    pub(crate) fn move_after_the_end(&self, player: usize) -> &'static str {
        let position = self.position();
        let has_lost = position.turn() == Turn::Over && position.reward(player) < position.reward(1 - player);
        // Two passes have ended a game that has them.
        if has_lost && self.passes_at_the_end() == 0 { "resign" } else { PASS }
    }

    /// The result of the game: the lead of the winner in points, or who has won.
    pub(crate) fn score(&self) -> Option<String> {
        let position = self.position();
        let letter = |seat: usize| self.colours()[seat][..1].to_ascii_uppercase();
        let tallies = self.started.entry.tallies(position);
        if let Some((_, points)) = tallies.first()
            && let [first, second] = points[..]
        {
            let lead = first - second;
            return Some(if lead == 0.0 {
                "0".to_string()
            } else {
                format!("{}+{}", letter(usize::from(lead < 0.0)), lead.abs())
            });
        }
        if position.turn() != Turn::Over {
            return None;
        }
        let [first, second] = [0, 1].map(|player| position.reward(player));
        Some(if first == second { "0".to_string() } else { format!("{}+", letter(usize::from(first < second))) })
    }
}

/// The names of moves, apart from the game in progress.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    entry: &'static GameEntry,
    names: Option<Names>,
}

impl Words {
    /// The names that a game has for its clients.
    pub(crate) fn of(entry: &'static GameEntry) -> Words {
        Words { entry, names: None }
    }

    /// The text of a move as clients write it.
    pub(crate) fn vertex(self, position: &dyn Session, action: u32) -> String {
        match (self.names, self.entry.grid(position), self.entry.place(position, action)) {
            (Some(names), Some(grid), Some(place)) => Grid { names, ..grid }.name(place),
            _ => self.entry.vertex(position, action),
        }
    }
}
