//! Contests between agents and programs, and the statistics of their results.
//!
//! A [`Contest`] has a plan, its [`Conditions`]: the contestants, their pairings, the limit of a move and the openings.
//! Games come in rounds that favour no contestant. Several games are played at a time, each kept in a [`Store`] if
//! there is one, and counted in the [`PairScore`] of its pairing. The module [`statistics`] says what the counts mean,
//! and the module [`judge`] scores agents and programs by the cases of a contest for one.
//!
//! Everything here is written against [`Session`](boughs::Session) and [`Agent`](boughs::Agent): a game and an agent
//! are values, so nothing is compiled again for each of them.

mod archive;
mod conditions_text;
mod contest;
mod contest_setup;
mod contestant;
mod cores;
mod engine;
mod error;
mod exact;
mod files;
mod foreign_text;
mod frame;
mod game_pool;
mod game_runner;
mod hidden_choices;
pub mod judge;
mod load;
mod opening;
mod openings_text;
mod pair_score;
mod plan;
mod program;
mod protocol;
mod record;
mod referee;
mod replay;
mod running_game;
pub mod sgf;
pub mod statistics;
mod store;
mod table;
mod tune;

pub use contest::{Contest, News, Progress, ReplayCommand};
pub use contest_setup::ContestSetup;
pub use contestant::{Contestant, ContestantError, Program};
pub use engine::{CheckNews, CheckStep, EngineCheck, EngineProtocol, Outcome, check_engine};
pub use error::ArenaError;
pub use files::{Checksums, checksums, file_checksum};
pub use foreign_text::{harmless, harmless_line, is_active};
pub use frame::{Frame, boards, frames};
pub use game_pool::tables_here;
pub use hidden_choices::with_choices_redrawn;
pub use load::{Load, LoadMeter};
pub use pair_score::{PairScore, Side};
pub use plan::{Conditions, Limit, MOST_GAMES, Openings, Planned};
pub use program::{Bot, Edition, Launch, Notes, TIME_VARIABLE, kill_programs, plain};
pub use record::{Clock, Ending, Fault, Record};
pub use referee::{RELAY, Referee, relay};
pub use store::{
    Added, Best, CaseKey, Event, EventId, EventKey, Measurement, MeasurementEntry, MeasurementId, Numbers, Store,
    StoreError, StoredGame, StoredGames,
};
pub use tune::{Confirmation, Param, Stage, Tried, Tuned, Tuning, candidates};
