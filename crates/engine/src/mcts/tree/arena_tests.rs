use super::*;
use crate::Rng;

const WORD: usize = size_of::<AtomicU64>();

/// Allocates a block without children.
fn allocate(arena: &Arena, size: u32, stock: &mut Stock) -> Option<Block> {
    let block = arena.allocate(size, stock, &|_, _| None)?;
    arena.words[block.0 as usize].store(u64::from(size) << Block::SIZE, Relaxed);
    Some(block)
}

/// Fills an arena with blocks of random sizes, and returns them.
fn fill(arena: &Arena, sizes: Range<u32>, stock: &mut Stock, rng: &mut Rng) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut failures = 0;
    while !stock.exhausted && failures < 3_000 {
        match allocate(arena, sizes.start + rng.below(sizes.len() as u32), stock) {
            Some(block) => blocks.push(block),
            None => failures += 1,
        }
    }
    blocks
}

/// Drops a share of some blocks.
fn drop_some(arena: &Arena, blocks: &mut Vec<Block>, percent: u32, rng: &mut Rng) {
    blocks.retain(|&block| {
        let is_kept = rng.below(100) >= percent;
        if !is_kept {
            arena.drop_subtree(block);
        }
        is_kept
    });
}

/// Checks that tiles lie side by side, that the table of regions fits them, and that these blocks are among them.
fn check(arena: &Arena, blocks: impl IntoIterator<Item = Block>) {
    let (regions, top) = (arena.regions, arena.top.load(Relaxed) as u32);
    let mut blocks: Vec<u32> = blocks.into_iter().map(|block| block.0).collect();
    blocks.sort_unstable();
    let mut blocks = blocks.into_iter().peekable();
    let (mut at, mut free) = (arena.tiles.first(), 0);
    let mut counts = vec![0; regions.of(regions.end) as usize + 1];
    let mut firsts = vec![None; counts.len()];
    while at < top {
        firsts[regions.of(at) as usize].get_or_insert(at);
        let (size, is_free) = arena.tiles.read(&arena.words, at);
        assert!(size > 0, "a tile at {at} has no size");
        if is_free {
            free += u64::from(size);
            (at..at + size).for_each(|word| counts[regions.of(word) as usize] += 1);
        } else {
            blocks.next_if_eq(&at);
        }
        at += size;
    }
    assert_eq!((at, blocks.next(), arena.free()), (top, None, free));
    for region in 0..regions.of(top) {
        let first = regions.claim(&arena.words, region, counts[region as usize]).expect("no worker holds a region");
        regions.release(&arena.words, region);
        assert_eq!(regions.claim(&arena.words, region, counts[region as usize] + 1), None, "region {region}");
        let expected = firsts[region as usize].unwrap_or(regions.start(region) + regions.size());
        assert_eq!(first, expected, "the first tile of region {region}");
    }
}

#[test]
fn rests_of_chunks_are_used_again() {
    let arena = Arena::new(600_000 * WORD, Tiles::Headed, Writers::Many).unwrap();
    let (mut one, mut other) = (arena.new_stock(), arena.new_stock());
    let first = allocate(&arena, 15, &mut one).unwrap().0;
    let second = allocate(&arena, 15, &mut other).unwrap().0;
    assert_eq!(second, arena.regions.size(), "each has regions of its own");
    assert_eq!(allocate(&arena, 15, &mut one), Some(Block(first + 15)));
    arena.give_back(other);
    assert_eq!(arena.top.load(Relaxed) as u32, second + 15, "the last words that were taken are put back");
    arena.give_back(one);
    assert_eq!(arena.bytes(), (arena.tiles.first() + 3 * 15) as usize * WORD, "the rest of the other is free");
    check(&arena, [first, first + 15, second].map(Block));
}

#[test]
fn a_block_that_is_larger_than_the_rest_leaves_it_to_smaller_ones() {
    let arena = Arena::new(100_000 * WORD, Tiles::Headed, Writers::One).unwrap();
    let mut stock = arena.new_stock();
    while u64::from(arena.regions.end) - arena.top.load(Relaxed) > 4_000 {
        allocate(&arena, 7, &mut stock).unwrap();
    }
    assert_eq!(allocate(&arena, 5_000, &mut stock), None);
    assert!(!stock.exhausted, "a worker goes on to look for memory");
    let small = fill(&arena, 7..8, &mut stock, &mut Rng::new(1, 0)).len();
    assert!(small > 3_500 / 7 && stock.exhausted, "{small} blocks");
}

#[test]
fn free_neighbours_become_room_for_a_larger_block() {
    let arena = Arena::new(1_000 * WORD, Tiles::Headed, Writers::One).unwrap();
    let mut stock = arena.new_stock();
    let blocks = fill(&arena, 7..8, &mut stock, &mut Rng::new(1, 0));
    assert!(arena.is_full() && blocks.len() * 7 > 900, "{} blocks", blocks.len());
    arena.give_back(stock);
    blocks[20..40].iter().for_each(|&block| arena.drop_subtree(block));
    let mut stock = arena.new_stock();
    let large = (0..50).find_map(|_| allocate(&arena, 140, &mut stock));
    assert_eq!(large, Some(blocks[20]), "twenty blocks side by side are one free tile");
    arena.give_back(stock);
    check(&arena, blocks[..20].iter().chain(&blocks[40..]).copied().chain(large));
}

#[test]
fn a_run_among_regions_with_little_free_memory_is_found_beside_a_region_with_much_of_it_in_pieces() {
    let arena = Arena::new(600_000 * WORD, Tiles::Headed, Writers::One).unwrap();
    let mut stock = arena.new_stock();
    let blocks = fill(&arena, 16..17, &mut stock, &mut Rng::new(1, 0));
    arena.give_back(stock);
    let a_region = arena.regions.size() / 16;
    let is_freed = |number: u32| match number / a_region {
        // Half of a region is free, block by block.
        500 => number.is_multiple_of(2),
        // Only here do two free blocks lie side by side.
        400 => number % a_region < 2,
        _ => number.is_multiple_of(a_region),
    };
    let mut stock = arena.new_stock();
    for (_, &block) in (0..).zip(&blocks).filter(|&(number, _)| is_freed(number)) {
        arena.free_block(block, &mut stock);
    }
    let large = (0..1_000).find_map(|_| allocate(&arena, 32, &mut stock));
    assert_eq!(large, Some(blocks[400 * a_region as usize]));
    arena.give_back(stock);
}

#[test]
fn a_worker_leaves_the_next_regions_to_the_one_that_comes_to_them() {
    let arena = Arena::new(600_000 * WORD, Tiles::Headed, Writers::Many).unwrap();
    let mut stock = arena.new_stock();
    let blocks = fill(&arena, 16..17, &mut stock, &mut Rng::new(1, 0));
    for &block in blocks.iter().filter(|block| (100..140).contains(&arena.regions.of(block.0))) {
        arena.free_block(block, &mut stock);
    }
    arena.give_back(stock);
    let [mut one, mut other] = [99, 99].map(|next| Stock { next, ..arena.new_stock() });
    let [first, second] = [&mut one, &mut other].map(|stock| allocate(&arena, 16, stock).unwrap());
    let distance = arena.regions.of(second.0) - arena.regions.of(first.0);
    assert!((9..12).contains(&distance), "{distance} regions");
    arena.give_back(one);
    arena.give_back(other);
}

#[test]
fn memory_stays_whole_however_often_blocks_of_other_sizes_follow() {
    for (words, sizes) in [(6_000, 3..9), (60_000, 3..60), (60_000, 30..60), (400_000, 3..4), (400_000, 100..1_000)] {
        let arena = Arena::new(words * WORD, Tiles::Headed, Writers::One).unwrap();
        let mut rng = Rng::new(words as u64, 0);
        let mut blocks: Vec<Block> = Vec::new();
        for round in 0..20 {
            let mut stock = arena.new_stock();
            blocks.extend(fill(&arena, sizes.clone(), &mut stock, &mut rng));
            arena.give_back(stock);
            check(&arena, blocks.iter().copied());
            let unused = 1.0 - arena.bytes() as f64 / (words * WORD) as f64;
            assert!(arena.is_full() && unused < 0.12, "{words} words, {sizes:?}, round {round}: {unused}");
            drop_some(&arena, &mut blocks, 60, &mut rng);
        }
    }
}

#[test]
fn workers_that_free_and_sweep_at_the_same_time_never_share_a_word() {
    for (words, sizes) in [(4_000, 1..20), (100_000, 3..80), (300_000, 200..1_500)] {
        let arena = Arena::new(words * WORD, Tiles::Headed, Writers::Many).unwrap();
        let mut rng = Rng::new(7, 0);
        let mut blocks: Vec<Block> = Vec::new();
        for _ in 0..20 {
            let of_worker = |number: u64| {
                let mut stock = arena.new_stock();
                let own = fill(&arena, sizes.clone(), &mut stock, &mut Rng::new(number, 1));
                arena.give_back(stock);
                own
            };
            let made = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..8).map(|number| scope.spawn(move || of_worker(number))).collect();
                workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
            });
            blocks.extend(made);
            check(&arena, blocks.iter().copied());
            drop_some(&arena, &mut blocks, 50, &mut rng);
        }
    }
}
