//! Computes the checksum of the sources that the result of a shard depends on, so that programs of other sources are
//! told apart even if they have the same version.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose code decides what a shard results in.
const CRATES: [&str; 6] = ["engine", "games", "agents", "arena", "lab", "shards"];

fn main() {
    let mut checksum = 0xcbf2_9ce4_8422_2325;
    for name in CRATES {
        let folder = Path::new("..").join(name);
        // Without its neighbours the crate came from a registry, where the version says which sources they have.
        if !folder.is_dir() {
            add(&mut checksum, format!("{name} {}", env!("CARGO_PKG_VERSION")).as_bytes());
            continue;
        }
        let mut files = vec![folder.join("Cargo.toml")];
        list(&folder.join("src"), &mut files);
        files.retain(|file| !is_of_an_editor(file));
        files.sort();
        for file in files {
            add(&mut checksum, file.to_string_lossy().as_bytes());
            add(&mut checksum, &fs::read(&file).unwrap_or_default());
        }
        println!("cargo::rerun-if-changed={}", folder.join("src").display());
        println!("cargo::rerun-if-changed={}", folder.join("Cargo.toml").display());
    }
    println!("cargo::rustc-env=BOUGHS_SOURCES={checksum:016x}");
}

/// Returns true for a file that editors and systems leave behind.
fn is_of_an_editor(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp") || name.ends_with(".orig")
}

/// Lists the files of a folder and of the folders in it.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { list(&path, files) } else { files.push(path) }
    }
}

/// Adds bytes to a checksum by FNV-1a (Fowler, Noll and Vo 1991).
fn add(checksum: &mut u64, bytes: &[u8]) {
    for &byte in bytes {
        *checksum = (*checksum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
