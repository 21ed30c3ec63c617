//! Signs of life on standard error, where that is a terminal; nothing otherwise.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, Game, Report, SearchError};
use indicatif::{BinaryBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a live line changes.
const TICK: Duration = Duration::from_millis(100);

/// How long a command may work in silence.
const PATIENCE: Duration = Duration::from_secs(2);

/// One line that shows how a search goes, and is gone when the search is done.
pub(crate) struct LiveLine(ProgressBar);

impl LiveLine {
    pub(crate) fn new() -> LiveLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        LiveLine(bar.with_style(style("{wide_msg}")))
    }

    /// Shows what the search knows by now.
    pub(crate) fn show<A: Copy>(&self, report: &Report<A>) {
        if !self.0.is_hidden() {
            self.0.set_message(describe(report));
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Searches with a live line.
pub(crate) fn search<G: Game>(agent: &mut dyn Agent<G>, budget: Budget) -> Result<Report<G::Action>, SearchError> {
    let line = LiveLine::new();
    agent.search(budget, &mut |report| line.show(report))
}

fn describe<A: Copy>(report: &Report<A>) -> String {
    let best = match report.best_child() {
        Some(best) => format!("{} {}", report.worth(best.mean), report.line()),
        None => "no playout yet".to_string(),
    };
    let speed = HumanCount(report.playouts_per_second as u64);
    let memory = BinaryBytes(report.bytes as u64);
    format!("{:.1} s  {speed} playouts/s  {memory}  {best}", report.seconds)
}

/// A spinner that appears when a command takes long, and is gone with it.
pub(crate) struct Spinner {
    bar: ProgressBar,
    /// Tells the thread that makes it appear that there is no need any more.
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

    /// What is being done now.
    pub(crate) fn say(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Does something that writes to the terminal too.
    pub(crate) fn aside<T>(&self, action: impl FnOnce() -> T) -> T {
        self.bar.suspend(action)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar that fills as a known number of steps is made, with the time left; it is gone when they are.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// For so many steps.
    pub(crate) fn new(steps: u64) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let bar = bar.with_style(style("{bar:20} {human_pos}/{human_len}  {eta} left  {wide_msg}"));
        // Nobody should wake up beside a measurement for nothing.
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Bar(bar)
    }

    /// What is being done now.
    pub(crate) fn say(&self, text: impl Into<Cow<'static, str>>) {
        self.0.set_message(text);
    }

    /// So many steps are done.
    pub(crate) fn show(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar with lines below it that change as work goes on; all are gone when it is done.
pub(crate) struct Live {
    bar: ProgressBar,
    /// When it was changed last.
    changed: Cell<Option<Instant>>,
}

impl Live {
    /// For so many games, where their number is known.
    pub(crate) fn new(games: Option<u64>) -> Live {
        Live::of(games, "games")
    }

    /// For so many steps with this name, where their number is known.
    pub(crate) fn of(steps: Option<u64>, name: &str) -> Live {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::stderr());
        let template = match steps {
            Some(_) => format!("{{bar:20}} {{human_pos}}/{{human_len}} {name}  {{eta}} left\n{{msg}}"),
            None => format!("{{spinner}} {{human_pos}} {name}  {{elapsed}}\n{{msg}}"),
        };
        Live { bar: bar.with_style(style(&template)), changed: Cell::new(None) }
    }

    /// So many steps are done; what is to be said is only made up where and when somebody reads it.
    pub(crate) fn show(&self, done: u64, lines: impl FnOnce() -> String) {
        let is_old = self.changed.get().is_none_or(|changed| changed.elapsed() >= TICK);
        if is_old && !self.bar.is_hidden() {
            self.changed.set(Some(Instant::now()));
            self.bar.set_position(done);
            self.bar.set_message(lines());
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
