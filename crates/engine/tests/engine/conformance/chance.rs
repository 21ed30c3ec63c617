//! Chance.

use boughs::{Game, Rng, Turn, TurnOrder};

use super::{RIGHT, fails, passes};

const ALL_WEIGHTS_ZERO: u8 = 1;
/// Not a fault: the weights are great.
const HEAVY_WEIGHTS: u8 = 2;
const DRAWS_WHAT_IS_NOT_LISTED: u8 = 3;
const DRAWS_WHAT_HAS_NO_WEIGHT: u8 = 4;
const DRAWS_NOTHING: u8 = 5;
const DRAWS_EVENLY: u8 = 6;
const WRITES_TWO_OUTCOMES_ALIKE: u8 = 8;
const GOES_ON: u8 = 9;
/// Not a fault: the outcomes of chance are not listed.
const LISTS_NOTHING: u8 = 10;
const LISTS_NOTHING_AND_WRITES_BADLY: u8 = 11;
const LISTS_NOTHING_AND_WRITES_MOVES_BADLY: u8 = 12;
const LISTS_NOTHING_AND_READS_ANOTHER: u8 = 13;

/// A die with the numbers 4 to 6 is rolled three times. The player in turn keeps the number or not.
#[derive(Clone)]
struct Dice<const ALTERNATES: bool = false> {
    fault: u8,
    plies: u32,
    shown: u8,
    kept: [u8; 2],
}

impl<const ALTERNATES: bool> Dice<ALTERNATES> {
    fn new(fault: u8) -> Self {
        Dice { fault, plies: 0, shown: 0, kept: [0, 0] }
    }

    fn player(&self) -> usize {
        (self.plies / 2 % 2) as usize
    }
}

const LISTS: [bool; 14] = {
    let mut lists = [true; 14];
    lists[LISTS_NOTHING as usize] = false;
    lists[LISTS_NOTHING_AND_WRITES_BADLY as usize] = false;
    lists[LISTS_NOTHING_AND_WRITES_MOVES_BADLY as usize] = false;
    lists[LISTS_NOTHING_AND_READS_ANOTHER as usize] = false;
    lists
};

impl<const ALTERNATES: bool> Game for Dice<ALTERNATES> {
    type Action = u8;
    const MAX_PLIES: u32 = 6;
    const TURN_ORDER: TurnOrder = if ALTERNATES { TurnOrder::Alternating } else { TurnOrder::Any };

    fn turn(&self) -> Turn {
        match self.plies {
            6.. if self.fault != GOES_ON => Turn::Over,
            plies if plies % 2 == 0 => Turn::Chance,
            _ => Turn::Player(self.player()),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        match self.turn() {
            Turn::Player(_) => out.extend([0, 1]),
            _ if LISTS[usize::from(self.fault)] => out.extend([4, 5, 6, 7]),
            _ => (),
        }
    }
    fn apply(&mut self, action: u8) {
        match self.turn() {
            Turn::Player(player) => self.kept[player] += self.shown * action,
            _ => self.shown = action,
        }
        self.plies += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(self.kept[player]) / 14.0
    }
    fn weight(&self, outcome: u8) -> u32 {
        match (self.fault, outcome) {
            (ALL_WEIGHTS_ZERO, _) | (_, 7) => 0,
            // The sum of these is 5 * 2^30, which 32 bits do not hold.
            (HEAVY_WEIGHTS, 6) => 3 << 30,
            (HEAVY_WEIGHTS, _) => 1 << 30,
            (_, 6) => 3,
            _ => 1,
        }
    }
    fn chance(&self, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        match self.fault {
            DRAWS_WHAT_IS_NOT_LISTED => Some(9),
            DRAWS_WHAT_HAS_NO_WEIGHT => Some(7),
            DRAWS_NOTHING => None,
            DRAWS_EVENLY => rng.pick(&[4, 5, 6]),
            _ => rng.pick(&[4, 5, 6, 6, 6]),
        }
    }
    fn parse_outcome(&self, text: &str) -> Option<u8> {
        match self.fault {
            LISTS_NOTHING => text.parse().ok(),
            LISTS_NOTHING_AND_READS_ANOTHER => text.parse().ok().map(|shown: u8| shown ^ 1),
            _ => None,
        }
    }
    fn action_text(&self, action: u8) -> String {
        match (self.fault, action) {
            (WRITES_TWO_OUTCOMES_ALIKE, 5) => "4".into(),
            (LISTS_NOTHING_AND_WRITES_BADLY, 4..) => format!("rolled {action}"),
            // Equal but for case.
            (LISTS_NOTHING_AND_WRITES_MOVES_BADLY, 0) => "KEEP".into(),
            (_, 0) => "leave".into(),
            (_, 1) => "keep".into(),
            _ => action.to_string(),
        }
    }
}

#[test]
fn a_game_with_dice_passes() {
    let checked = passes(&<Dice>::new(RIGHT));
    assert_eq!((checked.games, checked.longest, checked.chance), (60, 6, 180), "{checked:?}");
    assert_eq!((checked.weights, checked.unlisted, checked.hidden), (10, 0, 0), "{checked:?}");
}

#[test]
fn chance_may_have_too_many_outcomes_to_list() {
    let checked = passes(&<Dice>::new(LISTS_NOTHING));
    assert_eq!((checked.unlisted, checked.weights), (180, 0), "{checked:?}");
    fails(&<Dice>::new(LISTS_NOTHING_AND_WRITES_BADLY), "text must have no spaces");
    fails(&<Dice>::new(LISTS_NOTHING_AND_WRITES_MOVES_BADLY), "two legal actions are written 'keep'");
    fails(&<Dice>::new(LISTS_NOTHING_AND_READS_ANOTHER), "reads back as another");
}

#[test]
fn the_default_draw_fits_the_weights() {
    /// [`Dice`] with the default `chance` of the trait.
    #[derive(Clone)]
    struct Listed(Dice);
    impl Game for Listed {
        type Action = u8;
        fn turn(&self) -> Turn {
            self.0.turn()
        }
        fn actions(&self, out: &mut Vec<u8>) {
            self.0.actions(out);
        }
        fn apply(&mut self, action: u8) {
            self.0.apply(action);
        }
        fn reward(&self, player: usize) -> f64 {
            self.0.reward(player)
        }
        fn weight(&self, outcome: u8) -> u32 {
            self.0.weight(outcome)
        }
    }
    passes(&Listed(<Dice>::new(RIGHT)));
    passes(&Listed(<Dice>::new(HEAVY_WEIGHTS)));
}

#[test]
fn weights_must_be_possible() {
    fails(&<Dice>::new(ALL_WEIGHTS_ZERO), "every outcome it lists has the weight 0");
}

#[test]
fn chance_must_draw_listed_outcomes_by_their_weights() {
    fails(&<Dice>::new(DRAWS_WHAT_IS_NOT_LISTED), "`chance` gave 9, which is not among the outcomes");
    fails(&<Dice>::new(DRAWS_WHAT_HAS_NO_WEIGHT), "`chance` gave '7', an outcome of weight 0");
    fails(&<Dice>::new(DRAWS_NOTHING), "`chance` gives no outcome");
    fails(&<Dice>::new(DRAWS_EVENLY), "`chance` does not draw by `weight`: of 2000 draws '6' got");
}

#[test]
fn outcomes_keep_the_rules_of_actions() {
    fails(&Dice::<true>::new(RIGHT), "chance acts here, but the game declares TurnOrder::Alternating");
    fails(&<Dice>::new(WRITES_TWO_OUTCOMES_ALIKE), "two legal actions are written '4'");
    fails(&<Dice>::new(GOES_ON), "goes on after its declared maximum of 6 plies");
}
