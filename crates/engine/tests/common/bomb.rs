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

/// The method that panics, from which of its calls on, and how often.
#[derive(Debug)]
pub(crate) struct Fuse {
    method: Method,
    left: AtomicI64,
    panics: AtomicI64,
    /// A panic during unwinding ends the process.
    spares_unwinding: bool,
}

/// Stands for every call of a method.
pub(crate) const EVERY: i64 = i64::MIN;

/// The text of the panic.
pub(crate) const BURNT: &str = "the fuse has burnt down";

impl Fuse {
    /// A fuse for one call of a method, the first with 1.
    pub(crate) fn new(method: Method, call: i64) -> Arc<Fuse> {
        let (left, panics) = if call == EVERY { (1, i64::MAX) } else { (call, 1) };
        Arc::new(Fuse { method, left: left.into(), panics: panics.into(), spares_unwinding: true })
    }

    /// A fuse for `panics` drops from number `call` on, during unwinding too.
    pub(crate) fn of_drops(call: i64, panics: i64) -> Arc<Fuse> {
        Arc::new(Fuse { method: Method::Drop, left: call.into(), panics: panics.into(), spares_unwinding: false })
    }

    /// No further call panics. Returns the number of calls that were left.
    pub(crate) fn put_out(&self) -> i64 {
        self.panics.store(0, Relaxed);
        self.left.load(Relaxed)
    }

    fn burn(&self, method: Method) {
        if method != self.method || self.spares_unwinding && std::thread::panicking() {
            return;
        }
        if self.left.fetch_sub(1, Relaxed) <= 1 && self.panics.fetch_sub(1, Relaxed) > 0 {
            // A panic that is resumed prints nothing.
            resume_unwind(Box::new(BURNT));
        }
    }
}

/// Ten plies of three actions, of which none is declared to mean the same twice.
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
    const ACTIONS_RECUR: bool = false;
    fn players(&self) -> usize {
        self.fuse.burn(Method::Players);
        2
    }
    fn turn(&self) -> Turn {
        self.fuse.burn(Method::Turn);
        if self.ply >= 10 { Turn::Over } else { Turn::Player(self.ply as usize % 2) }
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
