//! The batched driver: leaves are chosen in order, played out in parallel, and added in order.
//!
//! A batch has two halves: while one is played out, one thread chooses the leaves of the other, and then helps. Each half
//! is chosen before the rewards of the one before it are added, and each playout draws from the stream of its own number.
//! So the result depends on the batch and the seed, never on the number of threads or their timing. The other threads wait
//! while rewards are added, and where choosing takes longer than playing out.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::job::Job;
use super::worker::{Descent, Worker};
use crate::clock::now;
use crate::tree::counters::Counters;
use crate::{Game, Rng};

/// Pieces of work for each thread: enough of them even out playouts of different lengths.
const PIECES: usize = 16;

/// One playout in so many is timed.
const TIMED: usize = 32;

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// Makes batches of playouts until the search ends.
    pub(super) fn search_in_batches(&mut self, pool: &ThreadPool, descents: &mut Vec<Descent<G>>) {
        // The thread that chooses is one of the pool, so it wakes nobody but those it needs.
        pool.install(|| self.search_in_pool(pool.current_num_threads(), descents));
    }

    fn search_in_pool(&mut self, threads: usize, descents: &mut Vec<Descent<G>>) {
        let job = self.job;
        let batch = job.settings.batch as usize;
        descents.resize_with(batch, || Descent::new(job));
        let (mut next, mut current) = descents.split_at_mut(batch.div_ceil(2));
        // Of the current half those that wait to be played out, and the number of the first of these playouts.
        let (mut waiting, mut stream) = (0, job.stream);
        loop {
            // Of a batch of one the second half is empty: every playout is added before the next leaf is chosen.
            let chosen = if next.is_empty() { 0 } else { job.take(next.len() as u64) as usize };
            // Who was told to stop has no time for what waits.
            if chosen == 0 && (waiting == 0 || job.course.is_stopped()) {
                return;
            }
            let current_half = &mut current[..waiting];
            rayon::join(
                || {
                    for descent in &mut next[..chosen] {
                        self.begin(descent);
                        self.descend(descent, false);
                    }
                },
                || play_out(job, current_half, stream, threads),
            );
            current[..waiting].iter_mut().for_each(|descent| self.back_up(descent));
            stream += waiting as u64;
            waiting = chosen;
            std::mem::swap(&mut next, &mut current);
        }
    }
}

/// Plays all of these out, the first with the random numbers of stream `first`.
fn play_out<G: Game>(job: &Job<G>, descents: &mut [Descent<G>], first: u64, threads: usize) {
    let piece = descents.len().div_ceil(PIECES * threads).max(1);
    descents.par_iter_mut().enumerate().with_min_len(piece).for_each_init(Vec::new, |scratch, (number, descent)| {
        let started = number.is_multiple_of(TIMED).then(now);
        descent.play_out(job, &mut Rng::new(job.settings.seed, first + number as u64), scratch);
        if let Some(started) = started {
            job.took(1, started.elapsed());
        }
    });
}
