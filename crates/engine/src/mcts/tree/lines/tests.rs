//! Tests of one block, without a tree.

use super::*;
use crate::mcts::tree::layout::NodeStats;
use crate::mcts::tree::layouts::Packed;

fn memory(words: usize) -> Vec<AtomicU64> {
    (0..words).map(|_| AtomicU64::new(u64::MAX)).collect()
}

fn counters(visits: u32, halves: u64) -> u64 {
    Packed::pack(NodeStats { visits, unobserved: 0, sum: halves })[0]
}

const ONE_WIN: u64 = 1 << 32 | 2;

#[test]
fn a_block_has_its_actions_and_no_visits() {
    for children in [0usize, 1, 6, 7, 8, 14, 15, 60, 255] {
        let actions: Vec<u32> = (0..children as u32).map(|action| 255 - action).collect();
        let size = lines_for(children) * LINE;
        let words = memory(size + LINE);
        write(&words[LINE..], &actions);
        let lines = Lines::of(&words, Block(LINE as u32));
        assert_eq!((lines.width() as usize, lines.count()), (children, size / LINE));
        for (child, &action) in (0u32..).zip(&actions) {
            let place = Place::of(child);
            assert_eq!((lines.action(place), lines.load(place)), (action, 0));
            assert_eq!((lines.link(place).children(), lines.link(place).action), (None, action));
        }
        assert_eq!(read_tile(&words, LINE), (size as u32, false));
        write_free_tile(&words[LINE], size as u32);
        assert_eq!(read_tile(&words, LINE), (size as u32, true));
    }
}

#[test]
fn counters_links_and_outcomes_do_not_touch_each_other() {
    for writers in [Writers::One, Writers::Many] {
        let words = memory(6 * LINE);
        write(&words[LINE..3 * LINE], &(0..12).collect::<Vec<u32>>());
        let narrow = Lines::of(&words, Block(LINE as u32));
        write_wide(&words[3 * LINE..5 * LINE], LINE);
        let both = Lines::of(&words, wide_block(3 * LINE as u32));
        let mut expected = [0u64; 12];
        for step in 0..3_000u32 {
            let (child, lines) = (step * 7 % 12, if step % 3 == 0 { both } else { narrow });
            let change = counters(1, u64::from(step % 3));
            assert_eq!(lines.enter(Place::of(child), change, writers).link.action, child);
            expected[child as usize] += change;
            if step % 100 == 0 {
                let (block, at) = (
                    if step % 3 == 0 { wide_block(3 * LINE as u32) } else { Block(LINE as u32) },
                    lines.at(Place::of(child)),
                );
                add(&words, block, at, counters(1, 0), writers);
                add(&words, block, at, counters(1u32.wrapping_neg(), 0), writers);
            }
        }
        assert!(narrow.claim(Place::of(5), writers) && !narrow.claim(Place::of(5), writers));
        narrow.publish(Place::of(5), 800, writers);
        assert!(both.swing(Place::of(5), 800, 817, writers) && !both.swing(Place::of(5), 800, 817, writers));
        let win = Outcome::of(&[1.0, 0.0]).unwrap_or_default();
        both.set_outcome(|_| true, win, writers);
        for child in 0..12 {
            assert_eq!(both.load(Place::of(child)), expected[child as usize], "{child}");
            assert_eq!(both.link(Place::of(child)).children(), (child == 5).then_some(Block(817)));
        }
        assert_eq!(narrow.outcome(), win);
        narrow.close(Place::of(6), writers);
        assert_eq!(both.load(Place::of(6)), expected[6] | CLOSED);
        both.close(Place::of(6), writers);
        assert_eq!(both.load(Place::of(6)), expected[6] | CLOSED);
        assert_eq!((read_tile(&words, LINE).0, read_tile(&words, 3 * LINE)), (16, (16, false)));
    }
}

#[test]
fn late_writers_have_room_in_narrow_counters() {
    let words = memory(2 * LINE);
    write(&words[LINE..], &[3, 4, 5]);
    let lines = Lines::of(&words, Block(LINE as u32));
    // All visits that the rules allow, each a win, of one child between two others.
    for _ in 0..MOST_NARROW + MOST_LATE {
        add(&words, Block(LINE as u32), lines.at(Place::of(1)), ONE_WIN, Writers::Many);
    }
    let all = MOST_NARROW + MOST_LATE;
    assert_eq!(lines.load(Place::of(1)), counters(all, u64::from(2 * all)));
    assert_eq!([lines.load(Place::of(0)), lines.load(Place::of(2))], [0, 0]);
    assert!(2 * all < u32::from(u16::MAX) && all < NARROW_CLOSED && WIDEN_AT < MOST_NARROW);
}
