//! The change that a move makes in the text of a board, which is much shorter than the text.

use serde::Serialize;

/// The difference between two texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Change {
    /// These parts replace the text at these places.
    Parts(Vec<(usize, String)>),
    /// The whole text is another.
    Whole(String),
}

impl Change {
    /// The change from one text to another.
    pub(crate) fn between(before: &str, after: &str) -> Change {
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
    fn a_text_with_its_change_is_the_other_text() {
        let texts = ["", "a", "abc", "abX", "XbX", "äbc", "abcd", "....X...OO..", "....O...XO.O"];
        for (before, after) in texts.iter().flat_map(|before| texts.map(|after| (*before, after))) {
            assert_eq!(applied(before, &Change::between(before, after)), after, "{before}");
        }
    }

    #[test]
    fn only_changed_parts_are_kept() {
        let parts = [(1, "O".to_string()), (4, "XX".to_string())];
        assert_eq!(Change::between(".......", ".O..XX."), Change::Parts(parts.to_vec()));
        assert_eq!(Change::between("...", "..."), Change::Parts(vec![]));
    }
}
