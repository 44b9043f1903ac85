//! Groups, width and examples.

use super::{commands, help};
use crate::harness::Home;
use crate::harness::terminal::{Terminal, longest_line};

#[test]
fn commands_are_listed_in_groups() {
    let home = Home::new();
    let text = help(&home, "", "--help");
    let mut before = 0;
    for heading in [
        "Use skills:",
        "Write skills:",
        "Work in a team:",
        "Run a registry:",
        "Keep trees and mirrors:",
        "This program:",
    ] {
        let at = text.find(heading).unwrap_or_else(|| panic!("{heading} {text}"));
        assert!(at > before, "{text}");
        before = at;
    }
    for option in ["--data", "--config", "--public"] {
        assert!(!text.contains(option), "{option} {text}");
    }
}

#[test]
fn help_of_every_command_fits_80_columns_and_has_examples() {
    let home = Home::new();
    let mut wrong = Vec::new();
    for (name, long) in commands(&home) {
        let short = help(&home, &name, "-h");
        for text in [&long, &short] {
            if longest_line(text) > 80 {
                let line = text.lines().find(|line| line.chars().count() > 80).unwrap();
                wrong.push(format!("{name}: longer than 80 columns: {line}"));
            }
            let examples = text.lines().filter(|line| line.starts_with("  $ skillmirror ")).count();
            if examples < if name.contains(' ') { 1 } else { 3 } {
                wrong.push(format!("{name}: only {examples} examples (its `after_help`)"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn help_of_client_commands_has_no_options_of_operators() {
    let home = Home::new();
    for name in ["search", "install", "publish", "login", "check", "init", "completions"] {
        let text = help(&home, name, "--help");
        for option in ["--data", "--config", "--public"] {
            assert!(!text.contains(option), "{name} {option}: {text}");
        }
        let refused = home.run(&[name, "--data", "x"]);
        assert_eq!(refused.code, 2, "{refused:?}");
    }
    let refused = home.run(&["--data", "x", "agents"]);
    assert!(refused.code == 2 && refused.stderr.contains("commands that run a registry"), "{refused:?}");
    for name in ["serve", "user add", "journal backup"] {
        assert!(help(&home, name, "--help").contains("Registry options:"), "{name}");
    }
}

#[test]
fn help_says_each_default_once() {
    let home = Home::new();
    for (name, long) in commands(&home) {
        // Each argument and option with its text, which may have several paragraphs.
        let mut texts = vec![String::new()];
        for line in long.lines() {
            if line.trim_start().starts_with(['-', '[', '<']) {
                texts.push(String::new());
            }
            *texts.last_mut().unwrap() += line;
        }
        for text in texts {
            for bracket in ["[default:", "[env:"] {
                assert!(text.matches(bracket).count() <= 1, "{name}: {text}");
            }
        }
    }
}

#[test]
fn help_says_who_may_and_what_scopes_allow() {
    let home = Home::new();
    for (name, said) in [
        ("token create", "`social` stars and rates"),
        ("member add", "Members publish. Admins also review"),
        ("member role", "Owners give roles."),
        ("review approve", "Nobody approves their own submission."),
        ("publish", "only its members publish"),
        ("key", "beside the data folder"),
    ] {
        let text = help(&home, name, "--help").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{name}: {text}");
    }
}

#[test]
fn short_help_is_shorter() {
    let home = Home::new();
    for name in ["install", "publish", "serve", "verify"] {
        let (short, long) = (help(&home, name, "-h"), help(&home, name, "--help"));
        assert!(short.lines().count() < long.lines().count(), "{short}{long}");
    }
}

#[test]
fn help_is_wrapped_to_a_narrow_terminal() {
    let home = Home::new();
    for words in [&["--help"][..], &["install", "-h"], &["serve", "--help"]] {
        let shown = Terminal::of(50).run(home.folder(), words).ok();
        let (texts, _) = shown.split_once("Examples:").unwrap_or((&shown, ""));
        assert!(longest_line(texts) <= 50, "{texts}");
    }
}

#[test]
fn help_has_colours_on_a_terminal_only() {
    let home = Home::new();
    for words in [&["--help"][..], &["install", "--help"], &["agents", "claude"]] {
        let shown = Terminal::of(80).with_colours().run(home.folder(), words).ok();
        assert!(shown.contains("\u{1b}["), "{shown:?}");
        let shown = Terminal::of(80).run(home.folder(), words).ok();
        assert!(!shown.contains('\u{1b}'), "NO_COLOR: {shown:?}");
        let piped = home.run(words).ok().stdout;
        assert!(!piped.contains('\u{1b}'), "{piped:?}");
    }
}
