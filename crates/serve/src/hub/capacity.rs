//! The bounds of all searches together: how many run at a time, and how much memory their trees take.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam::channel::{Receiver, Sender, bounded};

use super::handle::Command;

/// The bounds.
pub(crate) struct Capacity {
    most_searches: usize,
    most_bytes: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: usize,
    bytes: usize,
    /// Searches that have ended and keep their trees, the oldest first.
    idle: Vec<(u64, Sender<Command>)>,
    /// Searches that wait for others to end.
    waiting: Vec<(u64, Sender<()>)>,
}

/// The reason why a search waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// As many searches run as may.
    Searches,
    /// The trees of others take the memory.
    Memory,
}

impl Capacity {
    pub(crate) fn new(most_searches: usize, most_bytes: usize) -> Capacity {
        Capacity { most_searches, most_bytes, state: Mutex::default() }
    }

    pub(crate) fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// The memory of a search that asks for none: an equal share.
    pub(crate) fn share(&self) -> usize {
        self.most_bytes / self.most_searches.max(1)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place among the running searches, and `bytes` of memory beside those that it has. If there is none now,
    /// returns the reason, and a channel that tells when to try again.
    pub(crate) fn take(&self, id: u64, bytes: usize) -> Result<(), (Wait, Receiver<()>)> {
        let mut state = self.state();
        let wait = if state.running >= self.most_searches {
            Some(Wait::Searches)
        } else if state.bytes + bytes > self.most_bytes {
            Some(Wait::Memory)
        } else {
            None
        };
        let Some(wait) = wait else {
            state.running += 1;
            state.bytes += bytes;
            state.idle.retain(|(other, _)| *other != id);
            return Ok(());
        };
        if wait == Wait::Memory
            && let Some(place) = state.idle.iter().position(|(other, _)| *other != id)
        {
            // A search that is gone already gives its memory back itself.
            let _ = state.idle.remove(place).1.send(Command::Forget);
        }
        let (sender, receiver) = bounded(1);
        state.waiting.retain(|(other, _)| *other != id);
        state.waiting.push((id, sender));
        Err((wait, receiver))
    }

    /// Gives the place among the running searches back. The tree stays.
    pub(crate) fn rest(&self, id: u64, commands: Sender<Command>) {
        let mut state = self.state();
        state.running -= 1;
        state.idle.push((id, commands));
        state.wake();
    }

    /// Gives the memory of a tree back.
    pub(crate) fn free(&self, id: u64, bytes: usize) {
        let mut state = self.state();
        state.bytes -= bytes;
        state.idle.retain(|(other, _)| *other != id);
        state.wake();
    }
}

impl State {
    fn wake(&mut self) {
        for (_, waiting) in self.waiting.drain(..) {
            let _ = waiting.try_send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::*;

    #[test]
    fn a_search_waits_for_a_place_and_is_told_of_one() {
        let capacity = Capacity::new(1, 100);
        assert!(capacity.take(1, 10).is_ok());
        let (wait, told) = capacity.take(2, 10).expect_err("one runs");
        assert!(wait == Wait::Searches && told.try_recv().is_err());
        capacity.rest(1, unbounded().0);
        assert!(told.try_recv().is_ok() && capacity.take(2, 10).is_ok());
    }

    #[test]
    fn the_oldest_tree_that_rests_makes_room() {
        let capacity = Capacity::new(9, 100);
        let (sender, commands) = unbounded();
        assert!(capacity.take(1, 60).is_ok());
        capacity.rest(1, sender);
        let (wait, told) = capacity.take(2, 60).expect_err("no memory");
        assert!(wait == Wait::Memory && matches!(commands.try_recv(), Ok(Command::Forget)));
        capacity.free(1, 60);
        assert!(told.try_recv().is_ok() && capacity.take(2, 60).is_ok());
    }
}
