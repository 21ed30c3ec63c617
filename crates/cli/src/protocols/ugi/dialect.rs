//! The words in which UGI, UAI and TEI differ.

/// A protocol of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Ugi,
    Uai,
    Tei,
}

/// A pass, in every game that has one.
const PASS: &str = "pass";

/// A pass, and no move at all, in UAI.
const NO_MOVE: &str = "0000";

impl Dialect {
    const ALL: [Dialect; 3] = [Dialect::Ugi, Dialect::Uai, Dialect::Tei];

    /// The word by which a client begins.
    pub(super) fn name(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uai => "uai",
            Dialect::Tei => "tei",
        }
    }

    /// The dialect of a client that begins with this word.
    pub(super) fn of(word: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == word)
    }

    /// Returns true for the command that starts another game, such as `uginewgame`.
    pub(super) fn is_new_game(self, word: &str) -> bool {
        word.strip_suffix("newgame") == Some(self.name())
    }

    /// The answer where there is no move.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Dialect::Uai => NO_MOVE,
            Dialect::Ugi | Dialect::Tei => "none",
        }
    }

    /// A move of the client, as the game writes it.
    pub(super) fn own_name(self, text: &str) -> &str {
        if self == Dialect::Uai && text == NO_MOVE { PASS } else { text }
    }

    /// A move, as the client writes it.
    pub(super) fn client_name(self, text: String) -> String {
        if self == Dialect::Uai && text == PASS { NO_MOVE.to_string() } else { text }
    }
}
