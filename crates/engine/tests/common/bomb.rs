//! A game in which any method can be made to panic at any of its calls.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use boughs::{Game, Turn};

/// The methods that can panic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    Players,
    Turn,
    Actions,
    Apply,
    Reward,
    Text,
    Clone,
    Drop,
}

pub(crate) const METHODS: [Method; 8] = [
    Method::Players,
    Method::Turn,
    Method::Actions,
    Method::Apply,
    Method::Reward,
    Method::Text,
    Method::Clone,
    Method::Drop,
];

/// The method that panics, and the number of its calls until then.
#[derive(Debug)]
pub(crate) struct Fuse {
    method: Method,
    left: AtomicI64,
}

/// Stands for every call of a method.
pub(crate) const EVERY: i64 = i64::MIN;

impl Fuse {
    /// A fuse for a call of a method, the first with 1.
    pub(crate) fn new(method: Method, call: i64) -> Arc<Fuse> {
        Arc::new(Fuse { method, left: AtomicI64::new(call) })
    }

    /// No further call panics.
    pub(crate) fn put_out(&self) {
        self.left.store(0, Relaxed);
    }

    fn burn(&self, method: Method) {
        // A panic during unwinding would end the process. One that is resumed prints nothing.
        if method != self.method || std::thread::panicking() {
            return;
        }
        if self.left.load(Relaxed) == EVERY || self.left.fetch_sub(1, Relaxed) == 1 {
            resume_unwind(Box::new("the fuse has burnt down"));
        }
    }
}

/// Eight plies of three actions.
#[derive(Debug)]
pub(crate) struct Bomb {
    ply: u32,
    sum: u32,
    fuse: Arc<Fuse>,
}

impl Bomb {
    pub(crate) fn new(fuse: &Arc<Fuse>) -> Bomb {
        Bomb { ply: 0, sum: 0, fuse: fuse.clone() }
    }
}

impl Clone for Bomb {
    fn clone(&self) -> Bomb {
        self.fuse.burn(Method::Clone);
        Bomb { ply: self.ply, sum: self.sum, fuse: self.fuse.clone() }
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        self.fuse.burn(Method::Drop);
    }
}

impl Game for Bomb {
    type Action = u32;
    fn players(&self) -> usize {
        self.fuse.burn(Method::Players);
        2
    }
    fn turn(&self) -> Turn {
        self.fuse.burn(Method::Turn);
        if self.ply >= 8 { Turn::Over } else { Turn::Player(self.ply as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        self.fuse.burn(Method::Actions);
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, action: u32) {
        self.fuse.burn(Method::Apply);
        self.ply += 1;
        self.sum += action;
    }
    fn reward(&self, player: usize) -> f64 {
        self.fuse.burn(Method::Reward);
        f64::from(u8::from(self.sum.is_multiple_of(2) == (player == 0)))
    }
    fn action_text(&self, action: u32) -> String {
        self.fuse.burn(Method::Text);
        action.to_string()
    }
}
