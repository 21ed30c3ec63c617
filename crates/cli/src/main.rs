//! The program `boughs`, with the games of `boughs-games`. All of it is in the library `boughs_cli`.

fn main() -> std::process::ExitCode {
    boughs_cli::main_with(&[])
}
