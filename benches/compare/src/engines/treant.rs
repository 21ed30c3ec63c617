//! `treant` 0.4.

super::manager::manager_engine! {
    Treant, treant, "treant",
    "treant 0.4.0: UCTPolicy(1) with rewards 0, 1, 2, which is UCB1 with C 1; visits_before_expansion 1; \
        virtual_loss 10, larger than any reward as its guide says; no solver, which only costs here; no \
        transposition table, since all others search a tree; playout_n, with threads playout_n_parallel",
    {
        fn rng_seed(&self) -> Option<u64> {
            Some(self.seed)
        }
    }
}
