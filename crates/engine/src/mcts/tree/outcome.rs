//! The outcome of a game for each player: a win, a draw or a loss. A solved node of the tree holds one.

use crate::MAX_PLAYERS;

/// The outcome of every player, two bits each: 1 for a loss, 2 for a share of a draw, 3 for a win, 0 for a player there
/// is not. All who share a draw get the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome(u16);

const LOSS: u16 = 1;
const DRAW: u16 = 2;
const WIN: u16 = 3;

impl Outcome {
    /// The outcome that is not known.
    pub(crate) const OPEN: Outcome = Outcome(0);

    /// The outcome with these rewards, if each of them is 0, 1 or an equal share of 1.
    pub(crate) fn of(rewards: &[f64]) -> Option<Outcome> {
        let sharers = rewards.iter().filter(|&&reward| 0.0 < reward && reward < 1.0).count();
        let bits = |reward: f64| match reward {
            0.0 => Some(LOSS),
            1.0 => Some(WIN),
            share => (share == share_of(sharers)).then_some(DRAW),
        };
        rewards.iter().take(MAX_PLAYERS).enumerate().try_fold(Outcome::OPEN, |outcome, (player, &reward)| {
            Some(Outcome(outcome.0 | bits(reward)? << (2 * player)))
        })
    }

    pub(crate) fn is_open(self) -> bool {
        self == Outcome::OPEN
    }

    fn for_player(self, player: usize) -> u16 {
        if player < MAX_PLAYERS { self.0 >> (2 * player) & 3 } else { 0 }
    }

    pub(crate) fn is_win_for(self, player: usize) -> bool {
        self.for_player(player) == WIN
    }

    pub(crate) fn is_loss_for(self, player: usize) -> bool {
        self.for_player(player) == LOSS
    }

    /// Returns true if the first player shares a draw.
    pub(crate) fn is_draw(self) -> bool {
        self.for_player(0) == DRAW
    }

    /// The reward of a player; 0 where the outcome is not known.
    pub(crate) fn reward(self, player: usize) -> f64 {
        match self.for_player(player) {
            WIN => 1.0,
            DRAW => share_of((0..MAX_PLAYERS).filter(|&player| self.for_player(player) == DRAW).count()),
            _ => 0.0,
        }
    }

    /// As the bits of a header.
    pub(in crate::mcts) fn bits(self) -> u16 {
        self.0
    }

    pub(in crate::mcts) fn from_bits(bits: u16) -> Outcome {
        Outcome(bits)
    }
}

/// The reward of each of `sharers` players who share a draw. A single one has half of a win.
fn share_of(sharers: usize) -> f64 {
    1.0 / sharers.max(2) as f64
}

/// The outcome of a node whose children have these outcomes, as far as it follows from them. Beside each open one
/// stands what the next player has secured there, whose reward for the chooser is the most that the child can be worth;
/// [`Outcome::OPEN`] if nothing is.
///
/// A player who can win does, and where `wins_are_alike` that settles the rewards of all others. Otherwise all children
/// have to be known, and those best for the chooser have to agree on the rewards of the others: a player who loses
/// anyway may let either opponent win. Chance chooses nothing, so all children have to agree.
pub(super) fn of_children(
    chooser: Option<usize>,
    wins_are_alike: bool,
    children: impl Iterator<Item = (Outcome, Outcome)>,
) -> Outcome {
    let merit = |outcome: Outcome| chooser.map_or(0.0, |player| outcome.reward(player));
    // The most that an open child may be worth.
    let (mut best, mut agreed, mut most_open) = (Outcome::OPEN, true, f64::NEG_INFINITY);
    for (outcome, floor) in children {
        if outcome.is_open() {
            most_open = most_open.max(if floor.is_open() { f64::INFINITY } else { merit(floor) });
        } else if wins_are_alike && chooser.is_some_and(|player| outcome.is_win_for(player)) {
            return outcome;
        } else if best.is_open() || merit(outcome) > merit(best) {
            (best, agreed) = (outcome, true);
        } else if merit(outcome) == merit(best) {
            agreed &= outcome == best;
        }
    }
    // An open child that is worth no more may differ in the rewards of others, but two players' rewards add up to one.
    if agreed && merit(best) >= most_open { best } else { Outcome::OPEN }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(rewards: &[f64]) -> Outcome {
        Outcome::of(rewards).unwrap()
    }

    fn unbounded(chooser: Option<usize>, wins_are_alike: bool, children: &[Outcome]) -> Outcome {
        of_children(chooser, wins_are_alike, children.iter().map(|&child| (child, Outcome::OPEN)))
    }

    #[test]
    fn rewards_read_as_they_were_written() {
        let mixed = outcome(&[0.0, 1.0, 0.5]);
        assert_eq!([0, 1, 2, 3].map(|player| mixed.reward(player)), [0.0, 1.0, 0.5, 0.0]);
        assert!(mixed.is_loss_for(0) && mixed.is_win_for(1) && !mixed.is_loss_for(2) && !mixed.is_loss_for(3));
        assert_eq!(Outcome::of(&[0.3, 0.7]), None);
        let shared = outcome(&[1.0 / 3.0; 3]);
        assert_eq!(shared.reward(2), 1.0 / 3.0);
        assert_eq!(outcome(&[0.5, 0.0, 0.5]).reward(2), 0.5);
        assert!(!outcome(&[0.0]).is_open());
    }

    #[test]
    fn a_player_takes_the_best_of_what_is_known() {
        let (win, draw, loss) = (outcome(&[1.0, 0.0]), outcome(&[0.5, 0.5]), outcome(&[0.0, 1.0]));
        let of = |player, children: &[Outcome]| unbounded(Some(player), true, children);
        assert_eq!(of(0, &[Outcome::OPEN, win]), win);
        assert_eq!(of(1, &[Outcome::OPEN, win]), Outcome::OPEN);
        assert_eq!(of(0, &[loss, draw, loss]), draw);
        assert_eq!(of(1, &[win, win]), win);
        assert_eq!(of(0, &[]), Outcome::OPEN);
    }

    #[test]
    fn a_larger_share_of_a_draw_is_better() {
        let (of_two, of_three) = (outcome(&[0.5, 0.5, 0.0]), outcome(&[1.0 / 3.0; 3]));
        assert_eq!(unbounded(Some(0), true, &[of_three, of_two]), of_two);
        assert_eq!(unbounded(Some(2), true, &[of_two, of_three]), of_three);
    }

    #[test]
    fn a_player_who_loses_anyway_leaves_open_who_wins() {
        let (second, third) = (outcome(&[0.0, 1.0, 0.0]), outcome(&[0.0, 0.0, 1.0]));
        assert_eq!(unbounded(Some(0), true, &[second, third]), Outcome::OPEN);
        assert_eq!(unbounded(Some(0), true, &[third, third]), third);
        assert_eq!(unbounded(Some(2), true, &[second, third]), third);
    }

    #[test]
    fn a_player_who_can_win_in_two_ways_leaves_open_who_wins_too() {
        let (with_second, with_third) = (outcome(&[1.0, 1.0, 0.0]), outcome(&[1.0, 0.0, 1.0]));
        let of = |children: &[Outcome]| unbounded(Some(0), false, children);
        assert_eq!(of(&[with_second, with_third]), Outcome::OPEN);
        assert_eq!(of(&[with_second, Outcome::OPEN]), Outcome::OPEN);
        assert_eq!(of(&[with_second, with_second]), with_second);
    }

    #[test]
    fn chance_proves_only_what_happens_in_any_case() {
        let (win, loss) = (outcome(&[1.0, 0.0]), outcome(&[0.0, 1.0]));
        assert_eq!(unbounded(None, true, &[win, win]), win);
        assert_eq!(unbounded(None, true, &[win, loss]), Outcome::OPEN);
        assert_eq!(unbounded(None, true, &[win, Outcome::OPEN]), Outcome::OPEN);
    }

    #[test]
    fn an_open_child_that_is_worth_no_more_than_a_draw_leaves_a_draw() {
        let (win, draw, loss, open) = (outcome(&[1.0, 0.0]), outcome(&[0.5, 0.5]), outcome(&[0.0, 1.0]), Outcome::OPEN);
        let of = |children: &[(Outcome, Outcome)]| of_children(Some(0), true, children.iter().copied());
        assert_eq!(of(&[(draw, open), (open, draw), (loss, open)]), draw);
        assert_eq!(of(&[(draw, open), (open, draw), (open, open)]), open, "the last one may be a win");
        assert_eq!(of(&[(loss, open), (open, draw)]), open, "the second may be a draw");
        assert_eq!(of(&[(open, draw), (win, open)]), win);
        assert_eq!(of(&[(open, draw), (open, draw)]), open, "both may be losses");
    }
}
