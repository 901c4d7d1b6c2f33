//! `completions` and `man`: both know every command, as the command line's own help does.

use crate::drive::{done, failed};

/// The commands that help lists.
fn commands() -> Vec<String> {
    let help = done(&["--help"], "");
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn completions_know_every_command() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = done(&["completions", shell], "");
        for name in &commands {
            assert!(script.contains(name.as_str()), "{shell}: {name}");
        }
        assert!(script.contains("variant") && script.contains("positions"), "{shell}");
    }
    assert_eq!(failed(&["completions", "cmd"], "").0, 2);
}

/// What bash offers behind a line.
#[cfg(unix)]
#[test]
fn bash_completes() {
    let script = "eval \"$(\"$0\" completions bash)\"; COMP_WORDS=(soffio conv); COMP_CWORD=1; _soffio soffio conv soffio; \
        echo \"${COMPREPLY[@]}\"; COMP_WORDS=(soffio convert --to ''); COMP_CWORD=3; _soffio soffio '' --to; \
        echo \"${COMPREPLY[@]}\"";
    let output =
        std::process::Command::new("bash").args(["-c", script, env!("CARGO_BIN_EXE_soffio")]).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: no bash");
        return;
    };
    let offered = String::from_utf8(output.stdout).unwrap();
    assert_eq!(offered, "convert\npdn fen hub json\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_page_has_every_command_with_its_example() {
    let page = done(&["man"], "");
    assert!(page.contains(".TH soffio 1 "), "{page}");
    for name in commands() {
        let heading = format!(".SS soffio {name}\n");
        let section = page.split(&heading).nth(1).unwrap_or_else(|| panic!("no section {name}"));
        let section = section.split(".SS ").next().unwrap();
        assert!(section.contains("Example"), "{name}: {section}");
    }
    assert!(page.contains(".SS soffio train selfplay\n") && page.contains("\\-\\-positions"));
    assert!(page.lines().filter(|line| line.starts_with(".SH")).count() < 9);
}
