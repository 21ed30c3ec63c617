//! What a move changes in the text of a board: much less than there is.

use serde::Serialize;

/// What makes a text of another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Change {
    /// These parts stand there instead, from these places on.
    Parts(Vec<(usize, String)>),
    /// Nothing stays.
    Whole(String),
}

impl Change {
    /// From one text to another.
    pub(super) fn between(before: &str, after: &str) -> Change {
        if before.len() != after.len() || !before.is_ascii() || !after.is_ascii() {
            return Change::Whole(after.to_string());
        }
        let mut parts: Vec<(usize, String)> = Vec::new();
        for (at, (old, new)) in before.chars().zip(after.chars()).enumerate() {
            match parts.last_mut() {
                _ if old == new => {}
                Some((start, part)) if *start + part.len() == at => part.push(new),
                _ => parts.push((at, new.to_string())),
            }
        }
        Change::Parts(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, change: &Change) -> String {
        match change {
            Change::Whole(whole) => whole.clone(),
            Change::Parts(parts) => parts.iter().fold(text.to_string(), |mut text, (at, part)| {
                text.replace_range(*at..at + part.len(), part);
                text
            }),
        }
    }

    #[test]
    fn a_text_with_its_change_is_the_other_one() {
        let texts = ["", "a", "abc", "abX", "XbX", "äbc", "abcd", "....X...OO..", "....O...XO.O"];
        for (before, after) in texts.iter().flat_map(|before| texts.map(|after| (*before, after))) {
            assert_eq!(applied(before, &Change::between(before, after)), after, "{before}");
        }
    }

    #[test]
    fn only_what_changes_is_kept() {
        let parts = [(1, "O".to_string()), (4, "XX".to_string())];
        assert_eq!(Change::between(".......", ".O..XX."), Change::Parts(parts.to_vec()));
        assert_eq!(Change::between("...", "..."), Change::Parts(vec![]));
    }
}
