//! A change that is meant to change nothing leaves the checksum of the bench as it is.

use boughs_lab::bench::{BenchPlan, CHECKSUM, all_games, checksum};

#[test]
fn the_checksum_of_the_bench_is_the_one_in_the_repository() {
    let found = checksum(&all_games(), &BenchPlan::default()).unwrap();
    assert_eq!(
        found, CHECKSUM,
        "searches find something else than before; if that is meant, the new CHECKSUM in crates/lab/src/bench/mod.rs \
         is {found:#x}"
    );
}
