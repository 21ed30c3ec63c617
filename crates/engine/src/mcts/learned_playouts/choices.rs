//! The choices of one playout, for a policy that learns from the actions which were not played too.

/// The legal actions and their weights at every choice of a playout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    codes: Vec<u32>,
    weights: Vec<f32>,
    made: Vec<Made>,
}

/// A choice: its player, the action played, and the end of its actions in the lists.
#[derive(Clone, Copy, Debug)]
struct Made {
    player: u8,
    played: u32,
    end: usize,
}

/// One choice of a playout.
pub(super) struct ChoiceOf<'c> {
    pub(super) player: u8,
    /// The code of the action played.
    pub(super) played: u32,
    /// The codes of the legal actions, and the weight of each.
    pub(super) codes: &'c [u32],
    pub(super) weights: &'c [f32],
}

impl Choices {
    /// Removes all choices and keeps the memory.
    pub(in crate::mcts) fn clear(&mut self) {
        self.codes.clear();
        self.weights.clear();
        self.made.clear();
    }

    /// Adds a choice among some actions, of which none is played yet. Returns the sum of their weights.
    pub(super) fn list(&mut self, player: u8, codes: impl Iterator<Item = u32>, weight: impl Fn(u32) -> f32) -> f32 {
        let begin = self.codes.len();
        self.codes.extend(codes);
        self.weights.extend(self.codes[begin..].iter().map(|&code| weight(code)));
        self.made.push(Made { player, played: 0, end: self.codes.len() });
        self.weights[begin..].iter().sum()
    }

    /// Plays an action of the last choice: the one at which the sum of weights passes `at`, and the last one if none
    /// does. Returns its number.
    pub(super) fn draw(&mut self, mut at: f32) -> usize {
        let begin = self.made.len().checked_sub(2).map_or(0, |before| self.made[before].end);
        let weights = &self.weights[begin..];
        let passes = |&weight: &f32| {
            at -= weight;
            at < 0.0
        };
        let index = weights.iter().position(passes).unwrap_or(weights.len().saturating_sub(1));
        if let (Some(made), Some(&code)) = (self.made.last_mut(), self.codes.get(begin + index)) {
            made.played = code;
        }
        index
    }

    /// The choices in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = ChoiceOf<'_>> {
        self.made.iter().scan(0, |begin, made| {
            let range = *begin..made.end;
            *begin = made.end;
            let (codes, weights) = (&self.codes[range.clone()], &self.weights[range]);
            Some(ChoiceOf { player: made.player, played: made.played, codes, weights })
        })
    }
}
