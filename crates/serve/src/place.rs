//! A position that a page asks about: a game and the moves to it, as a viewer sees them.

use std::time::{SystemTime, UNIX_EPOCH};

use boughs::notation::counted;
use boughs::{Information, Rng, Session, Turn};
use boughs_arena::with_choices_redrawn;
use boughs_games::{GameEntry, StartedGame, start};
use boughs_pages::LiveBoard;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::secrets::{Secrets, visible};

/// The question for a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceQuestion {
    /// The game with its options.
    pub(crate) game: String,
    /// The moves from the start, each a text, or the mark of a hidden one. A text may hold several.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
    /// The seat whose knowledge is shown; an onlooker sees all.
    #[serde(default)]
    pub(crate) viewer: Option<usize>,
}

/// A position with the moves to it.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) game: String,
    pub(crate) entry: &'static GameEntry,
    pub(crate) start: Box<dyn Session>,
    pub(crate) position: Box<dyn Session>,
    pub(crate) moves: Vec<u32>,
    /// The text and the player of each move; `None` for chance.
    pub(crate) played: Vec<(String, Option<usize>)>,
    /// The mark by which the page knows each move, if it has sent one.
    marks: Vec<Option<String>>,
    /// The seat that looks on; `None` for one who sees all.
    pub(crate) viewer: Option<usize>,
}

/// The most moves of a game.
const MOST_MOVES: usize = 4_000;

impl Place {
    /// Finds the position of a question.
    pub(crate) fn of(question: &PlaceQuestion, secrets: &Secrets) -> Result<Place, Refusal> {
        let StartedGame { entry, position: start } = start(&question.game).map_err(Refusal::bad)?;
        if question.viewer.is_some_and(|viewer| viewer >= start.players()) {
            return Err(Refusal::bad(format!("the game has {}, counted from 0", counted(start.players(), "seats"))));
        }
        let mut place = Place {
            game: question.game.clone(),
            entry,
            position: start.clone(),
            start,
            moves: Vec::new(),
            played: Vec::new(),
            marks: Vec::new(),
            viewer: question.viewer,
        };
        for text in &question.moves {
            match Secrets::is_mark(text) {
                true => {
                    place.play(&secrets.reveal(&place.game, &place.texts(), text)?)?;
                    if let Some(mark) = place.marks.last_mut() {
                        *mark = Some(text.clone());
                    }
                }
                false => place.play(text)?,
            }
        }
        Ok(place)
    }

    /// Plays the moves of a text.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let codes = self.position.clone().play_moves(text).map_err(|error| match self.has_secrets() {
            false => Refusal::bad(error),
            // The error would list the moves, and so the cards, of the player who acts after the moves that are right.
            true => Refusal::bad("that is no legal move there"),
        })?;
        if self.moves.len() + codes.len() > MOST_MOVES {
            return Err(Refusal::bad(format!("a game has at most {MOST_MOVES} moves here")));
        }
        codes.into_iter().for_each(|code| self.apply(code));
        Ok(())
    }

    /// Plays a legal action.
    pub(crate) fn apply(&mut self, action: u32) {
        self.played.push((self.position.action_text(action), self.player()));
        self.marks.push(None);
        self.moves.push(action);
        self.position.apply(action);
    }

    /// Lets chance act until a player does.
    pub(crate) fn draw(&mut self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut rng = Rng::new(now.as_nanos() as u64, self.moves.len() as u64);
        while self.position.turn() == Turn::Chance && self.moves.len() < MOST_MOVES {
            let Some(outcome) = self.position.chance(&mut rng) else { break };
            self.apply(outcome);
        }
    }

    /// The player who acts.
    pub(crate) fn player(&self) -> Option<usize> {
        match self.position.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// Returns true if the viewer knows the position as well as the player who acts.
    pub(crate) fn is_open(&self) -> bool {
        let is_perfect = self.start.facts().information == Information::Perfect;
        is_perfect || self.viewer.is_none() || self.viewer == self.player() || self.position.turn() == Turn::Over
    }

    /// Returns true if the position holds secrets from its viewer.
    pub(crate) fn has_secrets(&self) -> bool {
        self.viewer.is_some() && self.start.facts().information != Information::Perfect
    }

    /// The position with all that the viewer does not know drawn anew, always in the same way.
    fn known(&self) -> Box<dyn Session> {
        match self.viewer {
            Some(viewer) if self.has_secrets() && self.position.turn() != Turn::Over => {
                with_choices_redrawn(&*self.position, viewer, &mut Rng::new(0, self.moves.len() as u64))
            }
            _ => self.position.clone(),
        }
    }

    /// The texts of all moves.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.played.iter().map(|(text, _)| text.clone()).collect()
    }

    /// The moves as the viewer sees them: texts, and marks for those that are hidden. A mark stays as long as the page
    /// sends it, and a new one tells nothing of moves that were the same.
    pub(crate) fn seen(&self, secrets: &Secrets) -> Vec<String> {
        let texts = self.texts();
        let seen = visible(&*self.start, &self.moves, self.viewer);
        let shown = |(place, is_seen): (usize, bool)| match is_seen {
            true => texts[place].clone(),
            false => {
                let known = self.marks[place].clone();
                known.unwrap_or_else(|| secrets.hide(&self.game, &texts[..place], &texts[place]))
            }
        };
        seen.into_iter().enumerate().map(shown).collect()
    }

    /// The moves of a line from here, each with its player and the cells that it touches, as far as they are legal. A
    /// game with secrets has none, because a line is about what the viewer may not see.
    pub(crate) fn line(mut self, texts: &[String]) -> Value {
        let mut steps = Vec::new();
        if self.start.facts().information != Information::Perfect {
            return json!([]);
        }
        for text in texts {
            let Some(action) = self.position.find_move(text) else { break };
            let board = LiveBoard::of(self.entry, &*self.position, None);
            let cells = board.cells_of(&*self.position, action, None);
            steps.push(json!({ "text": text, "seat": self.player(), "cells": cells }));
            self.apply(action);
        }
        json!(steps)
    }

    /// The position as data for the page.
    pub(crate) fn view(&self, secrets: &Secrets) -> Value {
        let facts = self.start.facts();
        let viewer = match facts.information {
            Information::Perfect => None,
            _ if self.position.turn() == Turn::Over => None,
            _ => self.viewer,
        };
        // The moves and the cells of a position are shown as far as the viewer knows it.
        let position = self.known();
        let board = LiveBoard::of(self.entry, &*position, viewer);
        let (turn, seat) = match self.position.turn() {
            Turn::Player(player) => ("player", Some(player)),
            Turn::Chance => ("chance", None),
            Turn::Over => ("over", None),
        };
        let is_over = turn == "over";
        let shows_legal = match turn {
            "chance" => facts.information != Information::Hidden || self.viewer.is_none(),
            _ => self.is_open(),
        };
        let legal = if shows_legal { position.legal_moves() } else { Vec::new() };
        let legal: Vec<Value> = legal
            .into_iter()
            .map(|(action, text)| {
                let cells = board.cells_of(&*position, action, viewer);
                json!({
                    "cells": cells, "words": self.entry.action_words(&*position, action),
                    "weight": (turn == "chance").then(|| position.weight(action)), "text": text,
                })
            })
            .collect();
        let seen = self.seen(secrets).into_iter().zip(&self.played);
        let moves: Vec<Value> = seen.map(|(text, (_, seat))| json!({ "text": text, "seat": seat })).collect();
        let rewards =
            is_over.then(|| (0..self.position.players()).map(|p| self.position.reward(p)).collect::<Vec<_>>());
        json!({
            "game": self.game, "name": self.entry.name, "legend": self.entry.legend, "notation": self.entry.notation,
            "viewer": self.viewer, "players": self.position.players(), "information": match facts.information {
                Information::Perfect => "perfect",
                Information::Simultaneous => "simultaneous",
                Information::Hidden => "hidden",
            },
            "scores": facts.rewards.bounds != Some((0.0, 1.0)),
            "moves": moves, "board": board.text, "shape": board.shape(), "picture": board.picture(),
            "cards": self.entry.cards, "turn": turn, "seat": seat, "legal": legal, "rewards": rewards,
            "tallies": if viewer.is_none() { json!(self.entry.tallies(&*self.position)) } else { json!([]) },
        })
    }
}
