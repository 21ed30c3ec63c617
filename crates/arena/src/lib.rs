//! Games between agents and programs, and what their results say about strength.
//!
//! A [`Contest`] has a plan ([`Conditions`]): who meets whom, how long they think, what games begin with. Its games come in
//! rounds that favour nobody, are played several at a time, kept in a [`Store`] if there is one, and counted as they
//! end ([`Standing`]). What the counts mean is in [`statistics`].

mod contest;
mod contestant;
mod cores;
mod error;
mod load;
mod opening;
mod page;
mod plan;
mod playing;
mod program;
mod record;
mod runner;
mod scene;
mod secrets;
mod speech;
mod standing;
pub mod statistics;
mod store;
mod table;
mod tune;
mod venue;

pub use contest::{Contest, News, Progress, Replay};
pub use contestant::{Contestant, ContestantError, Program};
pub use error::ArenaError;
pub use load::{Load, LoadMeter};
pub use page::{Album, Film, Page, Shot};
pub use plan::{Conditions, Limit, MOST_GAMES, Openings, Planned};
pub use program::{Bot, Launch, Notes, kill_programs, plain};
pub use record::{Clock, Ending, Fault, Record};
pub use runner::tables_here;
pub use scene::boards;
pub use standing::{Side, Standing};
pub use store::{Added, Best, CaseKey, Event, EventId, EventKey, Games, Kept, Numbers, Store, StoreError};
pub use tune::{Confirmation, Param, Tried, Tuned, Tuning, candidates};
pub use venue::Venue;
