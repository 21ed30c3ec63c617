//! Codes of actions above the declared greatest one.

use boughs::{Agent, Budget, Policy, Report, Search, SearchError, TreeSearch, Turn, Warning};

use crate::common::{Code, HIDDEN, OUTCOMES, SCORES, Spot, Toy, check_trees};
use crate::misbehaviour::SPECS;

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

/// The ply at which chance acts. At the others two players act in turn.
pub(crate) const CHANCE: u32 = 3;
const PLIES: u32 = 6;

/// The start of a game of six plies with the actions 0, 1 and `MAX`.
pub(crate) fn rounds<const KIND: u8, const MAX: u32>(other: Other) -> Toy<KIND, MAX> {
    Toy::table(2, [0, 0], |[ply, sum]| {
        let ply = ply as u32;
        let to = |code: u32| (code, [u64::from(ply) + 1, sum + u64::from(code)]);
        let mut moves = Vec::from([0, 1, MAX].map(to));
        match (other, ply) {
            (_, PLIES) => return Spot::over_for_two(if sum.is_multiple_of(2) { 1.0 } else { 0.0 }),
            (Other::Listed(at, code), _) if at == ply => moves.push(to(code)),
            (Other::Drawn(code), CHANCE) => return Spot { unlisted: vec![to(code)], ..Spot::of(Turn::Chance, moves) },
            (Other::Unlisted(code), CHANCE) => return Spot { unlisted: vec![to(code)], ..Spot::of(Turn::Chance, []) },
            _ => {}
        }
        Spot::of(if ply == CHANCE { Turn::Chance } else { Turn::Player(ply as usize % 2) }, moves)
    })
}

/// Calls a check with a game and a search for each layout of a tree: lines and others, scores, information sets.
macro_rules! in_every_layout {
    ($check:ident) => {
        for spec in SPECS.into_iter().chain(["mcts:solver=on", "mcts:bulk=1,traversals=1"]) {
            $check::<OUTCOMES, 200>(spec);
        }
        $check::<OUTCOMES, 300>("mcts");
        for spec in ["mcts", "mcts:tree=open", "mcts:threads=2,parallel=batched"] {
            $check::<SCORES, 200>(spec);
        }
        for spec in ["mcts", "mcts:tree=single", "mcts:policy=rm"] {
            $check::<HIDDEN, 20_000>(spec);
        }
    };
}

/// Codes above the greatest one. The lowest byte of the second is none of a listed code, that of the third is one.
fn codes_above(most: u32) -> [u32; 3] {
    [most + 1, most + 257, 1 << 31]
}

fn search<const KIND: u8, const MAX: u32>(other: Other, spec: &str) -> Search<Toy<KIND, MAX>> {
    Search::new(rounds(other), spec.parse().unwrap()).unwrap()
}

/// Searches and checks that every playout is counted.
fn run(search: &mut dyn TreeSearch, name: &str) -> Report {
    let report =
        search.run(Budget::iterations(1_500).early_stop(false)).unwrap_or_else(|error| panic!("{error}, {name}"));
    // Regret matching keeps the counts of its draws in place of the visits in flight.
    if search.settings().policy != Policy::RegretMatching {
        assert_eq!(check_trees(search), report.inherited + report.iterations, "{name}");
    }
    report
}

/// Checks that no way to search gets beyond the error, which leaves the trees as they are.
fn check_refused<const KIND: u8, const MAX: u32>(search: &mut Search<Toy<KIND, MAX>>, code: u32, name: &str) {
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

fn at_the_root<const KIND: u8, const MAX: u32>(spec: &str) {
    for code in codes_above(MAX) {
        let name = format!("{spec}, code {code}");
        let mut search = search::<KIND, MAX>(Other::Listed(0, code), spec);
        for _ in 0..2 {
            check_refused(&mut search, code, &name);
            // The greatest code itself is a legal action here.
            search.reset(rounds(Other::Nowhere));
            assert_eq!(run(&mut search, &name).inherited, 0, "{name}");
            search.reset(rounds(Other::Listed(0, code)));
        }
        search.advance(Code(code)).unwrap();
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
fn check_shown(search: &mut dyn TreeSearch, ply: u32, code: u32, name: &str) {
    let has_lines = search.position().facts().max_code < 256 && !name.contains("loss");
    let is_leaf = has_lines && code > 255;
    let nodes = search.dump(usize::MAX).concat();
    let longest = nodes.iter().map(|node| node.path.len() as u32).max();
    assert_eq!(longest, Some(if is_leaf { ply } else { PLIES }), "{name}");
    assert_eq!(nodes.iter().any(|node| node.path.get(ply as usize) == Some(&code)), !is_leaf, "{name}");
}

fn below_the_root<const KIND: u8, const MAX: u32>(spec: &str) {
    for (code, ply) in codes_above(MAX).into_iter().flat_map(|code| [1, CHANCE, 4].map(|ply| (code, ply))) {
        let name = format!("{spec}, code {code} at ply {ply}");
        let mut search = search::<KIND, MAX>(Other::Listed(ply, code), spec);
        for at in 0..ply {
            run(&mut search, &name);
            if at == 0 && KIND == OUTCOMES && !spec.contains("solver") {
                check_shown(&mut search, ply, code, &name);
            }
            search.advance(Code(MAX)).unwrap();
        }
        if ply == CHANCE {
            // There is nothing to search where chance acts.
            assert_eq!(run(&mut search, &name).iterations, 0, "{name}");
        } else {
            check_refused(&mut search, code, &name);
        }
        search.advance(Code(code)).unwrap();
        assert!(run(&mut search, &name).best.is_some(), "the search goes on, {name}");
    }
}

#[test]
fn a_code_above_the_greatest_one_deeper_in_the_tree_is_an_error_only_where_a_player_acts_at_the_root() {
    in_every_layout!(below_the_root);
}

fn drawn<const MAX: u32>(spec: &str) {
    // The lowest byte of this code is that of a listed one.
    let mut faulty = search::<OUTCOMES, MAX>(Other::Drawn(512), spec);
    let report = run(&mut faulty, spec);
    assert!(report.warnings.contains(&Warning::UnlistedOutcome), "{spec}");
    assert!(faulty.dump(usize::MAX).iter().flatten().all(|node| node.path.len() <= CHANCE as usize), "{spec}");
    let report = run(&mut search::<OUTCOMES, MAX>(Other::Nowhere, spec), spec);
    assert!(!report.warnings.contains(&Warning::UnlistedOutcome), "{spec}");
}

#[test]
fn an_outcome_above_the_greatest_code_that_is_not_listed_is_warned_of() {
    for spec in SPECS.into_iter().chain(["mcts:bulk=1,traversals=1"]) {
        drawn::<200>(spec);
    }
    drawn::<300>("mcts");
}
