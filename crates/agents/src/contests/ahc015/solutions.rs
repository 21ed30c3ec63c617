//! The three solutions that the third-placed contestant of AHC015 described, in the order they were found.

use boughs::spec::{Key, Spec};
use boughs::{Agent, SearchError, Session, StopReason};
use boughs_games::NamedGame;
use boughs_games::ahc015::{Ahc015, Board, CELLS, Step, Tilt};

use super::batch::{WIDTH, draw, flavours, play_out, worth_of_square};
use super::layout::Layout;
use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;

/// Keeps flavour 1 at the front and the others at the back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution1 {
    /// Unused: the agent has no randomness.
    pub seed: u64,
}

/// Keeps flavour 1 at the front, 2 at the left and 3 at the right of the back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution2 {
    /// Unused: the agent has no randomness.
    pub seed: u64,
}

/// Plays each tilt on to the end by the rule of solution 2, many times, and takes the one with the best mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution3 {
    /// The number of playouts of each tilt.
    pub playouts: u32,
    /// If true, playout n of every tilt has the same luck.
    pub shared: bool,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Solution3 {
    fn default() -> Solution3 {
        Solution3 { playouts: 150, shared: true, seed: 0 }
    }
}

macro_rules! rule {
    ($spec:ident, $name:literal, $summary:literal, $tilt:expr) => {
        impl Spec for $spec {
            const NAME: &'static str = $name;
            const SUMMARY: &'static str = $summary;

            fn keys() -> Vec<Key<$spec>> {
                Vec::new()
            }

            fn seed(&mut self) -> &mut u64 {
                &mut self.seed
            }

            fn threads(&self) -> usize {
                1
            }
        }

        impl Build for $spec {
            const GAME: Option<&'static str> = Some(Ahc015::NAME);

            fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
                contests::start(self, position)
            }
        }

        impl ContestAlgorithm for $spec {
            type Game = Ahc015;
            type Memory = ();

            fn memory(&self) -> Result<(), SearchError> {
                Ok(())
            }
            fn decide(&self, (): &mut (), question: &Question<'_, Ahc015>) -> DecisionIn<Ahc015> {
                let position = question.position;
                // After the last candy all tilts are equal.
                let next = if position.come() < CELLS { position.flavour(position.come()) } else { 1 };
                let tilt: fn(u8, [bool; 2]) -> Tilt = $tilt;
                Decision::by_rule(Step::Tilt(tilt(next, position.leans())))
            }
        }
    };
}

rule!(Solution1, "solution1", "keeps flavour 1 at the front and the others at the back, by a rule", |next, _| {
    if next == 1 { Tilt::Back } else { Tilt::Front }
});
rule!(
    Solution2,
    "solution2",
    "keeps flavour 1 at the front, 2 and 3 in corners of the back, by a rule",
    |next, leans| { Layout::FIRST.tilt(next, leans) }
);

impl Spec for Solution3 {
    const NAME: &'static str = "solution3";
    const SUMMARY: &'static str = "plays each tilt on by the rule of solution2, many times, and takes the best mean";

    fn keys() -> Vec<Key<Solution3>> {
        vec![
            Key::number("playouts", "how often each tilt is played on", 1..=1_000_000, |agent| &mut agent.playouts),
            Key::switch(
                "shared",
                "playout n of every tilt has the same placements, so that tilts are compared on the same luck",
                |agent| &mut agent.shared,
            ),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Build for Solution3 {
    const GAME: Option<&'static str> = Some(Ahc015::NAME);

    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

impl ContestAlgorithm for Solution3 {
    type Game = Ahc015;
    type Memory = ();

    fn memory(&self) -> Result<(), SearchError> {
        Ok(())
    }
    fn decide(&self, (): &mut (), question: &Question<'_, Ahc015>) -> DecisionIn<Ahc015> {
        let position = question.position;
        let (now, flavours) = (position.come() - 1, flavours(position));
        let plans = Tilt::ALL.map(|tilt| {
            let mut plan = [tilt; CELLS];
            Layout::FIRST.continue_plan(&mut plan, &flavours, now, now + 1, position.leans());
            plan
        });
        let mut luck = Box::new([[0; WIDTH]; CELLS]);
        let wanted = u64::from(self.playouts);
        let asked = question.budget.most_iterations().map_or(wanted, |most| wanted.min(most / 4));
        let whole = if asked < wanted { StopReason::Iterations } else { StopReason::Complete };
        if asked == 0 {
            let mut plan = plans[0];
            Layout::FIRST.continue_plan(&mut plan, &flavours, now, now, position.leans());
            return Decision { stop: whole, ..Decision::by_rule(Step::Tilt(plan[now])) };
        }
        let (mut sums, mut made, mut stop) = ([0; 4], 0, whole);
        while made < asked {
            let (block, several) = (made / WIDTH as u64, (asked - made).min(WIDTH as u64));
            for (place, plan) in plans.iter().enumerate() {
                if place == 0 || !self.shared {
                    draw(&mut luck, question.seed, 4 * block + place as u64, now + 1);
                }
                let squares = play_out(position.board_now(), now, plan, &flavours, &luck);
                sums[place] += squares[..several as usize].iter().map(|&sum| u64::from(sum)).sum::<u64>();
            }
            made += several;
            if made < asked
                && let Some(reason) = question.budget.is_spent(4 * made)
            {
                stop = reason;
                break;
            }
        }
        let mean = |sum: u64| sum as f64 / made as f64 * worth_of_square(position);
        let best = (0..4).max_by_key(|&place| (sums[place], std::cmp::Reverse(place)));
        let children = Tilt::ALL.into_iter().zip(sums).map(|(tilt, sum)| (Step::Tilt(tilt), made, mean(sum))).collect();
        let best = best.map(|place| Step::Tilt(Tilt::ALL[place]));
        Decision { best, children, iterations: 4 * made, depth: 1, stop }
    }
}

/// Plays a whole case 32 times in each of `blocks` blocks by the rule of solution 2, each time with other placements.
/// Returns the sum of all scores. It measures the speed of playouts.
pub fn play_by_rule(flavours: [u8; CELLS], seed: u64, blocks: u64) -> f64 {
    let mut plan = [Tilt::Front; CELLS];
    Layout::FIRST.continue_plan(&mut plan, &flavours, 0, 0, [false; 2]);
    let mut luck = Box::new([[0; WIDTH]; CELLS]);
    let mut sum = 0;
    for block in 0..blocks {
        draw(&mut luck, seed, block, 0);
        let mut board = Board::default();
        board.drop(u32::from(luck[0][0]), flavours[0]);
        sum += play_out(&board, 0, &plan, &flavours, &luck).iter().map(|&sum| u64::from(sum)).sum::<u64>();
    }
    sum as f64 * worth_of_square(&Ahc015::new(flavours))
}
