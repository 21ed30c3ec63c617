//! Positions as text for a person.

use super::cards::{Cards, KINDS};
use super::position::GreenCircle;
use super::seat::Seat;

/// The heading of a row of counts.
const HEADING: &str = "          0  1  2  3  4  5  6  7  B   D\n";

impl GreenCircle {
    /// Writes the position with the hidden cards of one player, or of both if there is no `viewer`.
    pub(super) fn drawn(&self, viewer: Option<usize>) -> String {
        if !self.is_dealt() {
            return "the cards are still to be dealt\n".into();
        }
        let mut text = format!("decision {}, player {}", self.decisions + 1, self.active + 1);
        text += &match (self.due, self.plays, self.throws) {
            (0, 0, 0) => format!(", {:?}", self.phase),
            (0, 0, throws) => format!(", {:?}, {throws} to go", self.phase),
            (0, plays, _) => format!(", {:?}, {plays} to go", self.phase),
            (due, ..) => format!(" draws {due}"),
        };
        text += if self.is_last_round { ", last round\n" } else { "\n" };
        let needs = |id| super::application::pair(id).map(|kind| kind.to_string()).concat();
        let open: Vec<String> = self.open_applications().map(|id| format!("{id}:{}", needs(id))).collect();
        text += &format!("applications {}\n{HEADING}", open.join(" "));
        let board = viewer.map_or(self.board, |viewer| self.board + self.seats[1 - viewer].lost);
        text += &row("board", board);
        for (player, seat) in self.seats.iter().enumerate() {
            text += &seat.drawn(player, viewer.is_none_or(|viewer| viewer == player));
        }
        text + &row("played", self.played)
    }
}

impl Seat {
    fn drawn(&self, player: usize, is_seen: bool) -> String {
        let Seat { location, score, routines, studies, .. } = self;
        let mut text = format!("player {}: desk {location}, score {score}", player + 1);
        text += &format!(", routines {routines}, studies {studies}, {} in hand\n", self.hand.total());
        let piles = match is_seen {
            true => vec![("hand", self.hand), ("draw", self.draw), ("discard", self.discard), ("lost", self.lost)],
            false => vec![("cards", self.merged())],
        };
        let shown = |(name, cards): &(&str, Cards)| *name != "lost" || !cards.is_empty();
        text += &piles.into_iter().filter(shown).map(|(name, cards)| row(name, cards)).collect::<String>();
        text + &row("automated", self.automated)
    }
}

fn row(name: &str, cards: Cards) -> String {
    let count = |kind: usize| {
        let width = if kind + 1 < KINDS { 3 } else { 4 };
        let count = cards.count(kind as u8);
        if count == 0 { format!("{:>width$}", ".") } else { format!("{count:>width$}") }
    };
    format!("{name:<9}{}", (0..KINDS).map(count).collect::<String>().trim_end()) + "\n"
}
