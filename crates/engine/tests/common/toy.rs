//! One game for all tests. Its rules are data, so that the engine is compiled for few types: one for each set of
//! declarations.

use boughs::{Action, Evaluations, Evaluator, Game, Information, Leaf, Rewards, Rng, Turn, TurnOrder};

use super::bomb::Method;
use super::grown::{Pays, Thicket, Weather};
use super::table::{Key, Spot, Table};

/// Rewards that are halves.
pub(crate) const HALVES: u8 = 0;
/// Wins, draws and losses of two players.
pub(crate) const OUTCOMES: u8 = 1;
/// The same for two players in turn, with heavy playouts.
pub(crate) const IN_TURN: u8 = 2;
/// Rewards that are any number between 0 and 1.
pub(crate) const SHARES: u8 = 3;
/// Rewards that are scores of either sign.
pub(crate) const SCORES: u8 = 4;
/// Hidden information.
pub(crate) const HIDDEN: u8 = 5;
/// Hidden information, and scores.
pub(crate) const HIDDEN_SCORES: u8 = 6;

pub(crate) type Halves = Toy<HALVES, 200>;
pub(crate) type Outcomes = Toy<OUTCOMES, 200>;
/// Codes of actions above 255, so that trees have no lines.
pub(crate) type WideOutcomes = Toy<OUTCOMES, 300>;
pub(crate) type InTurn = Toy<IN_TURN, 200>;
pub(crate) type Shares = Toy<SHARES, { u32::MAX }>;
pub(crate) type Scores = Toy<SCORES, 200>;
pub(crate) type Hidden = Toy<HIDDEN, 20_000>;
pub(crate) type HiddenScores = Toy<HIDDEN_SCORES, 200>;

/// An action whose code is declared to be `MAX` at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code<const MAX: u32>(pub(crate) u32);

impl<const MAX: u32> Action for Code<MAX> {
    const MAX_CODE: u32 = MAX;

    fn code(self) -> u32 {
        self.0
    }
    fn from_code(code: u32) -> Self {
        Code(code)
    }
}

/// A position of a game with the declarations `KIND`, whose actions have the declared greatest code `MAX`.
#[derive(Clone)]
pub(crate) struct Toy<const KIND: u8, const MAX: u32> {
    /// The moves played.
    pub(crate) ply: u32,
    rules: Rules,
}

#[derive(Clone)]
enum Rules {
    Table { table: &'static Table, at: usize },
    Thicket(Thicket),
    Weather(Weather),
}

impl<const KIND: u8, const MAX: u32> Toy<KIND, MAX> {
    fn of(rules: Rules) -> Self {
        Toy { ply: 0, rules }
    }

    /// The start of a game for this number of players, by its table.
    pub(crate) fn table(players: usize, start: Key, look: impl Fn(Key) -> Spot) -> Self {
        Self::of(Rules::Table { table: Table::new(players, start, &look), at: 0 })
    }

    /// The start of a game of two players that is always drawn: `plies` moves, each one of `actions`.
    pub(crate) fn draws(plies: u64, actions: u32) -> Self {
        Self::table(2, [0, 0], |[ply, _]| match ply {
            _ if ply == plies => Spot::over(&[0.5; 2]),
            _ => Spot::player(ply % 2, (0..actions).map(|action| (action, [ply + 1, 0]))),
        })
    }

    /// The start of a [`Thicket`] with rewards of this kind.
    pub(crate) fn thicket(seed: u64, players: usize) -> Self {
        let pays = match KIND {
            HALVES => Pays::Halves,
            SCORES => Pays::Scores,
            IN_TURN => Pays::Duels,
            _ => Pays::Shares,
        };
        Self::of(Rules::Thicket(Thicket::new(seed, players, pays)))
    }

    /// The start of a [`Thicket`] in which every player always wins.
    pub(crate) fn wins(seed: u64, players: usize) -> Self {
        Self::of(Rules::Thicket(Thicket::new(seed, players, Pays::Wins)))
    }

    /// The start of a game with [`Weather`].
    pub(crate) fn weather(seed: u64, players: usize) -> Self {
        Self::of(Rules::Weather(Weather::new(seed, players)))
    }

    /// The row of a table.
    fn spot(&self) -> Option<&'static Spot<usize>> {
        match self.rules {
            Rules::Table { table, at } => Some(&table.spots[at]),
            _ => None,
        }
    }
}

impl<const KIND: u8, const MAX: u32> Game for Toy<KIND, MAX> {
    type Action = Code<MAX>;
    const REWARDS: Rewards = match KIND {
        HALVES => Rewards { halves: true, ..Rewards::ANY },
        OUTCOMES | IN_TURN => Rewards::WIN_DRAW_LOSS,
        SCORES | HIDDEN_SCORES => Rewards::SCORES,
        _ => Rewards::ANY,
    };
    const TURN_ORDER: TurnOrder = if KIND == IN_TURN { TurnOrder::Alternating } else { TurnOrder::Any };
    const INFORMATION: Information = match KIND {
        HIDDEN | HIDDEN_SCORES => Information::Hidden,
        _ => Information::Perfect,
    };
    const MAX_PLIES: u32 = 500;
    const HEAVY_PLAYOUTS: bool = KIND == IN_TURN;

    fn players(&self) -> usize {
        match &self.rules {
            Rules::Table { table, .. } => table.players,
            Rules::Thicket(thicket) => thicket.players,
            Rules::Weather(weather) => weather.players,
        }
    }
    fn turn(&self) -> Turn {
        match &self.rules {
            Rules::Table { table, at } => table.spots[*at].turn,
            Rules::Thicket(thicket) => thicket.turn(self.ply),
            Rules::Weather(weather) => weather.turn(self.ply),
        }
    }
    fn actions(&self, out: &mut Vec<Code<MAX>>) {
        match &self.rules {
            Rules::Table { table, at } => {
                let spot = &table.spots[*at];
                assert!(spot.turn != Turn::Over, "no actions after the end");
                spot.happen(Method::Actions);
                out.extend(spot.moves.iter().map(|&(code, _)| Code(code)));
            }
            Rules::Thicket(thicket) => out.extend(thicket.codes(self.ply).map(Code)),
            Rules::Weather(weather) => out.extend(weather.codes(self.ply).map(Code)),
        }
    }
    fn apply(&mut self, Code(code): Code<MAX>) {
        self.ply += 1;
        match &mut self.rules {
            Rules::Table { table, at } => {
                *at = table.spots[*at].after(code);
                table.spots[*at].happen(Method::Apply);
            }
            Rules::Thicket(thicket) => thicket.apply(code),
            Rules::Weather(weather) => weather.apply(code),
        }
    }
    fn reward(&self, player: usize) -> f64 {
        match &self.rules {
            Rules::Table { table, at } => {
                let spot = &table.spots[*at];
                spot.happen(Method::Reward);
                spot.rewards[player]
            }
            Rules::Thicket(thicket) => thicket.reward(player),
            Rules::Weather(weather) => {
                let share = weather.share(player);
                if Self::REWARDS.bounds.is_none() { 1000.0 * share - 700.0 } else { share }
            }
        }
    }
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Code<MAX>>) -> Option<Code<MAX>> {
        if let Some(spot) = self.spot() {
            spot.happen(Method::Actions);
            return rng.pick(&spot.moves).map(|(code, _)| Code(code));
        }
        scratch.clear();
        self.actions(scratch);
        rng.pick(scratch)
    }
    fn weight(&self, outcome: Code<MAX>) -> u32 {
        if let Rules::Weather(_) = self.rules { 1 + outcome.0 } else { 1 }
    }
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Code<MAX>>) -> Option<Code<MAX>> {
        if let Some(spot) = self.spot().filter(|spot| !spot.unlisted.is_empty()) {
            return rng.pick(&spot.unlisted).map(|(code, _)| Code(code));
        }
        scratch.clear();
        self.actions(scratch);
        let drawn = rng.pick_weighted(scratch.iter().map(|&outcome| self.weight(outcome)))?;
        scratch.get(drawn).copied()
    }
    fn information(&self, player: usize) -> u64 {
        match &self.rules {
            Rules::Table { table, at } => *table.spots[*at].twins[player].iter().min().unwrap_or(at) as u64,
            Rules::Thicket(_) => 0,
            Rules::Weather(weather) => weather.information(player),
        }
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        match &mut self.rules {
            Rules::Table { table, at } => *at = rng.pick(&table.spots[*at].twins[player]).unwrap_or(*at),
            Rules::Thicket(_) => {}
            Rules::Weather(weather) => weather.determinize(player, rng),
        }
    }
    fn evaluation(&self, player: usize) -> Option<f64> {
        self.spot()?.value.map(|first| if player == 0 { first } else { 1.0 - first })
    }
    fn heavy_action(&self, rng: &mut Rng, scratch: &mut Vec<Code<MAX>>) -> Option<Code<MAX>> {
        match self.spot() {
            Some(spot) => spot.moves.first().map(|&(code, _)| Code(code)),
            None => self.random_action(rng, scratch),
        }
    }
}

/// The values in a table, and even ones where it has none.
pub(crate) struct ByValue;

impl<G: Game> Evaluator<G> for ByValue {
    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            out.push(&[0, 1].map(|player| leaf.position.evaluation(player).unwrap_or(0.5)), &[]);
        }
    }
}
