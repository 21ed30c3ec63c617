//! `mcts` 0.3.

super::manager::manager_engine! {
    Mcts, mcts, "mcts",
    "mcts 0.3.0: UCTPolicy(1) with rewards 0, 1, 2, which is UCB1 with C 1; visits_before_expansion 1; \
        virtual_loss 10, larger than any reward as in its example; no transposition table, since all others search a \
        tree; playout_n, with threads playout_n_parallel",
    {}
}
