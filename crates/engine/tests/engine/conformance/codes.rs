//! Codes of actions and the greatest one that is declared.

use boughs::conformance::check;
use boughs::notation::play_moves;

use super::{EFFORT, fails, passes};
use crate::codes::{CHANCE, Other, rounds};
use crate::common::{OUTCOMES, Outcomes};

fn of(other: Other) -> Outcomes {
    rounds(other)
}

#[test]
fn the_greatest_code_itself_passes() {
    passes(&of(Other::Nowhere));
    let checked = passes(&of(Other::Unlisted(200)));
    assert_eq!(checked.unlisted, 60, "{checked:?}");
    // A code above 255 needs no more than a greater declaration.
    passes(&rounds::<OUTCOMES, 457>(Other::Listed(1, 456)));
}

#[test]
fn no_action_or_outcome_has_a_code_above_the_declared_one() {
    for code in [201, 457, u32::MAX] {
        for ply in [0, 1, CHANCE, 5] {
            let start = of(Other::Listed(ply, code));
            fails(&start, &format!("action '{code}' has the code {code}, above `MAX_CODE`, which is 200"));
            let moves = check(&start, EFFORT).unwrap_err().moves;
            assert_eq!(play_moves(&mut start.clone(), &moves).unwrap().len() as u32, ply, "code {code}: {moves}");
        }
        let start = of(Other::Unlisted(code));
        fails(&start, &format!("action '{code}' has the code {code}, above `MAX_CODE`, which is 200"));
        fails(&of(Other::Drawn(code)), "which is not among the outcomes that `actions` lists");
    }
}
