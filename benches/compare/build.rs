//! Tells the program how it was built, which is part of what it measures.

use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    // Flags are separated by a character that no flag has.
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    println!("cargo:rustc-env=BUILT_BY={version}");
    println!("cargo:rustc-env=BUILT_WITH={flags}");
    println!("cargo:rerun-if-changed=build.rs");
}
