//! The word that was probably meant where none of the known words was written.

/// The known word that is nearest to a mistyped one, if at most one letter in three is wrong. Two letters in the wrong
/// order are one mistake. Case does not matter. Of equally near words the first is taken.
///
/// ```
/// use boughs::spec::nearest;
///
/// assert_eq!(nearest("mtcs", ["beam", "mcts"]), Some("mcts"));
/// assert_eq!(nearest("alpha", ["beam", "mcts"]), None);
/// ```
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_ascii_lowercase();
    let distances = known.into_iter().map(|known| (mistakes(&word, known), known));
    let near = distances.filter(|&(distance, known)| distance <= known.chars().count() / 3);
    near.min_by_key(|&(distance, _)| distance).map(|(_, known)| known)
}

/// The question for the nearest known word, as a part of a sentence; empty if no word is near.
///
/// ```
/// use boughs::spec::did_you_mean;
///
/// assert_eq!(did_you_mean("thread", ["batch", "threads"]), "did you mean threads? ");
/// assert_eq!(did_you_mean("x", ["batch", "threads"]), "");
/// ```
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(word, known).map_or(String::new(), |known| format!("did you mean {known}? "))
}

/// The number of mistakes that turn one word into another: letters too many, missing, wrong or in the wrong order
/// (the optimal string alignment distance). The engine has as few dependencies as it can, so it has this itself.
fn mistakes(word: &str, other: &str) -> usize {
    let (word, other): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    // Row by row of the usual table, and the two rows before.
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, &letter) in word.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &opposite) in other.iter().enumerate() {
            let replaced = last[j] + usize::from(letter != opposite);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && letter == other[j - 1] && word[i - 1] == opposite {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_once_each() {
        let cases = [("", "", 0), ("beam", "beam", 0), ("", "abc", 3), ("mtcs", "mcts", 1), ("thread", "threads", 1)];
        let more = [("kitten", "sitting", 3), ("ca", "abc", 3), ("abcd", "badc", 2), ("flaw", "lawn", 2)];
        for (word, other, expected) in cases.into_iter().chain(more) {
            assert_eq!(mistakes(word, other), expected, "{word} {other}");
            assert_eq!(mistakes(other, word), expected, "{other} {word}");
        }
    }
}
