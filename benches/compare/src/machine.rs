//! The machine and the build of a measurement.

use std::process::Command;

use serde::Serialize;

/// The machine, and how this program was built.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The processor's name, where the system tells.
    pub(crate) processor: Option<String>,
    pub(crate) cores: usize,
    /// Instruction sets the program was compiled for, of those that matter here.
    pub(crate) instructions: Vec<&'static str>,
    pub(crate) compiler: &'static str,
    /// The content of `RUSTFLAGS`.
    pub(crate) flags: &'static str,
    /// The commit, with `-dirty` after it if files were changed.
    pub(crate) commit: Option<String>,
}

impl Machine {
    /// This one.
    pub(crate) fn here() -> Machine {
        Machine {
            processor: processor(),
            cores: boughs::run::cores(),
            instructions: instructions(),
            compiler: env!("BUILT_BY"),
            flags: env!("BUILT_WITH"),
            commit: commit(),
        }
    }
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

fn instructions() -> Vec<&'static str> {
    let sets = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    sets.into_iter().filter(|(_, compiled)| *compiled).map(|(name, _)| name).collect()
}

fn commit() -> Option<String> {
    let here = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("git").args(["-C", here, "describe", "--always", "--dirty"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}
