//! The memory a tree stands in: words that are zero until they are written, and cost nothing until then.
//!
//! Under Linux they are mapped with the advice to use huge pages. A tree of a few million playouts is tens of thousands
//! of small pages: that many faults to get them, a miss of the address cache at nearly every node, and 14 ms to give
//! them back; of huge ones it is some dozens. A small tree is one of many or does not live long: to fill its first huge
//! page with zeros would take longer than all the faults it saves.

use crate::mcts::tree::sync::AtomicU64;

/// Allocates `count` zeroed words; `None` if the system has no room for them.
pub(crate) fn zeroed(count: usize) -> Option<Words> {
    words::zeroed(count)
}

pub(crate) use words::Words;

#[cfg(all(feature = "crates", target_os = "linux", not(loom)))]
mod words {
    use memmap2::{Advice, MmapMut};
    use self_cell::{MutBorrow, self_cell};
    use zerocopy::FromBytes;

    use super::AtomicU64;

    type View<'m> = &'m [AtomicU64];

    const LEAST_IN_HUGE_PAGES: usize = 64 << 20;

    self_cell!(
        /// Mapped memory and what is made of it.
        struct Mapped {
            owner: MutBorrow<MmapMut>,
            #[covariant]
            dependent: View,
        }
    );

    pub(crate) struct Words(Mapped);

    pub(super) fn zeroed(count: usize) -> Option<Words> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<AtomicU64>())?).ok()?;
        if map.len() >= LEAST_IN_HUGE_PAGES {
            // A system without huge pages refuses.
            let _ = map.advise(Advice::HugePage);
        }
        Mapped::try_new(MutBorrow::new(map), view).ok().map(Words)
    }

    fn view(map: &MutBorrow<MmapMut>) -> Result<View<'_>, ()> {
        <[AtomicU64]>::mut_from_bytes(&mut map.borrow_mut()[..]).map(|words| &*words).map_err(drop)
    }

    impl std::fmt::Debug for Words {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} words", self.len())
        }
    }

    impl std::ops::Deref for Words {
        type Target = [AtomicU64];

        #[inline(always)]
        fn deref(&self) -> &[AtomicU64] {
            self.0.borrow_dependent()
        }
    }
}

#[cfg(all(feature = "crates", not(target_os = "linux"), not(loom)))]
mod words {
    use zerocopy::FromZeros;

    use super::AtomicU64;

    pub(crate) type Words = Box<[AtomicU64]>;

    pub(super) fn zeroed(count: usize) -> Option<Words> {
        <[AtomicU64]>::new_box_zeroed_with_elems(count).ok()
    }
}

#[cfg(any(not(feature = "crates"), loom))]
mod words {
    use super::AtomicU64;

    pub(crate) type Words = Box<[AtomicU64]>;

    pub(super) fn zeroed(count: usize) -> Option<Words> {
        // The macro asks the system for zeros, but ends the process where the system has no room for them.
        Vec::<u64>::new().try_reserve_exact(count).ok()?;
        // In a release build this is no loop: the words become atomics where they are, and none is touched. That takes
        // a vector: rustc -O alone writes all words of a collected box. With less optimisation, or with debug
        // assertions, all are written in any case, which takes about a second for each gigabyte.
        Some(vec![0; count].into_iter().map(AtomicU64::new).collect::<Vec<_>>().into_boxed_slice())
    }
}
