//! Pig: roll a die as often as you dare; the first to reach the goal wins.
//!
//! A turn total starts at 0: each roll of 2 to 6 adds to it, a roll of 1 ends the turn with nothing, and holding banks
//! it. Two rules exclude only moves that no good player makes. First, a player with a turn total of 0 has to roll:
//! rolling once and holding then is as good as holding at once if the die shows a 1, and better if not. So the optimal
//! play of Neller and Presser (2004) never holds there, while two players who did could go on for ever. Second, a turn
//! total that reaches the goal wins without being banked first.

use boughs::{Action, Game, Rewards, Rng, Turn};

use crate::{CellsShape, Colours, NamedGame, Options, Symmetries};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pig {
    banked: [u16; 2],
    turn_total: u16,
    goal: u16,
    player: u8,
    is_rolling: bool,
}

/// A move of the player, or the face of the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The player rolls the die.
    Roll,
    /// The player banks the turn total and hands the die over.
    Hold,
    /// The die shows this face, 1 to 6.
    Face(u8),
}

impl Action for Step {
    #[inline]
    fn code(self) -> u32 {
        match self {
            Step::Hold => 0,
            Step::Face(face) => u32::from(face),
            Step::Roll => 7,
        }
    }
    #[inline]
    fn from_code(code: u32) -> Step {
        match code {
            0 => Step::Hold,
            7 => Step::Roll,
            face => Step::Face(face as u8),
        }
    }
}

const GOAL: u16 = 100;
const MOST_GOAL: u16 = 1000;

/// Distance to the goal that a player may well cover in one turn.
const WITHIN_REACH: u16 = 29;

impl Pig {
    /// The position in which `player` is to act with these banked totals and this turn total. `None` if it does not
    /// exist: the goal is reached or is not 1 to 1000, the turn total is 1, which no roll gives, or there is no such
    /// player.
    pub fn new(goal: u16, banked: [u16; 2], turn_total: u16, player: usize) -> Option<Pig> {
        let is_playing = banked.iter().all(|&points| points < goal) && turn_total < goal - banked.get(player)?;
        let fits = is_playing && goal <= MOST_GOAL && turn_total != 1;
        fits.then_some(Pig { banked, turn_total, goal, player: player as u8, is_rolling: false })
    }

    #[inline]
    fn has_won(&self) -> bool {
        self.banked[usize::from(self.player)] + self.turn_total >= self.goal
    }

    /// Returns true if the rule "keep pace and end race" that Neller and Presser (2010) found for people says to hold.
    /// It never holds while either player has the goal within reach; before that a turn is worth 21 and an eighth of
    /// the other player's lead.
    #[inline]
    fn should_hold(&self) -> bool {
        let [mine, theirs] = [usize::from(self.player), usize::from(self.player ^ 1)].map(|player| self.banked[player]);
        let is_race = mine.max(theirs) + WITHIN_REACH >= self.goal;
        // 8 * 21, plus 4 to round to the nearest.
        self.turn_total > 0 && !is_race && 8 * self.turn_total + mine + 4 > 8 * 21 + theirs
    }

    #[inline]
    fn pass_the_die(&mut self) {
        self.turn_total = 0;
        self.player ^= 1;
    }
}

impl Game for Pig {
    type Action = Step;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    /// The die may show a 1 for ever. Random players need some 1,600 plies to the highest goal.
    const MAX_PLIES: u32 = 20_000;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_rolling {
            Turn::Chance
        } else if self.has_won() {
            Turn::Over
        } else {
            Turn::Player(usize::from(self.player))
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Step>) {
        if self.is_rolling {
            out.extend((1..=6).map(Step::Face));
            return;
        }
        out.push(Step::Roll);
        if self.turn_total > 0 {
            out.push(Step::Hold);
        }
    }

    #[inline]
    fn apply(&mut self, step: Step) {
        self.is_rolling = step == Step::Roll;
        match step {
            Step::Roll => {}
            Step::Hold => {
                self.banked[usize::from(self.player)] += self.turn_total;
                self.pass_the_die();
            }
            Step::Face(1) => self.pass_the_die(),
            Step::Face(face) => self.turn_total += u16::from(face),
        }
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(player == usize::from(self.player)))
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        Some(Step::Face(1 + rng.below(6) as u8))
    }

    /// Keeps pace and ends the race. Games of players who roll and hold at random say nothing.
    #[inline]
    fn playout_actions(&self, out: &mut Vec<Step>) {
        match self.is_rolling {
            true => self.actions(out),
            false => out.push(if self.should_hold() { Step::Hold } else { Step::Roll }),
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Step>) -> Option<Step> {
        match self.is_rolling {
            true => self.chance(rng, scratch),
            false => Some(if self.should_hold() { Step::Hold } else { Step::Roll }),
        }
    }

    fn action_text(&self, step: Step) -> String {
        match step {
            Step::Roll => "roll".to_string(),
            Step::Hold => "hold".to_string(),
            Step::Face(face) => face.to_string(),
        }
    }

    fn board(&self) -> String {
        let line = |player: usize| {
            let banked = format!("player {} {:>4} of {}", player + 1, self.banked[player], self.goal);
            match (player == usize::from(self.player), self.is_rolling) {
                (false, _) => banked + "\n",
                (true, false) => format!("{banked} and {} in this turn\n", self.turn_total),
                (true, true) => format!("{banked} and {} in this turn, the die is rolling\n", self.turn_total),
            }
        };
        line(0) + &line(1)
    }
}

impl NamedGame for Pig {
    const NAME: &'static str = "pig";
    const SUMMARY: &'static str =
        "Pig: roll a die as often as you dare, but a 1 loses the turn; the first at the goal wins.";
    const NOTATION: &'static str = "roll or hold, and after each roll what the die shows: roll 4 roll 6 hold roll 1";
    const OPTIONS: &'static str = "goal=1..1000 (default 100)";
    const BENCH: [&'static str; 3] = [
        "",
        "roll 5 roll 4 roll 6 roll 3 roll 3 hold roll 2 roll 6 roll 1 roll 4 roll 6 roll 6",
        "roll 5 roll 6 roll 4 roll 6 hold roll 6 roll 6 roll 5 roll 5 hold roll 6 roll 4 roll 5 roll 6 hold \
         roll 3 roll 6 roll 6 roll 6 hold roll 4 roll 1 roll 5 roll 5 roll 6 roll 5 hold roll 6 roll 4 roll 6 roll 5 \
         hold roll 2 roll 6",
    ];

    /// Three cells: the banked totals, and the turn total of a player who rolls.
    fn cells_shape(&self) -> Option<CellsShape> {
        let kinds = usize::from(self.goal) + 1;
        let shape = CellsShape { columns: 3, rows: 1, kinds, symmetries: Symmetries::None, colours: Colours::Differ };
        (kinds <= 256).then_some(shape)
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        // A player who has held is told from one who rolls.
        let rolling = if self.is_rolling { self.turn_total + 1 } else { 0 };
        let numbers = [self.banked[0], self.banked[1], rolling];
        out.iter_mut().zip(numbers).for_each(|(kind, number)| *kind = number.min(self.goal) as u8);
    }

    fn start(options: &mut Options) -> Result<Pig, String> {
        let goal = options.number("goal", 1..=u32::from(MOST_GOAL), u32::from(GOAL))?;
        Pig::new(goal as u16, [0, 0], 0, 0).ok_or_else(|| format!("there is no game to {goal}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::{legal_moves, play_moves};

    fn after(moves: &str) -> Pig {
        let mut game = Pig::new(20, [0, 0], 0, 0).expect("a start");
        play_moves(&mut game, moves).expect(moves);
        game
    }

    fn moves(game: &Pig) -> Vec<String> {
        legal_moves(game).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn holding_banks_the_turn_and_hands_over_the_die() {
        assert_eq!(Some(after("roll 4 roll 6 hold")), Pig::new(20, [10, 0], 0, 1));
    }

    #[test]
    fn a_one_loses_the_turn_but_not_what_is_banked() {
        let game = after("roll 4 hold roll 5 hold roll 6 roll 6 roll 1");
        assert_eq!(Some(game), Pig::new(20, [4, 5], 0, 1));
    }

    #[test]
    fn no_player_holds_nothing() {
        assert_eq!(moves(&after("")), ["roll"]);
        assert_eq!(moves(&after("roll")), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(moves(&after("roll 2")), ["roll", "hold"]);
        assert_eq!(moves(&after("roll 2 roll 1")), ["roll"]);
    }

    #[test]
    fn the_goal_wins_as_soon_as_it_is_rolled() {
        let game = after("roll 6 hold roll 6 hold roll 6 roll 6 roll 2");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 1.0, 0.0));
        let game = after("roll 6 hold roll 6 roll 6 roll 6 roll 3");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 0.0, 1.0));
    }

    #[test]
    fn the_die_shows_every_face_as_often_as_the_others() {
        let (game, mut rng, mut counts) = (after("roll"), Rng::new(1, 0), [0; 8]);
        for _ in 0..60_000 {
            let face = game.chance(&mut rng, &mut Vec::new()).expect("a face");
            counts[face.code() as usize] += 1;
        }
        // Six standard deviations of a binomial with n = 60,000 and p = 1/6.
        assert!(counts[1..7].iter().all(|&count: &i32| (count - 10_000).abs() < 550), "{counts:?}");
    }

    #[test]
    fn playouts_keep_pace_until_the_goal_is_within_reach_of_a_player() {
        for (banked, turn_total, step) in [
            ([30, 30], 20, Step::Roll),
            ([30, 30], 21, Step::Hold),
            ([0, 40], 25, Step::Roll),
            ([0, 40], 26, Step::Hold),
            ([40, 0], 15, Step::Roll),
            ([40, 0], 16, Step::Hold),
            ([70, 70], 21, Step::Hold),
            ([71, 0], 28, Step::Roll),
            ([0, 71], 99, Step::Roll),
        ] {
            let game = Pig::new(100, banked, turn_total, 0).expect("a position");
            let action = game.random_action(&mut Rng::new(1, 0), &mut Vec::new());
            assert_eq!(action, Some(step), "{banked:?} {turn_total}");
        }
        let far_ahead = Pig::new(1000, [900, 0], 0, 0).expect("a position");
        assert_eq!(far_ahead.random_action(&mut Rng::new(1, 0), &mut Vec::new()), Some(Step::Roll), "never at 0");
    }

    #[test]
    fn only_positions_before_the_goal_can_be_set_up() {
        for (goal, banked, turn_total, player) in [
            (0, [0, 0], 0, 0),
            (1001, [0, 0], 0, 0),
            (100, [100, 0], 0, 1),
            (100, [0, 100], 0, 0),
            (100, [90, 0], 10, 0),
            (100, [90, 0], 1, 0),
            (100, [0, 0], u16::MAX, 0),
            (100, [0, 0], 0, 2),
        ] {
            assert_eq!(Pig::new(goal, banked, turn_total, player), None, "{goal} {banked:?} {turn_total} {player}");
        }
        assert!(Pig::new(100, [90, 0], 10, 1).is_some());
    }

    #[test]
    fn the_board_shows_who_rolls() {
        assert_eq!(
            after("roll 4 hold roll 5").board(),
            "player 1    4 of 20\nplayer 2    0 of 20 and 5 in this turn\n"
        );
    }
}
