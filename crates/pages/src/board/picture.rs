//! The pictures of games whose board is no grid, as data for the viewer.

use boughs_games::Part;
use serde_json::{Value, json};

/// The data of a part.
pub(crate) fn part(part: &Part) -> Value {
    match part {
        Part::Words { seat, text } => json!({ "seat": seat, "text": text }),
        Part::Ring { cards, pieces } => json!({ "ring": cards, "pieces": pieces }),
        Part::Pile { name, hand_of, cards, hidden } => {
            json!({ "name": name, "handOf": hand_of, "pile": cards, "hidden": hidden })
        }
        Part::Sets { name, sets } => json!({ "name": name, "sets": sets }),
    }
}

/// The parts that a move changed, with their indices. Pictures of one game have as many parts.
pub(crate) fn changed(before: &[Part], after: &[Part]) -> Vec<(usize, Value)> {
    let pairs = before.iter().zip(after).enumerate();
    pairs.filter(|(_, (before, after))| before != after).map(|(index, (_, after))| (index, part(after))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_parts_are_kept() {
        let words = |text: &str| Part::Words { seat: Some(1), text: text.into() };
        let pile = Part::open_pile("hand", vec![0, 2]);
        let change = changed(&[words("one"), pile.clone()], &[words("two"), pile.clone()]);
        assert_eq!(change, [(0, json!({ "seat": 1, "text": "two" }))]);
        assert_eq!(changed(std::slice::from_ref(&pile), std::slice::from_ref(&pile)), []);
    }
}
