//! The messages that wait for a page: answers in a queue, and of each search the latest news alone, so that a slow page
//! is not sent what is past.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam::channel::{Receiver, Sender, bounded};
use serde_json::{Value, json};

use crate::hub::{News, Watch};
use crate::refusal::Refusal;

/// The most answers that wait for a slow page before it is heard again.
const MOST_WAITING: usize = 16;

/// The most questions of a page that wait for their answers.
const MOST_QUESTIONS: usize = 8;

/// The messages of a page.
pub(crate) struct Outbox {
    state: Mutex<State>,
    /// Tells the page's reader that an answer has gone out.
    sent: Condvar,
    /// Tells the page's writer that there may be something new.
    bell: Sender<()>,
    rung: Receiver<()>,
}

#[derive(Default)]
struct State {
    answers: VecDeque<String>,
    /// The searches whose news the page gets, by its names of them.
    followed: HashMap<String, Followed>,
    /// The number of questions that wait for their answers.
    questions: usize,
    is_closed: bool,
}

/// A search whose news a page gets.
struct Followed {
    /// The beginning of its messages.
    head: String,
    /// The run from which on there are news.
    run: u64,
    watch: Watch,
}

impl State {
    /// The next message.
    fn next(&mut self) -> Option<String> {
        let news = |followed: &mut Followed| {
            let update = followed.watch.newer().filter(|update| update.run >= followed.run)?;
            Some(update.text(&followed.head))
        };
        self.answers.pop_front().or_else(|| self.followed.values_mut().find_map(news))
    }
}

impl Outbox {
    pub(crate) fn new() -> Outbox {
        let (bell, rung) = bounded(1);
        Outbox { state: Mutex::default(), sent: Condvar::new(), bell, rung }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and tells the writer.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        // A bell that has rung already rings for this too.
        let _ = self.bell.try_send(());
    }

    /// Adds an answer.
    pub(crate) fn push(&self, answer: String) {
        self.change(|state| state.answers.push_back(answer));
    }

    /// Sends the news of a search from a run on, in place of those by the same name.
    pub(crate) fn follow(&self, name: &str, tag: u64, news: &Arc<News>, run: u64) {
        let followed = Followed { head: head_of_news(name, tag), run, watch: news.watch(self.bell.clone()) };
        self.change(|state| _ = state.followed.insert(name.into(), followed));
    }

    /// Sends no more news by this name, but for those of a search that has stopped for this page.
    pub(crate) fn stop(&self, name: &str) {
        self.change(|state| {
            if let Some(Followed { head, watch, .. }) = state.followed.remove(name) {
                state.answers.push_back(watch.latest().stopped_text(&head));
            }
        });
    }

    /// Sends no more news by this name.
    pub(crate) fn leave(&self, name: &str) {
        self.state().followed.remove(name);
    }

    /// Waits until a page takes its answers.
    pub(crate) fn wait_for_room(&self) {
        let is_full = |state: &mut State| state.answers.len() >= MOST_WAITING && !state.is_closed;
        drop(self.sent.wait_while(self.state(), is_full));
    }

    /// Waits for the next message. `None` at the end.
    pub(crate) fn next(&self) -> Option<String> {
        loop {
            let mut state = self.state();
            if state.is_closed {
                return None;
            }
            if let Some(message) = state.next() {
                self.sent.notify_one();
                return Some(message);
            }
            drop(state);
            // The bell is as old as the outbox, so this waits until it rings.
            let _ = self.rung.recv();
        }
    }

    /// Ends the messages. Those that wait are dropped.
    pub(crate) fn close(&self) {
        self.change(|state| *state = State { is_closed: true, ..State::default() });
        self.sent.notify_one();
    }

    /// A way for the answer to a question, which may come late, as a member of the message that begins with `head`.
    pub(crate) fn ask(self: &Arc<Outbox>, head: Value, member: &'static str) -> Result<Reply, Refusal> {
        let mut state = self.state();
        if state.questions >= MOST_QUESTIONS {
            return Err(Refusal::bad("the search has not answered the last questions yet"));
        }
        state.questions += 1;
        Ok(Reply { out: self.clone(), head: Some(head), member })
    }
}

/// The way of one answer to the page that has asked.
pub(crate) struct Reply {
    out: Arc<Outbox>,
    /// The beginning of the answer, until it is sent.
    head: Option<Value>,
    member: &'static str,
}

impl Reply {
    pub(crate) fn send(mut self, answer: Result<Value, Refusal>) {
        self.answer(answer);
    }

    fn answer(&mut self, answer: Result<Value, Refusal>) {
        let Some(head) = self.head.take() else { return };
        let text = answer_of(head, answer.map(|value| (self.member, value)));
        self.out.change(|state| {
            if !state.is_closed {
                state.questions -= 1;
                state.answers.push_back(text);
            }
        });
    }

    /// Returns true if the page has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.state().is_closed
    }
}

impl Drop for Reply {
    /// A search that ends, or panics, answers no question any more.
    fn drop(&mut self) {
        self.answer(Err(Refusal::failed("the search has ended")));
    }
}

/// The beginning of the news of a search.
fn head_of_news(name: &str, tag: u64) -> String {
    format!("{{\"name\":\"{name}\",\"tag\":{tag},")
}

/// The answer to an order: a member with its value, or a fault.
pub(crate) fn answer_of(mut head: Value, answer: Result<(&'static str, Value), Refusal>) -> String {
    match answer {
        Ok((member, value)) => head[member] = value,
        Err(refusal) => head["fault"] = json!(refusal.sentence),
    }
    head.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::{State, Update};

    fn update(state: State, run: u64) -> Update {
        Update { state, run, members: "".into() }
    }

    /// The members of a message that name it.
    fn shown(message: String) -> String {
        let message: Value = serde_json::from_str(&message).expect("JSON");
        format!("{} {}", message["tag"], message["state"].as_str().unwrap_or_default())
    }

    #[test]
    fn a_slow_page_gets_the_latest_news_of_the_runs_that_it_asked_for() {
        let (out, news) = (Outbox::new(), News::new());
        let next = || out.state().next().map(shown);
        news.publish(update(State::Ended, 1));
        out.follow("main", 7, &news, 2);
        assert_eq!(next(), None, "the first run was before");
        for _ in 0..100 {
            news.publish(update(State::Running, 2));
        }
        news.publish(update(State::Ended, 2));
        assert_eq!((next().as_deref(), next()), (Some("7 ended"), None));
        // A page that follows the search anew gets no news by its older number any more.
        news.publish(update(State::Running, 3));
        out.follow("main", 8, &news, 2);
        assert_eq!((next().as_deref(), next()), (Some("8 running"), None));
        out.stop("main");
        news.publish(update(State::Running, 3));
        assert_eq!((next().as_deref(), next()), (Some("8 stopped"), None));
    }

    #[test]
    fn a_writer_that_waits_is_woken() {
        let (out, news) = (Arc::new(Outbox::new()), News::new());
        let (sender, sent) = bounded(9);
        let messages = out.clone();
        std::thread::spawn(move || std::iter::from_fn(|| messages.next()).for_each(|text| _ = sender.send(text)));
        let next = || sent.recv_timeout(std::time::Duration::from_secs(20)).map(shown).ok();
        out.follow("main", 1, &news, 0);
        assert_eq!(next().as_deref(), Some("1 new"));
        news.publish(update(State::Running, 1));
        assert_eq!(next().as_deref(), Some("1 running"));
        out.push(r#"{"tag":0}"#.into());
        assert_eq!(next().as_deref(), Some("0 "));
        news.publish(update(State::Stopped, 1));
        assert_eq!(next().as_deref(), Some("1 stopped"));
        out.close();
        assert!(sent.recv().is_err(), "the writer has ended");
    }

    #[test]
    fn a_question_that_is_dropped_is_answered_and_frees_its_place() {
        let out = Arc::new(Outbox::new());
        let ask = || out.ask(json!({ "name": "main" }), "part");
        let next = || out.state().next().unwrap_or_default();
        let asked: Vec<Reply> = (0..MOST_QUESTIONS).map(|_| ask().expect("a place")).collect();
        assert!(ask().is_err());
        drop(asked);
        for _ in 0..MOST_QUESTIONS {
            assert!(next().contains("the search has ended"));
        }
        ask().expect("a place").send(Ok(json!(5)));
        assert_eq!(next(), r#"{"name":"main","part":5}"#);
        let late = ask().expect("a place");
        out.close();
        assert!(late.is_closed());
        drop(late);
        assert_eq!(next(), "", "a page that has gone gets no answer");
    }
}
