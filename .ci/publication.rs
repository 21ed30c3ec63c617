//! One thread writes plain memory and publishes it with a flag, as the tree publishes a block; another waits for the
//! flag and reads. With `--cfg weak` the flag is stored Relaxed, which is a data race, and ThreadSanitizer must say so.

use std::cell::UnsafeCell;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Block(UnsafeCell<u64>);

// The flag keeps the two threads apart, or is meant not to.
unsafe impl Sync for Block {}

static BLOCK: Block = Block(UnsafeCell::new(0));
static PUBLISHED: AtomicBool = AtomicBool::new(false);

const PUBLISH: Ordering = if cfg!(weak) { Ordering::Relaxed } else { Ordering::Release };

fn main() {
    let reader = thread::spawn(|| {
        while !PUBLISHED.load(Ordering::Acquire) {
            spin_loop();
        }
        unsafe { *BLOCK.0.get() }
    });
    unsafe { *BLOCK.0.get() = 7 };
    PUBLISHED.store(true, PUBLISH);
    assert_eq!(reader.join().ok(), Some(7));
}
