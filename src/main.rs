//! The `soffio` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    soffio::cli::main()
}
