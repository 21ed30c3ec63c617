//! One sum over all ranks: what it has beside statistics.

use std::time::Duration;

/// The numbers before the statistics.
const HEAD: usize = 5;

/// The word of a rank to the others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// True if all ranks should end their search.
    pub(super) stop: bool,
    /// True if this rank has proven the value of the position.
    pub(super) has_proven: bool,
    /// True if this rank has made its playouts.
    pub(super) is_finished: bool,
    /// The time until the next sum, which the rank 0 alone says.
    pub(super) pause: Duration,
}

/// The words of all ranks together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) stop: bool,
    /// True if some rank has proven the value of the position.
    pub(super) has_proven: bool,
    /// The number of ranks that have made their playouts.
    pub(super) finished: usize,
    pub(super) pause: Duration,
}

/// The playouts of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Those of this rank.
    pub(super) own: u64,
    /// Those of this rank that it has told, and of them those that are in a sum.
    told: u64,
    heard: u64,
    /// Those of all ranks, as far as known.
    pub(super) playouts: u64,
}

impl Tally {
    /// This rank's part of a sum: a word, its playouts since the last time, and its statistics.
    pub(super) fn tell(&mut self, word: Word, mut statistics: Vec<i64>) -> Vec<i64> {
        let new = self.own - self.told;
        self.told = self.own;
        let pause = i64::try_from(word.pause.as_micros()).unwrap_or(i64::MAX);
        let Word { stop, has_proven, is_finished, .. } = word;
        let mut numbers = vec![stop.into(), is_finished.into(), new as i64, pause, has_proven.into()];
        numbers.append(&mut statistics);
        numbers
    }

    /// Takes a sum apart and merges its statistics.
    pub(super) fn hear(&mut self, sums: &[i64], merge: impl FnOnce(&[i64])) -> Verdict {
        let (head, statistics) = sums.split_at(HEAD.min(sums.len()));
        merge(statistics);
        let number = |place: usize| head.get(place).copied().unwrap_or_default().max(0) as u64;
        self.playouts += number(2);
        self.heard = self.told;
        Verdict {
            stop: number(0) > 0,
            has_proven: number(4) > 0,
            finished: number(1) as usize,
            pause: Duration::from_micros(number(3)),
        }
    }

    /// The tally of this rank when it has made this number of playouts.
    pub(super) fn with(self, own: u64) -> Tally {
        Tally { own, ..self }
    }

    /// The playouts of all ranks that this one knows of.
    pub(super) fn known(&self) -> u64 {
        self.playouts + (self.own - self.heard)
    }
}

/// The numbers of a rank that has left the search: it says stop, and tells nothing.
pub(super) fn nothing_but_stop(length: usize) -> Vec<i64> {
    let mut numbers = vec![0; length];
    if let Some(stop) = numbers.first_mut() {
        *stop = 1;
    }
    numbers
}
