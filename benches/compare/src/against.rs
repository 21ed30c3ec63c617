//! Another build of this program, whose Boughs runs in the same rounds: an older commit, or another profile.
//!
//! The other program makes its runs as this one makes its own ([`crate::run`]): started with `--run boughs`, it prints
//! what it measured. So both builds have their own engine, games and flags, and the ratio of the two is taken within
//! rounds like any other.

use std::path::Path;

use crate::case::Case;
use crate::engines::{Entry, Role, entries};
use crate::run::Job;

/// Reads `NAME=PROGRAM` as an entry of the list of engines, which lives as long as this program.
///
/// # Errors
/// If the text has another form, the name is that of an engine, or there is no such file.
pub(crate) fn parse(text: &str) -> Result<&'static Entry, String> {
    let wrong =
        || format!("'{text}' is not a name and a program, such as d335818=../before/target/release/boughs-compare");
    let (name, program) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
    if entries().iter().any(|entry| entry.name == name) {
        return Err(format!("'{name}' is the name of another engine; name the commit"));
    }
    // A path without a folder would be looked for among the system's programs.
    let path = std::fs::canonicalize(program).map_err(|error| format!("{program}: {error}"))?;
    let settings = format!("boughs as {} has it", path.display());
    Ok(Box::leak(Box::new(Entry {
        name: name.to_string().leak(),
        role: Role::Other,
        parallel: true,
        settings: settings.leak(),
        program: Some(Box::<Path>::leak(path.into_boxed_path())),
    })))
}

/// Lets the other program make one playout of each case, since an error should not be found out about in an hour.
///
/// # Errors
/// If it is not a build of this program, or one that lacks a case.
pub(crate) fn check(other: &'static Entry, cases: &[Case]) -> Result<(), String> {
    for case in cases {
        let case = Case { playouts: 1, ..case.clone() };
        let job = Job { engine: other.name, program: other.program, case, threads: 1, seed: 0, count: false };
        job.run().map_err(|error| format!("--against, {} cannot run {}: {error}", other.name, job.case.game))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_an_error_that_names_the_fault() {
        for (text, words) in [
            ("before", "not a name and a program"),
            ("=Cargo.toml", "not a name and a program"),
            ("boughs=Cargo.toml", "another engine"),
            ("before=no/such/program", "no/such/program: "),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_name_may_be_any_other() {
        let entry = parse("before=Cargo.toml").expect("the file of this crate");
        assert_eq!((entry.name, entry.role), ("before", Role::Other));
        assert!(entry.program.is_some_and(|path| path.is_absolute() && path.ends_with("Cargo.toml")));
    }
}
