//! UCB1 (Auer, Cesa-Bianchi and Fischer 2002) and the choice among children.
//!
//! The order of operations is part of the answer: another order may round a sum otherwise and break a tie.

/// A child and the terms of its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move to the child.
    pub letter: char,
    /// The number of playouts through the child.
    pub visits: u64,
    /// The average score of those playouts.
    pub mean: f64,
    /// `C * sqrt(ln(parent's visits) / visits)`
    pub exploration: f64,
    /// The UCB1 value, `mean + exploration`.
    pub value: f64,
}

impl Candidate {
    pub(super) fn new(letter: char, visits: u64, sum: f64, ln_parent_visits: f64, constant: f64) -> Candidate {
        let mean = sum / visits as f64;
        let exploration = constant * (ln_parent_visits / visits as f64).sqrt();
        Candidate { letter, visits, mean, exploration, value: mean + exploration }
    }
}

/// The position of the first candidate of greatest value; `None` if there are no candidates.
///
/// A value that is not a number is greater than none, so where no value is above minus infinity, the first
/// candidate is taken.
pub(super) fn choose(candidates: &[Candidate]) -> Option<usize> {
    let mut chosen = 0;
    let mut greatest = f64::NEG_INFINITY;
    for (position, candidate) in candidates.iter().enumerate() {
        if candidate.value > greatest {
            chosen = position;
            greatest = candidate.value;
        }
    }
    (chosen < candidates.len()).then_some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(values: &[f64]) -> Option<usize> {
        let candidate = |&value: &f64| Candidate { letter: 'a', visits: 1, mean: value, exploration: 0.0, value };
        choose(&values.iter().map(candidate).collect::<Vec<_>>())
    }

    #[test]
    fn the_first_of_the_greatest_values_is_chosen() {
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[-7.0]), Some(0));
        assert_eq!(chosen(&[1.0, 3.0, 2.0, 3.0]), Some(1));
        assert_eq!(chosen(&[0.0, -0.0]), Some(0));
        assert_eq!(chosen(&[-0.0, 0.0]), Some(0));
        assert_eq!(chosen(&[1.0, 1.0_f64.next_up()]), Some(1));
    }

    #[test]
    fn infinite_values_and_not_a_number_still_give_a_choice() {
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        assert_eq!(chosen(&[1.0, infinity, infinity]), Some(1));
        assert_eq!(chosen(&[-infinity, -infinity]), Some(0));
        assert_eq!(chosen(&[-infinity, -1e308]), Some(1));
        assert_eq!(chosen(&[nan, -5.0, nan]), Some(1));
        assert_eq!(chosen(&[nan, nan]), Some(0));
        assert_eq!(chosen(&[nan, -infinity]), Some(0));
    }
}
