//! `boughs export --watch`: the file anew after each change of a source file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use boughs_export::Watch;

use crate::failure::Failure;
use crate::output::{print, spinner};
use crate::{LOOK, Work, interrupt, interrupted_or};

/// Writes the first file, and after each change a quick and a complete one, until a signal comes.
pub(crate) fn run(work: &Work<'_>) -> Result<(), Failure> {
    let mut watch = Watch::new(work.program());
    let mut sources = Sources::default();
    let (mut shown, mut is_first) = (Some(spinner()), true);
    while !interrupt::has_come() {
        let mut say = |stage: &str| shown.iter().for_each(|spinner| spinner.set_message(stage.to_string()));
        if let Some(made) = watch.complete(&mut say) {
            drop(shown.take());
            match made {
                Ok(export) => {
                    is_first = false;
                    sources.add(&export.files);
                    work.write(&export, None)?;
                }
                Err(error) if is_first || interrupt::has_come() => return Err(interrupted_or(&error)),
                // The next change may repair it.
                Err(error) => print(&format!("{}\n", interrupted_or(&error).sentence()))?,
            }
        }
        if sources.have_changed() {
            drop(shown.take());
            let made = watch.change(&mut |_| ());
            // A complete file follows, unless this is one or the crate does not compile.
            let follows = made.as_ref().is_none_or(|made| made.as_ref().is_ok_and(|export| !export.is_complete));
            match made {
                Some(Ok(export)) => {
                    sources.add(&export.files);
                    work.write(&export, None)?;
                }
                Some(Err(error)) => print(&format!("{}\n", interrupted_or(&error).sentence()))?,
                None => {}
            }
            shown = follows.then(spinner);
        }
        thread::sleep(LOOK);
    }
    match is_first {
        true => Err(interrupt::interrupted()),
        false => Ok(()),
    }
}

/// The source files, and when each was last changed.
#[derive(Default)]
struct Sources(BTreeMap<PathBuf, Option<SystemTime>>);

impl Sources {
    /// Looks after these files too.
    fn add(&mut self, files: &[PathBuf]) {
        for file in files {
            self.0.entry(file.clone()).or_insert_with(|| changed(file));
        }
    }

    /// Returns true if a file has changed since the last look.
    fn have_changed(&mut self) -> bool {
        let mut has_changed = false;
        for (file, last) in &mut self.0 {
            let now = changed(file);
            has_changed |= std::mem::replace(last, now) != now;
        }
        has_changed
    }
}

/// The time at which a file was last changed.
fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().ok().and_then(|facts| facts.modified().ok())
}
