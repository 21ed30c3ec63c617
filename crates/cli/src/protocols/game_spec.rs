//! The game of a session, whose size and komi commands change.

use boughs_games::{StartedGame, start};

/// The spec of a game as its parts.
#[derive(Clone, Debug)]
pub(crate) struct GameSpec {
    name: String,
    options: Vec<(String, String)>,
}

impl GameSpec {
    /// Takes a spec apart that has started a game.
    pub(crate) fn of(spec: &str) -> GameSpec {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let pair =
            |word: &str| word.split_once('=').map(|(key, value)| (key.trim().to_string(), value.trim().to_string()));
        GameSpec { name: name.trim().to_string(), options: options.split(',').filter_map(pair).collect() }
    }

    /// The same game with another value of an option.
    #[must_use]
    pub(crate) fn with(&self, key: &str, value: &str) -> GameSpec {
        let mut spec = self.clone();
        spec.options.retain(|(other, _)| !other.eq_ignore_ascii_case(key));
        spec.options.push((key.to_string(), value.to_string()));
        spec
    }

    /// The same game on a board with these columns and rows, of which one may be left open: the board that it has, or
    /// that of another `size`. A number is the drawn width, which in Yavalath is not the size. `None` if the game has
    /// no such board.
    pub(crate) fn on_board(&self, columns: Option<u8>, rows: Option<u8>) -> Option<GameSpec> {
        let is_so = |spec: &GameSpec| {
            let started = spec.start().ok();
            let size = started.and_then(|started| started.entry.board_size(&*started.position));
            size.is_some_and(|size| columns.unwrap_or(size.0) == size.0 && rows.unwrap_or(size.1) == size.1)
        };
        let sizes = (1..=columns.max(rows).unwrap_or_default()).rev().map(|size| self.with("size", &size.to_string()));
        std::iter::once(self.clone()).chain(sizes).find(is_so)
    }

    /// Starts the game.
    ///
    /// # Errors
    /// One sentence about the option at fault.
    pub(crate) fn start(&self) -> Result<StartedGame, String> {
        start(&self.text()).map_err(|error| error.to_string())
    }

    pub(crate) fn text(&self) -> String {
        let options: Vec<String> = self.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if options.is_empty() { self.name.clone() } else { format!("{}:{}", self.name, options.join(",")) }
    }
}
