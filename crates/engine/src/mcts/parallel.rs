//! Work for a thread pool, behind `dyn` calls: rayon's code is compiled once and not for each game.

use rayon::ThreadPool;
use rayon::prelude::*;

/// Runs work on a thread of the pool.
pub(super) fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Runs both at the same time on the pool of the calling thread.
pub(super) fn join(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

/// Runs `work` for every number below `count` on the pool of the calling thread.
pub(super) fn parallel_for(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}
