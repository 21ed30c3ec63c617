//! Codes of actions above the declared greatest one.

use boughs::{
    Action, Agent, Budget, Game, Information, Policy, Report, Rewards, Rng, Search, SearchError, Turn, Warning,
};

use crate::common::check_trees;
use crate::misbehaviour::SPECS;

/// An action whose code is declared to be `MAX` at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered<const MAX: u32>(u32);

impl<const MAX: u32> Action for Numbered<MAX> {
    const MAX_CODE: u32 = MAX;

    fn code(self) -> u32 {
        self.0
    }
    fn from_code(code: u32) -> Self {
        Numbered(code)
    }
}

/// The place of a code that is not among 0, 1 and `MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Other {
    Nowhere,
    /// The code is listed at this ply.
    Listed(u32, u32),
    /// Chance draws it, and lists 0, 1 and `MAX`.
    Drawn(u32),
    /// Chance draws it, and lists nothing.
    Unlisted(u32),
}

pub(crate) const HALVES: u8 = 0;
pub(crate) const SCORES: u8 = 1;
pub(crate) const HIDDEN: u8 = 2;

/// The ply at which chance acts. At the others two players act in turn.
pub(crate) const CHANCE: u32 = 3;
const PLIES: u32 = 6;

/// A game of six plies with the actions 0, 1 and `MAX`, in which it is a panic to play any action that is not legal.
/// It has rewards that are halves, scores, or hidden information, by its kind.
#[derive(Clone, Debug)]
pub(crate) struct Rounds<const MAX: u32, const KIND: u8> {
    ply: u32,
    sum: u32,
    other: Other,
}

impl<const MAX: u32, const KIND: u8> Rounds<MAX, KIND> {
    pub(crate) fn new(other: Other) -> Self {
        Rounds { ply: 0, sum: 0, other }
    }

    /// The code that chance draws here though it is not listed.
    fn drawn(&self) -> Option<u32> {
        match self.other {
            Other::Drawn(code) | Other::Unlisted(code) if self.ply == CHANCE => Some(code),
            _ => None,
        }
    }
}

impl<const MAX: u32, const KIND: u8> Game for Rounds<MAX, KIND> {
    type Action = Numbered<MAX>;
    const REWARDS: Rewards = if KIND == SCORES { Rewards::SCORES } else { Rewards::WIN_DRAW_LOSS };
    const INFORMATION: Information = if KIND == HIDDEN { Information::Hidden } else { Information::Perfect };
    const MAX_PLIES: u32 = PLIES;

    fn turn(&self) -> Turn {
        match self.ply {
            CHANCE => Turn::Chance,
            PLIES => Turn::Over,
            ply => Turn::Player(ply as usize % 2),
        }
    }
    fn actions(&self, out: &mut Vec<Numbered<MAX>>) {
        if matches!(self.other, Other::Unlisted(_)) && self.ply == CHANCE {
            return;
        }
        out.extend([0, 1, MAX].map(Numbered));
        if let Other::Listed(ply, code) = self.other
            && ply == self.ply
        {
            out.push(Numbered(code));
        }
    }
    fn apply(&mut self, action: Numbered<MAX>) {
        let mut legal = Vec::new();
        self.actions(&mut legal);
        legal.extend(self.drawn().map(Numbered));
        assert!(legal.contains(&action), "{action:?} is none of {legal:?}");
        self.ply += 1;
        self.sum = self.sum.wrapping_add(action.0);
    }
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Numbered<MAX>>) -> Option<Numbered<MAX>> {
        scratch.clear();
        self.actions(scratch);
        self.drawn().map(Numbered).or_else(|| rng.pick(scratch))
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(self.sum.is_multiple_of(2) == (player == 0)))
    }
    fn information(&self, _: usize) -> u64 {
        u64::from(self.ply) << 32 | u64::from(self.sum)
    }
}

/// Calls a check with a game and a search for each layout of a tree: lines and others, scores, information sets.
macro_rules! in_every_layout {
    ($check:ident) => {
        for spec in SPECS.into_iter().chain(["mcts:solver=on", "mcts:bulk=1,traversals=1"]) {
            $check::<200, HALVES>(spec);
        }
        $check::<300, HALVES>("mcts");
        for spec in ["mcts", "mcts:tree=open", "mcts:threads=2,parallel=batched"] {
            $check::<200, SCORES>(spec);
        }
        for spec in ["mcts", "mcts:tree=single", "mcts:policy=rm"] {
            $check::<200, HIDDEN>(spec);
        }
    };
}

/// Codes above the greatest one. The lowest byte of the second is none of a listed code, that of the third is one.
fn codes_above(most: u32) -> [u32; 3] {
    [most + 1, most + 257, 1 << 31]
}

fn search<const MAX: u32, const KIND: u8>(other: Other, spec: &str) -> Search<Rounds<MAX, KIND>> {
    Search::new(Rounds::new(other), spec.parse().unwrap()).unwrap()
}

/// Searches and checks that every playout is counted.
fn run<G: Game>(search: &mut Search<G>, name: &str) -> Report {
    let report =
        search.run(Budget::iterations(1_500).early_stop(false)).unwrap_or_else(|error| panic!("{error}, {name}"));
    // Regret matching keeps the counts of its draws in place of the visits in flight.
    if search.settings().policy != Policy::RegretMatching {
        assert_eq!(check_trees(search), report.inherited + report.iterations, "{name}");
    }
    report
}

/// Checks that no way to search gets beyond the error, which leaves the trees as they are.
fn check_refused<const MAX: u32, const KIND: u8>(search: &mut Search<Rounds<MAX, KIND>>, code: u32, name: &str) {
    let before = search.dump(usize::MAX);
    let error = Some(SearchError::CodeAboveMax { code, most: MAX });
    assert_eq!(search.run(Budget::iterations(100)).err(), error, "{name}");
    assert_eq!(search.start(Budget::iterations(100)).err(), error, "{name}");
    assert_eq!(search.ponder().err(), error, "{name}");
    assert!(!search.is_searching(), "{name}");
    let agent: &mut dyn Agent = search;
    assert_eq!(agent.search(Budget::iterations(100), &mut |_| ()).err(), error, "{name}");
    assert_eq!(search.dump(usize::MAX), before, "{name}");
}

fn at_the_root<const MAX: u32, const KIND: u8>(spec: &str) {
    for code in codes_above(MAX) {
        let name = format!("{spec}, code {code}");
        let mut search = search::<MAX, KIND>(Other::Listed(0, code), spec);
        for _ in 0..2 {
            check_refused(&mut search, code, &name);
            // The greatest code itself is a legal action here.
            search.reset(Rounds::new(Other::Nowhere));
            assert_eq!(run(&mut search, &name).inherited, 0, "{name}");
            search.reset(Rounds::new(Other::Listed(0, code)));
        }
        search.advance(Numbered(code)).unwrap();
        run(&mut search, &name);
    }
}

#[test]
fn a_code_above_the_greatest_one_at_the_root_is_an_error() {
    in_every_layout!(at_the_root);
    let text = SearchError::CodeAboveMax { code: 201, most: 200 }.to_string();
    assert!(text.contains("the code 201, but MAX_CODE of its actions is 200; raise MAX_CODE"), "{text}");
}

/// Checks that plain trees have the code after `ply` plies as it is. Lines have no room for codes above 255, so a node
/// with such a child stays a leaf.
fn check_shown<G: Game>(search: &mut Search<G>, ply: u32, code: u32, name: &str) {
    let has_lines = <G::Action as Action>::MAX_CODE < 256 && !name.contains("loss");
    let is_leaf = has_lines && code > 255;
    let nodes = search.dump(usize::MAX).concat();
    let longest = nodes.iter().map(|node| node.path.len() as u32).max();
    assert_eq!(longest, Some(if is_leaf { ply } else { PLIES }), "{name}");
    assert_eq!(nodes.iter().any(|node| node.path.get(ply as usize) == Some(&code)), !is_leaf, "{name}");
}

fn below_the_root<const MAX: u32, const KIND: u8>(spec: &str) {
    for (code, ply) in codes_above(MAX).into_iter().flat_map(|code| [1, CHANCE, 4].map(|ply| (code, ply))) {
        let name = format!("{spec}, code {code} at ply {ply}");
        let mut search = search::<MAX, KIND>(Other::Listed(ply, code), spec);
        for at in 0..ply {
            run(&mut search, &name);
            if at == 0 && KIND == HALVES && !spec.contains("solver") {
                check_shown(&mut search, ply, code, &name);
            }
            search.advance(Numbered(MAX)).unwrap();
        }
        if ply == CHANCE {
            // There is nothing to search where chance acts.
            assert_eq!(run(&mut search, &name).iterations, 0, "{name}");
        } else {
            check_refused(&mut search, code, &name);
        }
        search.advance(Numbered(code)).unwrap();
        assert!(run(&mut search, &name).best.is_some(), "the search goes on, {name}");
    }
}

#[test]
fn a_code_above_the_greatest_one_deeper_in_the_tree_is_an_error_only_where_a_player_acts_at_the_root() {
    in_every_layout!(below_the_root);
}

fn drawn<const MAX: u32>(spec: &str) {
    // The lowest byte of this code is that of a listed one.
    let mut faulty = search::<MAX, HALVES>(Other::Drawn(512), spec);
    let report = run(&mut faulty, spec);
    assert!(report.warnings.contains(&Warning::UnlistedOutcome), "{spec}");
    assert!(faulty.dump(usize::MAX).iter().flatten().all(|node| node.path.len() <= CHANCE as usize), "{spec}");
    let report = run(&mut search::<MAX, HALVES>(Other::Nowhere, spec), spec);
    assert!(!report.warnings.contains(&Warning::UnlistedOutcome), "{spec}");
}

#[test]
fn an_outcome_above_the_greatest_code_that_is_not_listed_is_warned_of() {
    for spec in SPECS.into_iter().chain(["mcts:bulk=1,traversals=1"]) {
        drawn::<200>(spec);
    }
    drawn::<300>("mcts");
}
