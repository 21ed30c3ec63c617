//! The extent of a check.

use std::fmt;

use crate::notation::counted;

/// The extent of a check that found no fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Games that were played to the end.
    pub games: u32,
    /// Positions that were checked.
    pub positions: u64,
    /// Positions in which the random action was tested for uniformity.
    pub uniformity: u32,
    /// The length of the longest game.
    pub longest: u32,
    /// Positions in which chance acted.
    pub chance: u64,
    /// Positions in which chance was tested for drawing by weight.
    pub weights: u32,
    /// Positions in which chance listed no outcomes, so that positions after them cannot be written as moves.
    pub unlisted: u64,
    /// Comparisons of a position with a different one that a player cannot tell from it.
    pub hidden: u64,
}

/// Writes the extent as sentences.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checked { games, positions, uniformity, longest, chance, weights, unlisted, hidden } = *self;
        write!(
            f,
            "{} of at most {}, {}.\n\
             In all of them legal moves can be played, written and read back, players act in order, and rewards are \
             what was declared; random moves are uniform in the {} where that was tested.",
            counted(games, "random games"),
            counted(longest, "moves"),
            counted(grouped(positions), "positions"),
            counted(uniformity, "positions")
        )?;
        if chance > unlisted {
            write!(
                f,
                "\nChance drew {} among outcomes that are listed, and as often as their weights say in the \
                 {} where that was tested.",
                counted(grouped(chance - unlisted), "times"),
                counted(weights, "positions")
            )?;
        }
        if unlisted > 0 {
            write!(
                f,
                "\nChance drew {} without listing its outcomes: these could be played, but nothing says \
                 if each is as likely as it should be.",
                counted(grouped(unlisted), "times")
            )?;
        }
        if hidden > 0 {
            write!(
                f,
                "\nPlayers always know what they may do, and forget nothing; {} a position was compared \
                 with another that a player cannot tell from it, and what is drawn for them never gave away which is \
                 which.",
                counted(grouped(hidden), "times")
            )?;
        }
        Ok(())
    }
}

/// Writes a number with a comma between thousands.
fn grouped(number: u64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1_000), number % 1_000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_and_hidden_things_are_named_only_where_there_are_any() {
        let plain = Checked { games: 3, positions: 1_000_010, uniformity: 2, longest: 4, ..Checked::default() };
        let text = plain.to_string();
        assert!(text.contains("4 moves, 1,000,010 positions"), "{text}");
        assert!(!text.contains("Chance") && !text.contains("know"), "{text}");
        let listed = Checked { chance: 1_500, weights: 8, ..plain }.to_string();
        assert!(listed.contains("Chance drew 1,500 times") && listed.contains("in the 8 positions"), "{listed}");
        let unlisted = Checked { chance: 3, unlisted: 3, hidden: 20, ..plain }.to_string();
        assert!(unlisted.contains("3 times without listing") && !unlisted.contains("listed, and"), "{unlisted}");
        assert!(unlisted.contains("20 times a position was compared"), "{unlisted}");
    }
}
