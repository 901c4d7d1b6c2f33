//! `soffio match --compliance`: Soffio keeps to its own protocol, and an engine that does not is found out.

use crate::drive::{failed, run};
use serde_json::Value;

/// Checks of times and pauses, which a busy machine may spoil.
const TIMES: [&str; 12] = [
    "handshake-pace",
    "info-pace",
    "ping",
    "move-time",
    "short-move-time",
    "no-move-time-left",
    "clock",
    "clock-moves",
    "infinite-stop",
    "ponder-hit",
    "analyze-stop",
    "ping-during-search",
];

/// The names of the checks with a verdict.
fn names<'a>(report: &'a Value, verdict: &str) -> Vec<&'a str> {
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().filter(|check| check["verdict"] == verdict);
    found.map(|check| check["name"].as_str().unwrap()).collect()
}

/// The report about this engine, which keeps to the protocol.
fn own(variant: &str) {
    let output = run(&["match", "-v", variant, "--compliance", "name=own", "--json", "-"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["failed"].as_u64(), output.status.code()), (Some(0), Some(0)), "{report:#}");
    let warned: Vec<_> = names(&report, "warn").into_iter().filter(|name| !TIMES.contains(name)).collect();
    assert!(warned.is_empty(), "{warned:?}: {report:#}");
    assert_eq!(report["variant"], variant);
    assert!(report["engine"].as_str().unwrap().starts_with("Soffio "), "{report}");
    assert!(report["passed"].as_u64().unwrap() > 60, "{report:#}");
}

#[test]
fn italian() {
    own("italian");
}

#[test]
fn international() {
    own("international");
}

/// An engine that answers all commands at once, with a move of its own that it says twice.
#[cfg(unix)]
const BROKEN: &str = r#"
while read -r word rest; do
  case $word in
    hub) echo "id name=Broken"; echo "param name=variant value=italian type=enum values=\"italian\""; echo wait ;;
    init) echo ready ;;
    ping) echo pong ;;
    go) echo "info score=0.00 depth=x"; echo "done move=1-1"; echo "done move=1-1" ;;
    pos) case $rest in *x*) echo "error message=no" ;; esac ;;
    quit) exit 3 ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn a_broken_engine_is_found_out() {
    let directory = std::env::temp_dir().join(format!("soffio-compliance-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (script, json) = (directory.join("broken.sh"), directory.join("report.json"));
    std::fs::write(&script, BROKEN).unwrap();
    let words = format!("cmd=sh args='{}' name=broken", script.display());
    let output =
        run(&["match", "-v", "italian", "--compliance", &words, "--json", json.to_str().unwrap()], b"");
    let report: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report:#}");
    let wrong = names(&report, "fail");
    for name in [
        "legal-after-moves",
        "legal-from-position",
        "info-keys",
        "info-numbers",
        "one-done",
        "no-legal-move",
        "infinite-stop",
        "ponder-stop",
        "unknown-command",
        "bad-position",
        "quit",
        "nothing-unasked",
    ] {
        assert!(wrong.contains(&name), "{name} has passed: {report:#}");
    }
    let fine = names(&report, "ok");
    for name in ["handshake", "variant", "init", "ping", "idle-stop", "done-arguments", "end-of-input"] {
        assert!(fine.contains(&name), "{name} has not passed: {report:#}");
    }
    // A line a check, then the totals, as in the JSON.
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), report["checks"].as_array().unwrap().len() + 1, "{text}");
    assert_eq!(lines[0], "ok handshake");
    assert!(text.contains("\nFAIL one-done: sent 'pos pos=W"), "{text}");
    let totals = format!("Broken, italian: {} passed, {} failed, ", fine.len(), wrong.len());
    assert!(lines.last().unwrap().starts_with(&totals), "{text}");
}

/// Without a handshake nothing else is tried.
#[cfg(unix)]
#[test]
fn no_engine_at_all() {
    let output = run(&["match", "--compliance", "cmd=true"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 2), "{text}");
    assert!(
        text.starts_with("FAIL handshake: sent 'hub'; expected 'wait' within 10 s; came nothing, "),
        "{text}"
    );
    assert!(text.ends_with("true, italian: 0 passed, 1 failed, 0 warned\n"), "{text}");
    let (code, error) = failed(&["match", "--compliance", "cmd=a speed=3"], "");
    assert_eq!(code, 2, "{error}");
    assert!(error.starts_with("soffio: --compliance \"cmd=a speed=3\": unknown key 'speed'"), "{error}");
    let (code, error) = failed(&["match", "--compliance", "cmd=a", "--engine", "cmd=b"], "");
    assert_eq!(code, 2, "{error}");
}
