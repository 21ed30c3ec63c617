//! The progress of a command on standard error, if that is a terminal.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, Report, SearchError};
use indicatif::{BinaryBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::for_terminal;

/// Time between two changes of a live line.
const TICK: Duration = Duration::from_millis(100);

/// Time that a command works before it shows a spinner.
const PATIENCE: Duration = Duration::from_secs(2);

/// A line that shows the progress of a search. It disappears at the end of the search.
pub(crate) struct LiveLine(ProgressBar);

impl LiveLine {
    pub(crate) fn new() -> LiveLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        LiveLine(bar.with_style(style("{wide_msg}")))
    }

    /// Shows the report so far.
    pub(crate) fn show(&self, report: &Report) {
        if !self.0.is_hidden() {
            self.0.set_message(for_terminal(&describe(report)));
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Searches with a live line.
pub(crate) fn search(agent: &mut dyn Agent, budget: Budget) -> Result<Report, SearchError> {
    let line = LiveLine::new();
    agent.search(budget, &mut |report| line.show(report))
}

fn describe(report: &Report) -> String {
    let best = match report.best_child() {
        Some(best) => format!("{} {}", report.worth_of(best), report.line()),
        None => "no playout yet".to_string(),
    };
    let speed = HumanCount(report.playouts_per_second as u64);
    let memory = BinaryBytes(report.bytes as u64);
    format!("{:.1} s  {speed} playouts/s  {memory}  {best}", report.seconds)
}

/// A spinner that appears when a command takes long, and disappears when it is dropped.
pub(crate) struct Spinner {
    bar: ProgressBar,
    /// The thread that shows the spinner ends when this is dropped.
    _alive: Sender<()>,
}

impl Spinner {
    pub(crate) fn new() -> Spinner {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let bar = bar.with_style(style("{spinner} {elapsed} {wide_msg}"));
        let (alive, gone) = channel::<()>();
        let appears = bar.clone();
        thread::spawn(move || {
            if gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                appears.set_draw_target(ProgressDrawTarget::stderr());
                appears.enable_steady_tick(TICK);
            }
        });
        Spinner { bar, _alive: alive }
    }

    /// Shows the current step.
    pub(crate) fn say(&self, text: String) {
        self.bar.set_message(for_terminal(&text));
    }

    /// Runs an action that writes to the terminal too.
    pub(crate) fn aside<T>(&self, action: impl FnOnce() -> T) -> T {
        self.bar.suspend(action)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar of a known number of steps, with the time left. It disappears when it is dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of this number of steps.
    pub(crate) fn new(steps: u64) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let bar = bar.with_style(style("{bar:20} {human_pos}/{human_len}  {eta} left  {wide_msg}"));
        // A thread that wakes up would disturb a measurement.
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Bar(bar)
    }

    /// Shows the current step.
    pub(crate) fn say(&self, text: impl Into<Cow<'static, str>>) {
        self.0.set_message(for_terminal(&text.into()));
    }

    /// Shows the number of steps that are done.
    pub(crate) fn show(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar with lines below it that change as work goes on. All disappear when it is dropped.
pub(crate) struct Live {
    bar: ProgressBar,
    /// Time of the last change.
    changed: Cell<Option<Instant>>,
}

impl Live {
    /// A bar of this number of games, if it is known.
    pub(crate) fn new(games: Option<u64>) -> Live {
        Live::of(games, "games")
    }

    /// A bar of this number of steps, if it is known, with the name of a step.
    pub(crate) fn of(steps: Option<u64>, name: &str) -> Live {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::stderr());
        let template = match steps {
            Some(_) => format!("{{bar:20}} {{human_pos}}/{{human_len}} {name}  {{eta}} left\n{{msg}}"),
            None => format!("{{spinner}} {{human_pos}} {name}  {{elapsed}}\n{{msg}}"),
        };
        Live { bar: bar.with_style(style(&template)), changed: Cell::new(None) }
    }

    /// Shows the number of steps that are done. The lines are made only when they are shown.
    pub(crate) fn show(&self, done: u64, lines: impl FnOnce() -> String) {
        let is_old = self.changed.get().is_none_or(|changed| changed.elapsed() >= TICK);
        if is_old && !self.bar.is_hidden() {
            self.changed.set(Some(Instant::now()));
            self.bar.set_position(done);
            self.say(lines);
        }
    }

    /// Shows what happens next, even if something was shown just before.
    pub(crate) fn say(&self, lines: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(for_terminal(&lines()));
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
