//! The delay of the machine: how late it wakes threads, and the margin that this asks for before a limit in time.

mod delays;

use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use self::delays::Delays;
use crate::clock::now;

/// The sleep between two measurements. A sleeping thread wakes as late as one that waits for a search.
const NAP: Duration = Duration::from_millis(4);

/// The margin widens by this many delays. A thread hears the question, one wakes at the deadline and one takes the
/// answer; they are seldom late all at once.
const WAKES: u32 = 2;

/// A meter of how late the machine wakes threads, for bots that must not be late.
///
/// Beside a busy program, a thread that wakes waits for a core, often for longer than a usual margin. The meter counts
/// how late the bot takes up each question, and how late each answer is after its deadline. Between answers, a thread
/// of the meter sleeps for short times and counts how much longer each sleep was; during a search the bot's own workers
/// would keep it waiting. The thread ends when the last clone of the meter is dropped. Start it on the cores that the
/// bot runs on.
///
/// ```
/// use boughs_core::{Budget, DelayMeter};
/// use std::time::{Duration, Instant};
///
/// let (time, least) = (Duration::from_millis(100), Duration::from_millis(5));
/// let meter = DelayMeter::start(); // once, when the bot starts
/// # fn time_of_question() -> Instant { Budget::time(Duration::ZERO).deadline().unwrap() }
/// let arrived = time_of_question();
/// meter.asked(arrived); // for each move
/// let deadline = arrived + time - meter.margin(least, time);
/// let budget = Budget::until(deadline);
/// # let _ = budget;
/// // ... the search, and the answer ...
/// meter.answered(Some(deadline));
/// ```
#[derive(Clone, Debug)]
pub struct DelayMeter(Arc<Delays>);

impl DelayMeter {
    /// Starts to measure. If the system gives no thread, delays are known only from [`asked`](DelayMeter::asked) and
    /// [`answered`](DelayMeter::answered).
    pub fn start() -> DelayMeter {
        let delays = Arc::new(Delays::new(now()));
        let measured = Arc::downgrade(&delays);
        // Without the thread the margin is what it was without this meter.
        let _ = thread::Builder::new().name("boughs-delay".into()).spawn(move || measure(&measured));
        DelayMeter(delays)
    }

    /// The delay that was reached three times in the last 10 to 20 seconds, rounded up by a fifth at most. Zero if
    /// there were fewer.
    pub fn delay(&self) -> Duration {
        self.0.longest()
    }

    /// The margin before the end of a time: at least `least`, and wider while the machine wakes threads late, but not
    /// so wide that less than half of the time is left.
    pub fn margin(&self, least: Duration, time: Duration) -> Duration {
        let wide = least.saturating_add(self.delay().saturating_mul(WAKES));
        wide.min(time / 2).max(least)
    }

    /// Counts the delay of a question that arrived at this time and is taken up now. Until the answer the meter's
    /// thread measures nothing.
    pub fn asked(&self, arrived: Instant) {
        let now = now();
        self.0.begin_turn();
        self.0.turn_over(now);
        self.0.add(now.saturating_duration_since(arrived));
    }

    /// Counts the delay of an answer that is ready now, after its search had this deadline, if it had one.
    pub fn answered(&self, deadline: Option<Instant>) {
        if let Some(deadline) = deadline {
            self.0.add(now().saturating_duration_since(deadline));
        }
        self.0.end_turn();
    }
}

/// Measures until the meter is dropped.
fn measure(delays: &Weak<Delays>) {
    while let Some(turns) = delays.upgrade().map(|delays| delays.turns_between()) {
        let asleep = now();
        thread::sleep(NAP);
        let awake = now();
        let delays = match delays.upgrade() {
            Some(delays) => delays,
            None => return,
        };
        delays.turn_over(awake);
        if turns.is_some() && turns == delays.turns_between() {
            delays.add(awake.duration_since(asleep).saturating_sub(NAP));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// A meter without a thread.
    fn meter() -> DelayMeter {
        DelayMeter(Arc::new(Delays::new(now())))
    }

    /// Adds a delay as often as it has to be seen.
    fn add(meter: &DelayMeter, delay: Duration) {
        (0..3).for_each(|_| meter.0.add(delay));
    }

    #[test]
    fn the_margin_is_wider_by_the_delays_seen_and_leaves_half_of_the_time() {
        let meter = meter();
        assert_eq!(meter.margin(12 * MS, 100 * MS), 12 * MS);
        add(&meter, 3 * MS);
        assert_eq!(meter.margin(12 * MS, 100 * MS), 12 * MS + WAKES * meter.delay());
        add(&meter, Duration::MAX);
        assert_eq!(meter.margin(12 * MS, 100 * MS), 50 * MS);
        assert_eq!(meter.margin(70 * MS, 100 * MS), 70 * MS, "the least margin stands");
    }

    #[test]
    fn a_late_answer_counts_and_an_early_one_is_no_delay() {
        let meter = meter();
        for deadline in [None, now().checked_add(1_000 * MS)] {
            (0..3).for_each(|_| meter.answered(deadline));
            assert!(meter.delay() < MS);
        }
        (0..3).for_each(|_| meter.answered(now().checked_sub(7 * MS)));
        assert!(meter.delay() >= 7 * MS);
    }

    #[test]
    fn a_question_that_is_taken_up_late_counts_and_no_sleep_does_until_its_answer() {
        let meter = meter();
        for _ in 0..3 {
            let before = meter.0.turns_between();
            assert!(before.is_some());
            meter.asked(now().checked_sub(7 * MS).expect("the clock began before"));
            assert_eq!(meter.0.turns_between(), None);
            meter.answered(None);
            let after = meter.0.turns_between();
            assert!(after.is_some() && after != before, "a sleep over a whole search does not count either");
            meter.answered(None);
            assert_eq!(meter.0.turns_between(), after);
        }
        assert!(meter.delay() >= 7 * MS);
    }

    #[test]
    fn a_meter_without_its_thread_forgets_delays_too() {
        let a_minute_ago = now().checked_sub(60_000 * MS).expect("the clock began before");
        let meter = DelayMeter(Arc::new(Delays::new(a_minute_ago)));
        add(&meter, 7 * MS);
        assert!(meter.delay() >= 7 * MS);
        meter.asked(now());
        assert!(meter.delay() < 7 * MS);
    }

    #[test]
    fn the_thread_measures_and_ends_with_the_meter() {
        let meter = DelayMeter::start();
        let deadline = now() + Duration::from_secs(20);
        while meter.delay().is_zero() && now() < deadline {
            thread::sleep(NAP);
        }
        assert!(!meter.delay().is_zero(), "some sleeps were measured");
        let delays = Arc::downgrade(&meter.0);
        drop(meter);
        while delays.upgrade().is_some() && now() < deadline {
            thread::sleep(NAP);
        }
        assert!(delays.upgrade().is_none());
    }
}
