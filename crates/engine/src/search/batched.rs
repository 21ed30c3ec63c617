//! The batched driver: leaves are chosen in order, played out in parallel, and added in order.
//!
//! Each playout draws from the stream of its own number, so the result depends on the batch and the seed, never on the
//! number of threads or their timing. The price is that choosing does not overlap with playing out.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::worker::{Descent, Worker};
use crate::tree::counters::Counters;
use crate::{Game, Rng};

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// Makes batches of playouts until the search ends.
    pub(super) fn search_in_batches(&mut self, pool: &ThreadPool, descents: &mut Vec<Descent<G>>) {
        let job = self.job;
        let batch = u64::from(job.settings.batch);
        let threads = pool.current_num_threads();
        let mut stream = job.stream;
        loop {
            let size = job.take(batch) as usize;
            if size == 0 {
                return;
            }
            descents.resize_with(descents.len().max(size), || Descent::new(job));
            let batch = &mut descents[..size];
            for descent in &mut *batch {
                self.begin(descent);
                self.descend(descent, false);
            }
            // A few pieces for each thread even out playouts of different lengths.
            let piece = size.div_ceil(4 * threads);
            pool.install(|| {
                batch.par_iter_mut().enumerate().with_min_len(piece).for_each_init(
                    Vec::new,
                    |scratch, (number, descent)| {
                        descent.play_out(job, &mut Rng::new(job.settings.seed, stream + number as u64), scratch);
                    },
                );
            });
            batch.iter_mut().for_each(|descent| self.back_up(descent));
            stream += size as u64;
        }
    }
}
