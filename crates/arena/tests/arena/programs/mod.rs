//! Programs that misbehave: every fault is named, no process is left, and no wait is endless.

mod answers;
mod common;
mod contest;
mod endings;
mod gtp;
mod starts;
mod ugi;
