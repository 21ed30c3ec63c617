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
    let distances = of_like_length(&word, known).map(|(known, most)| (mistakes(&word, known), most, known));
    let near = distances.filter(|&(distance, most, _)| distance <= most);
    near.min_by_key(|&(distance, ..)| distance).map(|(.., known)| known)
}

/// The known words that are not too short or too long for a word, each with the most mistakes. A stranger's word may be
/// of any length, and is compared with these alone.
fn of_like_length<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> impl Iterator<Item = (&'k str, usize)> {
    let letters = word.chars().count();
    known.into_iter().filter_map(move |known| {
        let most = known.chars().count() / 3;
        (letters.abs_diff(known.chars().count()) <= most).then_some((known, most))
    })
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
    fn a_word_is_compared_with_words_of_like_length_alone() {
        let compared = |word: &str| of_like_length(word, ["beam", "mcts", "expectimax"]).count();
        assert_eq!([compared("mts"), compared("mctss"), compared("mctsss"), compared("expectima")], [2, 2, 0, 1]);
        assert_eq!(compared(&"mcts".repeat(1 << 18)), 0);
    }

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
