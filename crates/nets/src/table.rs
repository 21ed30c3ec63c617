//! Tables of numbers that many threads read and change.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use boughs::memory::prefetch;
use memmap2::{Advice, MmapMut};
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

type View<'m> = &'m [AtomicU32];

self_cell!(
    /// Mapped memory and what is made of it.
    struct Mapped {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: View,
    }
);

/// A table of numbers, all zero at first, in huge pages where the system has them: each value reads dozens of weights
/// that are far apart.
pub(crate) struct Table(Mapped);

impl Table {
    /// Allocates a table. `None` if the system has no room for it.
    pub(crate) fn new(length: usize) -> Option<Table> {
        let map = MmapMut::map_anon(length.max(1).checked_mul(size_of::<AtomicU32>())?).ok()?;
        // A system without huge pages refuses.
        let _ = map.advise(Advice::HugePage);
        Mapped::try_new(MutBorrow::new(map), view).ok().map(Table)
    }

    /// The number at a place.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> f32 {
        f32::from_bits(self.numbers()[place].load(Relaxed))
    }

    /// Prefetches the number at a place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        prefetch(&self.numbers()[place]);
    }

    /// The sum of the numbers at some places.
    #[inline]
    pub(crate) fn sum(&self, places: &[u32]) -> f32 {
        // Four sums, each of which waits for itself alone.
        let (fours, rest) = places.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            sums.iter_mut().zip(four).for_each(|(sum, &place)| *sum += self.get(place as usize));
        }
        sums.iter().sum::<f32>() + rest.iter().map(|&place| self.get(place as usize)).sum::<f32>()
    }

    /// Adds to the number at a place. Of two threads that add at the same time one may lose its part.
    #[inline]
    pub(crate) fn add(&self, place: usize, number: f32) {
        self.set(place, self.get(place) + number);
    }

    /// Writes the number at a place.
    #[inline]
    pub(crate) fn set(&self, place: usize, number: f32) {
        self.numbers()[place].store(number.to_bits(), Relaxed);
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers().len()
    }

    #[inline]
    fn numbers(&self) -> View<'_> {
        self.0.borrow_dependent()
    }
}

fn view(map: &MutBorrow<MmapMut>) -> Result<View<'_>, ()> {
    <[AtomicU32]>::mut_from_bytes(&mut map.borrow_mut()[..]).map(|numbers| &*numbers).map_err(drop)
}
