//! Other names of commands, and names that do not exist.

use super::help;
use crate::harness::Home;

#[test]
fn usual_names_of_other_programs_are_known() {
    let home = Home::new();
    for (alias, name) in [
        ("add", "install"),
        ("remove", "uninstall"),
        ("rm", "uninstall"),
        ("view", "info"),
        ("show", "info"),
        ("find", "search"),
        ("ls", "list"),
        ("new", "init"),
        ("lint", "check"),
    ] {
        let text = help(&home, alias, "-h");
        assert!(text.contains(&format!("Usage: skillmirror {name} ")), "{alias}: {text}");
        assert!(text.lines().any(|line| line.starts_with("Aliases:") && line.contains(alias)), "{text}");
    }
}

#[test]
fn typing_error_names_the_nearest_command() {
    let home = Home::new();
    for (typed, meant) in
        [("instal", "install"), ("serch", "search"), ("publsh", "publish"), ("sevre", "serve")]
    {
        let output = home.run(&[typed]);
        let tip = format!("tip: a similar subcommand exists: '{meant}'");
        assert!(output.code == 2 && output.stderr.contains(&tip), "{output:?}");
    }
}

#[test]
fn upgrade_without_check_names_both_commands() {
    let home = Home::new();
    for words in [&["upgrade"][..], &["upgrade", "hello"], &["upgrade", "--check", "hello"]] {
        let output = home.run(words);
        assert_eq!(output.code, 2, "{output:?}");
        for named in ["skillmirror upgrade --check", "skillmirror update"] {
            assert!(output.stderr.contains(named), "{named}: {output:?}");
        }
    }
}
