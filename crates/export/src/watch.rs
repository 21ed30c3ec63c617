//! The files of a program that changes: a quick one after each change, and the complete one when it is ready.
//!
//! A thread makes the complete files. A change ends its work, which begins anew when the quick file is made.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::fault::{ExportError, Source};
use crate::process::Ends;
use crate::quick::Quick;
use crate::shelf::Shelf;
use crate::{Export, Judge, Learned, Minify, Request, export};

/// A program that is exported again and again. Its parts are those of a [`Request`].
#[derive(Clone)]
pub struct Program {
    /// The folder of the crate.
    pub folder: PathBuf,
    /// The name of the binary, where the crate has several.
    pub bin: Option<String>,
    /// The agent that `main` is to have.
    pub agent: Option<String>,
    /// The judge that compiles the file.
    pub judge: Judge,
    /// The work on the length of the file.
    pub minify: Minify,
}

impl Program {
    /// The request for one file.
    pub fn request(&self) -> Request<'_> {
        let Program { folder, bin, agent, judge, minify } = self;
        Request { folder, bin: bin.as_deref(), agent: agent.as_deref(), judge: *judge, minify: *minify }
    }
}

/// News from the thread that makes complete files.
enum News {
    Stage(String),
    Complete(Box<Result<Export, ExportError>>),
    Learned(Box<Quick>),
}

/// The order to make a complete file.
struct Order {
    ends: Ends,
    /// True if quick files have to be learned afterwards.
    learns: bool,
}

/// The files of a program that changes.
pub struct Watch {
    program: Program,
    quick: Option<Quick>,
    /// True if the last change of a program that compiles had no quick file.
    has_failed: bool,
    /// The end of the work on the last complete file, and what is said of it.
    ends: Ends,
    news: Receiver<(u64, News)>,
    orders: Sender<(u64, Order)>,
    /// The number of the last change, which its order has too; what is said of orders before is old.
    number: u64,
    worker: Option<JoinHandle<()>>,
    shelf: Shelf,
}

impl Watch {
    /// Begins with the first complete file.
    pub fn new(program: Program) -> Watch {
        let (orders, ordered) = channel();
        let (tell, news) = channel();
        let made = program.clone();
        let worker = Some(thread::spawn(move || make_complete_files(&made, &ordered, &tell)));
        let ends = Ends::default();
        let mut watch = Watch {
            program,
            quick: None,
            has_failed: false,
            ends,
            news,
            orders,
            number: 0,
            worker,
            shelf: Shelf::default(),
        };
        watch.order();
        watch
    }

    /// Ends the work on the complete file, returns a quick one, and begins with the complete one after the change.
    /// Returns `None` if there is no quick file, and an error if the crate does not compile: then there is no
    /// complete file either.
    pub fn change(&mut self, stage: &mut dyn FnMut(&str)) -> Option<Result<Export, ExportError>> {
        self.ends.raise();
        self.take_news(&mut |_| ());
        self.number += 1;
        let request = self.program.request();
        let made = self.quick.as_mut().map(|quick| quick.export(&request, &mut self.shelf, stage));
        let made = made.filter(|made| made.as_ref().err().is_none_or(|error| error.source == Source::Crate));
        self.has_failed = made.is_none();
        if made.as_ref().is_none_or(|made| made.as_ref().is_ok_and(|export| !export.is_complete)) {
            self.order();
        }
        made
    }

    /// The complete file of the program after the last change, or why there is none, as soon as it is made.
    pub fn complete(&mut self, stage: &mut dyn FnMut(&str)) -> Option<Result<Export, ExportError>> {
        self.take_news(stage)
    }

    /// Returns true if changes have quick files.
    pub fn is_quick(&self) -> bool {
        self.quick.is_some()
    }

    fn order(&mut self) {
        self.ends = Ends::default();
        let learns = self.quick.is_none() || self.has_failed;
        // A thread that is gone has said why.
        let _ = self.orders.send((self.number, Order { ends: self.ends.clone(), learns }));
    }

    fn take_news(&mut self, stage: &mut dyn FnMut(&str)) -> Option<Result<Export, ExportError>> {
        while let Ok((number, news)) = self.news.try_recv() {
            match news {
                // Hints of an older program are hints as well.
                News::Learned(quick) => self.quick = Some(*quick),
                _ if number != self.number => {}
                News::Stage(text) => stage(&text),
                News::Complete(made) => {
                    if let (Ok(export), Some(quick)) = (&*made, &mut self.quick) {
                        quick.note(export);
                    }
                    return Some(*made);
                }
            }
        }
        None
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.ends.raise();
        drop(std::mem::replace(&mut self.orders, channel().0));
        // Its temporary folders go with the thread.
        self.worker.take().map(JoinHandle::join);
    }
}

/// Makes a complete file for each order, and then learns from it.
fn make_complete_files(program: &Program, orders: &Receiver<(u64, Order)>, tell: &Sender<(u64, News)>) {
    let mut learned = Learned::default();
    let request = program.request();
    while let Ok((number, Order { ends, learns })) = orders.recv() {
        ends.heed();
        // The news has no receiver when the watch is over.
        let say = |news| _ = tell.send((number, news));
        let mut stage = |text: &str| say(News::Stage(text.to_string()));
        let made = export(&request, &mut learned, &mut stage);
        let export = made.as_ref().ok().cloned();
        say(News::Complete(Box::new(made)));
        if let Some(export) = export.filter(|_| learns)
            && let Ok(quick) = Quick::learn(&request, &export, &learned, &mut |_| ())
        {
            say(News::Learned(Box::new(quick)));
        }
    }
}
