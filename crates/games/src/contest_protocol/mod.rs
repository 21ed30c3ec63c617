//! Protocols of contests: the part that the games of different contests share.
//!
//! In a contest a program talks to the official referee in lines of text. [`ContestReferee`] is the referee's side of a
//! game between programs. The `protocol` modules of the games read and write the lines of their contest; faults of the
//! input, numbers and messages are the same in all of them and stand here.

mod answer;
mod fault;
mod lines;
mod referee;

pub use self::answer::Number;
pub(crate) use self::answer::{WHITE_SPACE, ends_command, read_number, shown_message, trim_control};
pub use self::fault::InputFault;
pub(crate) use self::fault::beginning;
pub(crate) use self::lines::{numbers, read_line};
pub use self::referee::{ContestReferee, FIRST_ANSWER, Referee, Verdict};
