//! Decisive and anti-decisive moves (Teytaud and Teytaud 2010): playouts that do not miss what is won or lost at once.

use crate::{Action, End, Game, Playout, Rng, SeeMove, Turn};

/// A heavy playout for any game: it plays decisive moves, which win at once, and random actions otherwise.
///
/// It looks for such a move at every ply, by [`Game::winning_action`]. So it is many times slower than
/// [`Light`](crate::Light) unless the game finds one without trying all, and pays off in games with sudden wins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl<G: Game> Playout<G> for Decisive {
    #[inline]
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        if !matches!(position.turn(), Turn::Player(_)) {
            return None;
        }
        position.winning_action(scratch).or_else(|| position.random_action(rng, scratch))
    }
}

/// A heavy playout for any game: it plays decisive moves, and otherwise random actions that do not lose at once, be it
/// by themselves or by a decisive move of the next player (anti-decisive moves), where there are such.
///
/// The greatest reward that the game declares is a win, and the least one a loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct AntiDecisive;

impl<G: Game> Playout<G> for AntiDecisive {
    #[inline]
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        let Turn::Player(player) = position.turn() else { return None };
        Some(choose(position, player, false, rng, scratch)?.0)
    }

    /// The same move by move, but that a player does not look for a win that the last move has left out.
    fn play(
        &self,
        position: &mut G,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
        limit: u32,
        mut see: Option<SeeMove<'_>>,
    ) -> End {
        let mut cannot_win = false;
        for _ in 0..limit {
            let turn = position.turn();
            let chosen = match turn {
                Turn::Over => return End::Over,
                Turn::Chance => position.chance(rng, scratch).map(|outcome| (outcome, false)),
                Turn::Player(player) => choose(position, player, cannot_win, rng, scratch),
            };
            let Some((action, leaves_no_win)) = chosen else { return End::Stuck };
            if let Some(see) = &mut see {
                see(turn, action.code());
            }
            position.apply(action);
            cannot_win = leaves_no_win;
        }
        if position.turn() == Turn::Over { End::Over } else { End::Cut }
    }
}

/// An action of a player, and true if the next player is another one who cannot win at once behind it. `cannot_win` is
/// true if that is so of this player.
#[inline]
fn choose<G: Game>(
    position: &G,
    player: usize,
    cannot_win: bool,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
) -> Option<(G::Action, bool)> {
    if !cannot_win && let Some(action) = position.winning_action(scratch) {
        return Some((action, false));
    }
    let action = position.random_action(rng, scratch)?;
    match after(position, action, player, scratch) {
        After::Safe => Some((action, true)),
        After::Unknown => Some((action, false)),
        After::Lost => Some(safe_action(position, player, rng, scratch).unwrap_or((action, false))),
    }
}

/// The prospect of a player at once behind an action.
enum After {
    /// The player loses, or an opponent can win with the next move.
    Lost,
    /// The next player is an opponent, who cannot win with the next move.
    Safe,
    /// The player has another move, or chance acts, or the game ends otherwise.
    Unknown,
}

#[inline]
fn after<G: Game>(position: &G, action: G::Action, player: usize, scratch: &mut Vec<G::Action>) -> After {
    let mut next = position.clone();
    next.apply(action);
    match next.turn() {
        Turn::Over if G::REWARDS.is_loss(next.reward(player)) => After::Lost,
        Turn::Player(other) if other != player => match next.winning_action(scratch) {
            Some(_) => After::Lost,
            None => After::Safe,
        },
        _ => After::Unknown,
    }
}

/// One of the actions that do not lose at once, each with equal probability, as [`choose`] returns it; `None` if all
/// lose.
#[cold]
fn safe_action<G: Game>(
    position: &G,
    player: usize,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
) -> Option<(G::Action, bool)> {
    let mut left = Vec::new();
    position.playout_actions(&mut left);
    while !left.is_empty() {
        let action = left.swap_remove(rng.below(left.len() as u32) as usize);
        match after(position, action, player, scratch) {
            After::Lost => {}
            After::Safe => return Some((action, true)),
            After::Unknown => return Some((action, false)),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::Nim;
    use crate::{PlayoutKind, Rewards};

    #[test]
    fn a_decisive_playout_takes_the_win_it_sees() {
        for seed in 0..50 {
            let chosen = Decisive.choose(&Nim::new(3), &mut Rng::new(seed, 0), &mut Vec::new());
            assert_eq!(chosen, Some(3));
        }
    }

    #[test]
    fn an_anti_decisive_playout_leaves_no_win_where_it_can() {
        for stones in 1..=40 {
            for seed in 0..50 {
                let chosen = AntiDecisive.choose(&Nim::new(stones), &mut Rng::new(seed, 0), &mut Vec::new()).unwrap();
                let left = stones - chosen;
                assert!(left == 0 || left > 3 || stones == 4, "{chosen} of {stones}");
            }
        }
    }

    /// Two players take one to three stones in turn. The last one is worth what it is counted as: a greatest score of
    /// 10, if the player took one stone, or else 4; the other player gets the rest of 10.
    #[derive(Clone)]
    struct Points {
        stones: u8,
        player: usize,
        last: u8,
    }

    impl Game for Points {
        type Action = u8;
        const REWARDS: Rewards = Rewards::scores(0.0, 10.0);

        fn turn(&self) -> Turn {
            if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
        }
        fn actions(&self, out: &mut Vec<u8>) {
            out.extend((1..=self.stones.min(3)).rev());
        }
        fn apply(&mut self, take: u8) {
            (self.stones, self.last, self.player) = (self.stones - take, take, 1 - self.player);
        }
        fn reward(&self, player: usize) -> f64 {
            let of_last = if self.last == 1 { 10.0 } else { 4.0 };
            if player == self.player { 10.0 - of_last } else { of_last }
        }
    }

    #[test]
    fn of_scores_the_greatest_is_a_win_and_the_least_a_loss() {
        let after = |stones, playout: PlayoutKind| -> BTreeSet<u8> {
            let position = Points { stones, player: 0, last: 0 };
            (0..200).filter_map(|seed| playout.choose(&position, &mut Rng::new(seed, 0), &mut Vec::new())).collect()
        };
        assert_eq!(after(1, PlayoutKind::Decisive), BTreeSet::from([1]));
        assert_eq!(after(2, PlayoutKind::Decisive), BTreeSet::from([1, 2]), "four points are no win");
        assert_eq!(after(2, PlayoutKind::AntiDecisive), BTreeSet::from([2]), "one stone leaves the other a win");
        assert_eq!(after(3, PlayoutKind::AntiDecisive), BTreeSet::from([1, 3]), "nor are they a loss");
    }

    /// Nim in which a player who takes a single stone has another move.
    #[derive(Clone)]
    struct Twice(Nim);

    impl Game for Twice {
        type Action = <Nim as Game>::Action;

        fn turn(&self) -> Turn {
            self.0.turn()
        }
        fn actions(&self, out: &mut Vec<Self::Action>) {
            self.0.actions(out);
        }
        fn apply(&mut self, action: Self::Action) {
            self.0.apply(action);
            if action.code() == 1 && self.0.stones > 0 {
                self.0.player = 1 - self.0.player;
            }
        }
        fn reward(&self, player: usize) -> f64 {
            self.0.reward(player)
        }
    }

    #[test]
    fn a_player_with_another_move_looks_for_a_win_again() {
        // Of four stones two or three leave a win, and one is followed by a win of the same player.
        for seed in 0..50 {
            let mut position = Twice(Nim::new(4));
            let player = position.0.player;
            AntiDecisive.play(&mut position, &mut Rng::new(seed, 0), &mut Vec::new(), 99, None);
            assert_eq!(position.reward(player), 1.0, "seed {seed}");
        }
    }

    #[test]
    fn an_anti_decisive_playout_chooses_as_it_plays() {
        for seed in 0..50 {
            let (mut whole, mut single) = (Nim::new(30), Nim::new(30));
            let (mut moves, mut rng) = (Vec::new(), Rng::new(seed, 0));
            let mut see = |_: Turn, code| moves.push(code);
            assert_eq!(
                AntiDecisive.play(&mut whole, &mut Rng::new(seed, 0), &mut Vec::new(), 99, Some(&mut see)),
                End::Over
            );
            for code in moves {
                let action = AntiDecisive.choose(&single, &mut rng, &mut Vec::new()).unwrap();
                assert_eq!(action.code(), code);
                single.apply(action);
            }
            assert_eq!(single.turn(), Turn::Over);
        }
    }
}
