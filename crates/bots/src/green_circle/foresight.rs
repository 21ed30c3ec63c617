//! Looks beyond the own turn: each action is played on to the end of the turn and through turns after it, many times, and what then
//! comes of it by the learned evaluation is its worth.
//!
//! All turns that follow are the best ones by the evaluation ([`TurnSearch`]), those of the other with cards drawn from what the
//! player knows. Actions get their playouts by sequential halving (Karnin, Koren and Somekh 2013), on the same luck for all.

use boughs::learn::{Features, TurnSearch};
use boughs::spec::{Key, Spec, number};
use boughs::{Agent, Game, Rng, SearchError, StopReason, Turn};
use boughs_games::green_circle::{GreenCircle, Step};

use crate::OwnAgent;
use crate::decide::{self, Answer, Decide, Question};

/// Plays actions on through several turns that are the best by the learned evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// How many turns after the own one are played.
    pub turns: u32,
    /// How many actions are looked at, the best by the evaluation.
    pub width: u32,
    /// The most positions of a turn that are searched.
    pub positions: u32,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { turns: 2, width: 8, positions: 200, seed: 0 }
    }
}

impl Spec for Foresight {
    const NAME: &'static str = "foresight";
    const SUMMARY: &'static str = "plays actions on through the next turns of both, each the best by what was learned";
    const KEYS: &'static [Key<Foresight>] = &[
        Key {
            name: "turns",
            help: "turns after the own one that are played",
            values: "a whole number from 1 to 100",
            get: |set| set.turns.to_string(),
            set: |set, text| number(text, 1..=100).map(|turns| set.turns = turns),
        },
        Key {
            name: "width",
            help: "actions that are looked at, the best by the evaluation",
            values: "a whole number from 1 to 1000",
            get: |set| set.width.to_string(),
            set: |set, text| number(text, 1..=1_000).map(|width| set.width = width),
        },
        Key {
            name: "positions",
            help: "most positions of a turn that are searched",
            values: "a whole number from 1 to 1000000",
            get: |set| set.positions.to_string(),
            set: |set, text| number(text, 1..=1_000_000).map(|positions| set.positions = positions),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl OwnAgent for Foresight {
    type Game = GreenCircle;

    fn build(self, position: GreenCircle) -> Result<Box<dyn Agent<GreenCircle>>, SearchError> {
        decide::build(self, position)
    }
}

/// The most positions of the own turn that are searched before it is played on.
const OWN_POSITIONS: usize = 20_000;

/// Playouts of each action in the first halving.
const FIRST: u64 = 8;

/// Where nothing else limits it, each action has so many playouts in all.
const ENOUGH: u64 = 1 << 10;

impl Decide for Foresight {
    type Mind = [TurnSearch<GreenCircle>; 2];

    fn mind(&self) -> Result<Self::Mind, SearchError> {
        Ok([OWN_POSITIONS, self.positions as usize].map(TurnSearch::new))
    }

    fn forget(&self, mind: &mut Self::Mind) {
        mind[0].begin();
    }

    fn decide(&self, mind: &mut Self::Mind, question: &Question<'_, GreenCircle>) -> Answer<GreenCircle> {
        let [own, others] = mind;
        let (position, player) = (question.position, question.position.active());
        let mut rng = Rng::new(question.seed, 0);
        own.begin();
        let mut arms: Vec<Arm> =
            own.rank(position, player, GreenCircle::weights(), &mut rng).into_iter().map(Arm::of).collect();
        arms.truncate(self.width as usize);
        let answer = |arms: &[Arm], made, stop| Answer {
            best: arms.first().map(|arm| arm.step),
            children: arms.iter().map(|arm| (arm.step, arm.count, arm.mean())).collect(),
            iterations: made,
            depth: self.turns + 1,
            stop,
        };
        let (mut made, mut left, mut each) = (0, arms.len(), FIRST);
        while left > 1 {
            for number in 0..each {
                for arm in &mut arms[..left] {
                    if let Some(stop) = question.budget.is_spent(made) {
                        // What was not seen as often as others cannot be compared with them by its sum.
                        arms[..left].sort_by(|one, other| other.mean().total_cmp(&one.mean()));
                        return answer(&arms, made, stop);
                    }
                    let luck = Rng::new(question.seed, (each << 20) + number + 1);
                    arm.sum += self.play_out(position, arm.step, player, own, others, luck);
                    arm.count += 1;
                    made += 1;
                }
            }
            arms[..left].sort_by(|one, other| other.mean().total_cmp(&one.mean()));
            (left, each) = (left.div_ceil(2), 2 * each);
            if arms[0].count >= ENOUGH {
                break;
            }
        }
        answer(&arms, made, StopReason::Complete)
    }
}

/// An action with the sum of what its playouts came to.
struct Arm {
    step: Step,
    /// What it is worth by the evaluation alone.
    guess: f64,
    sum: f64,
    count: u64,
}

impl Arm {
    fn of((step, guess): (Step, f64)) -> Arm {
        Arm { step, guess, sum: 0.0, count: 0 }
    }

    fn mean(&self) -> f64 {
        if self.count == 0 { self.guess } else { self.sum / self.count as f64 }
    }
}

impl Foresight {
    /// Plays an action on, and says what share of games the player wins from there.
    fn play_out(
        &self,
        position: &GreenCircle,
        step: Step,
        player: usize,
        own: &mut TurnSearch<GreenCircle>,
        others: &mut TurnSearch<GreenCircle>,
        mut rng: Rng,
    ) -> f64 {
        let weights = GreenCircle::weights();
        let mut game = *position;
        game.determinise(player, &mut rng);
        game.apply(step);
        finish_turn(&mut game, player, own, &mut rng);
        for turn in 1..=self.turns {
            if let Some(reward) = game.settled() {
                return if player == 0 { reward } else { 1.0 - reward };
            }
            while game.turn() == Turn::Chance {
                let Some(draw) = game.chance(&mut rng, &mut Vec::new()) else { break };
                game.apply(draw);
            }
            let active = game.active();
            others.begin();
            if turn == self.turns {
                let value = others.choose(&game, active, weights, &mut rng).value;
                return if active == player { value } else { 1.0 - value };
            }
            finish_turn(&mut game, active, others, &mut rng);
        }
        game.evaluation(player)
    }
}

/// Plays the best turn there is by the evaluation.
fn finish_turn(game: &mut GreenCircle, player: usize, search: &mut TurnSearch<GreenCircle>, rng: &mut Rng) {
    loop {
        let step = match game.turn() {
            Turn::Player(active) if active == player => search.choose(game, player, GreenCircle::weights(), rng).action,
            Turn::Chance if !game.ends_turn() => game.chance(rng, &mut Vec::new()),
            _ => return,
        };
        let Some(step) = step else { return };
        game.apply(step);
    }
}
