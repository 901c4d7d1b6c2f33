//! The `soffio` binary.

fn main() {}
