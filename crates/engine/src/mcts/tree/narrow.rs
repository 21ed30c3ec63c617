//! The layout whose blocks are whole cache lines ([`lines`]).

use super::choice::Highest;
use super::layout::{Layout, LayoutKind, NodeStats, Seen};
use super::layouts::Packed;
use super::lines::{self, Lines, Place, WIDEN_AT};
use super::node::{Block, Node};
use super::ucb::{Ucb, UcbTerms};
use super::words::Writers;
use crate::mcts::tree::sync::AtomicU64;

/// As [`Packed`], in whole cache lines: for rewards that are halves and actions below 256.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrow;

impl Layout for Narrow {
    const KIND: LayoutKind = LayoutKind::Narrow;
    type Words = [u64; 1];
    const UNITS: f64 = Packed::HALVES;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Packed::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 1] {
        Packed::pack(change)
    }

    #[inline(always)]
    fn visits(words: [u64; 1]) -> u32 {
        Packed::visits(words)
    }

    #[inline(always)]
    fn terms(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        Packed::terms(words, ucb)
    }

    #[inline(always)]
    fn terms_of_few(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        Packed::terms_of_few(words, ucb)
    }

    #[inline(always)]
    fn width(words: &[AtomicU64], block: Block) -> u32 {
        Lines::of(words, block).width()
    }

    #[inline(always)]
    fn nth(_: &[AtomicU64], block: Block, child: u32) -> Node {
        lines::node(block, child)
    }

    #[inline(always)]
    fn look(words: &[AtomicU64], block: Block, child: u32) -> Seen {
        Lines::of(words, block).look(Place::of(child))
    }

    #[inline(always)]
    fn enter(words: &[AtomicU64], block: Block, child: u32, [change]: [u64; 1], writers: Writers) -> Seen {
        Lines::of(words, block).enter(Place::of(child), change, writers)
    }

    #[inline(always)]
    fn enter_untried(
        words: &[AtomicU64],
        block: Block,
        child: u32,
        [change]: [u64; 1],
        writers: Writers,
    ) -> Option<Seen> {
        lines::enter_untried(words, block, child, change, writers)
    }

    #[inline(always)]
    fn enter_highest(
        words: &[AtomicU64],
        block: Block,
        ucb: &Ucb,
        exploration: f32,
        [change]: [u64; 1],
        writers: Writers,
    ) -> (u32, Seen) {
        let few = ucb
            .of_few()
            .and_then(|inverses| lines::enter_highest_of_few(words, block, inverses, exploration, change, writers));
        few.unwrap_or_else(|| {
            let lines = Lines::of(words, block);
            let mut highest = Highest::new();
            lines.each(|counters| highest.see(Packed::terms_of_few([counters], ucb).value(exploration)));
            (highest.index(), lines.enter(Place::of(highest.index()), change, writers))
        })
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], block: Block, at: u32, [change]: [u64; 1], writers: Writers) {
        lines::add(words, block, at, change, writers);
    }

    #[inline(always)]
    fn each(words: &[AtomicU64], block: Block, mut see: impl FnMut([u64; 1])) {
        Lines::of(words, block).each(|counters| see([counters]));
    }

    #[inline(always)]
    fn must_widen(block: Block, visits: u32) -> bool {
        visits >= WIDEN_AT && !block.is_wide()
    }

    #[inline(always)]
    fn place(block: Block) -> usize {
        block.line()
    }

    fn lines(children: u32) -> usize {
        lines::lines_for(children as usize)
    }
}
