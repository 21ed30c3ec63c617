//! Corrections of weights by lessons.

use std::cell::Cell;

use rayon::prelude::*;

use crate::course::Learning;
use crate::network::Network;
use crate::table::Table;

thread_local! {
    /// The memory for the means of a tuple that the thread has used last.
    static SPARE: Cell<Means> = Cell::default();
}

/// Some lessons: the places of the weights of a board after a move, and the error of the value.
#[derive(Default)]
pub(crate) struct Lessons {
    /// The places of each lesson's weights, one lesson after the other.
    pub(crate) places: Vec<u32>,
    pub(crate) errors: Vec<f32>,
}

impl Lessons {
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.errors.clear();
    }
}

/// The corrections of the weights of one network.
pub(crate) struct Corrector {
    rate: f32,
    /// The errors of the lessons of each weight: their sum, and then the sum of their amounts.
    coherence: Option<Table>,
}

impl Corrector {
    /// The corrections of a new network. `None` if there is no memory for temporal coherence.
    pub(crate) fn new(network: &Network, learning: &Learning) -> Option<Corrector> {
        let coherence = match learning.coherence {
            true => Some(Table::new(network.weights().len().checked_mul(2)?)?),
            false => None,
        };
        Some(Corrector { rate: learning.rate, coherence })
    }

    /// The numbers that temporal coherence keeps of each weight, if it is used.
    pub(crate) fn coherence(&self) -> Option<&Table> {
        self.coherence.as_ref()
    }

    /// Corrects the weights by the lessons of a round. Each tuple has weights of its own, so the order in which threads
    /// take them changes nothing.
    pub(crate) fn correct_all(&self, network: &Network, weights: &Table, lessons: &[&Lessons]) {
        let correct = |tuple| self.correct_tuple((network, weights), lessons, tuple);
        (0..network.tuples().cells.len()).into_par_iter().with_max_len(1).for_each(correct);
    }

    /// Corrects each weight of a tuple by the mean of its errors in a round. By their sum a weight that many boards
    /// share would go far beyond all its targets.
    fn correct_tuple(&self, (network, weights): (&Network, &Table), lessons: &[&Lessons], tuple: usize) {
        let images = network.images(tuple);
        let mut means = SPARE.take();
        for some in lessons {
            for (places, &error) in some.places.chunks_exact(network.terms()).zip(&some.errors) {
                for &place in &places[images.clone()] {
                    if means.add(place, error) {
                        self.prefetch(weights, place as usize);
                    }
                }
            }
        }
        for &Mean { place, sum, amount, count } in &means.all {
            self.correct(network, weights, place, sum / count, amount / count);
        }
        means.clear();
        SPARE.set(means);
    }

    /// Prefetches what the correction of a weight reads.
    #[inline]
    fn prefetch(&self, weights: &Table, place: usize) {
        weights.prefetch(place);
        self.coherence.iter().for_each(|coherence| coherence.prefetch(2 * place));
    }

    /// Corrects the weights by one lesson after the other.
    pub(crate) fn correct_now(&self, network: &Network, weights: &Table, lessons: &Lessons) {
        for (places, &error) in lessons.places.chunks_exact(network.terms()).zip(&lessons.errors) {
            places.iter().for_each(|&place| self.correct(network, weights, place, error, error.abs()));
        }
    }

    /// Corrects a weight by an error of a value, or by the mean of several and of their amounts.
    #[inline]
    pub(crate) fn correct(&self, network: &Network, weights: &Table, place: u32, error: f32, amount: f32) {
        let step = self.rate * error / network.terms() as f32;
        let place = place as usize;
        let Some(coherence) = &self.coherence else { return weights.add(place, step) };
        let (of_sum, of_amount) = (2 * place, 2 * place + 1);
        let (sum, all) = (coherence.get(of_sum), coherence.get(of_amount));
        // Of two threads that add at the same time one may lose its part, so the sum may be greater.
        let rate = if all > 0.0 { (sum.abs() / all).min(1.0) } else { 1.0 };
        weights.add(place, rate * step);
        coherence.set(of_sum, sum + error);
        coherence.set(of_amount, all + amount);
    }
}

/// The errors of a weight in a round: their sum, that of their amounts, and their number.
struct Mean {
    place: u32,
    sum: f32,
    amount: f32,
    count: f32,
}

/// The errors of all weights that are visited, in the order of their first visits.
#[derive(Default)]
struct Means {
    all: Vec<Mean>,
    /// One more than the number of a weight in the list, in the first free slot from that of its place on; 0 for none.
    slots: Vec<u32>,
}

impl Means {
    fn clear(&mut self) {
        self.all.clear();
        self.slots.fill(0);
    }

    /// Adds an error. Returns true if it is the first one of its weight.
    fn add(&mut self, place: u32, error: f32) -> bool {
        if 2 * self.all.len() >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(place);
        let is_first = self.slots[slot] == 0;
        if is_first {
            self.all.push(Mean { place, sum: 0.0, amount: 0.0, count: 0.0 });
            self.slots[slot] = self.all.len() as u32;
        }
        let Mean { sum, amount, count, .. } = &mut self.all[self.slots[slot] as usize - 1];
        *sum += error;
        *amount += error.abs();
        *count += 1.0;
        is_first
    }

    /// The slot of a place, or the free one where it belongs.
    fn slot(&self, place: u32) -> usize {
        // Fibonacci hashing (Knuth 1973, 6.4): places that follow each other spread over all slots.
        let bits = self.slots.len().trailing_zeros();
        let mut slot = (place.wrapping_mul(0x9E37_79B9) >> (32 - bits)) as usize;
        while self.slots[slot] != 0 && self.all[self.slots[slot] as usize - 1].place != place {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }

    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(1 << 10);
        self.slots = vec![0; length];
        for number in 0..self.all.len() {
            let slot = self.slot(self.all[number].place);
            self.slots[slot] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn errors_are_summed_by_places() {
        let (mut rng, mut means, mut plain) = (Rng::new(1, 0), Means::default(), BTreeMap::new());
        for _ in 0..20_000 {
            let (place, error) = (rng.below(3_000) * rng.below(3_000), rng.unit() as f32 - 0.5);
            means.add(place, error);
            let (sum, amount, count) = plain.entry(place).or_insert((0.0, 0.0, 0.0));
            *sum += error;
            *amount += error.abs();
            *count += 1.0;
        }
        assert_eq!(means.all.len(), plain.len());
        for Mean { place, sum, amount, count } in means.all {
            assert_eq!(plain[&place], (sum, amount, count));
        }
    }
}
