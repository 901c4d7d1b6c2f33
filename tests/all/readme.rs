//! The examples of the README are real: each is run in a shell and must give what stands there.

use std::path::Path;
use std::process::Command;

/// The commands of the README with the output that stands below them.
fn examples(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.split("\n```\n").filter_map(|block| block.strip_prefix("$ "));
    blocks.map(|block| block.split_once('\n').unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn the_examples_are_real() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let path = Path::new(env!("CARGO_BIN_EXE_soffio")).parent().unwrap();
    let path = format!("{}:{}", path.display(), std::env::var("PATH").unwrap());
    let mut run = 0;
    for (command, wanted) in examples(&text) {
        // The engine's own has times in it, and the gate compares the signature.
        if command == "soffio" || command.starts_with("soffio bench") {
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("PATH", &path).env_remove("SOFFIO_VARIANT");
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), wanted.trim_end(), "{command}");
        run += 1;
    }
    assert!(run >= 8, "{run} examples");
}

#[test]
fn the_signature_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let signature = std::fs::read_to_string(root.join("tests/data/bench.signature")).unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains(&format!("\n{}\n```", signature.trim())), "the README shows another signature");
}
