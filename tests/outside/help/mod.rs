//! The help, the manual and the completions.

mod completions;
mod layout;
mod manual;
mod spelling;

use crate::harness::{CommandOutput, Home};

/// The help of a command, such as `user add`.
fn help(home: &Home, command: &str, option: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().chain([option]).collect();
    let CommandOutput { stdout, stderr, .. } = home.run(&words).ok();
    assert!(stderr.is_empty(), "{command}: {stderr}");
    stdout
}

/// The names of the commands in a help text: the indented words below these headings.
fn listed(text: &str, is_heading: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            is_inside = is_heading(line);
        } else if let Some(rest) = line.strip_prefix("  ").filter(|rest| is_inside && !rest.starts_with(' '))
        {
            names.extend(rest.split_whitespace().next().map(str::to_owned));
        }
    }
    names
}

/// All commands with the help of each, also `user add`.
pub fn commands(home: &Home) -> Vec<(String, String)> {
    let top = help(home, "", "--help");
    let names = listed(&top, |heading| heading.ends_with(':') && heading != "Options:");
    let mut all = Vec::new();
    for name in names.into_iter().filter(|name| name != "help") {
        let text = help(home, &name, "--help");
        let below = listed(&text, |heading| heading == "Commands:");
        for below in below.into_iter().filter(|name| name != "help") {
            let name = format!("{name} {below}");
            let text = help(home, &name, "--help");
            all.push((name, text));
        }
        all.push((name, text));
    }
    assert!(all.len() > 50, "{all:?}");
    all
}

#[test]
fn version_names_the_release_and_in_its_long_form_the_features() {
    let home = Home::new();
    let release = format!("skillmirror {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(home.run(&["-V"]).ok().stdout, format!("{release}\n"));
    let long = home.run(&["--version"]).ok().stdout;
    let inside = long.strip_prefix(&format!("{release} (")).and_then(|rest| rest.strip_suffix(")\n"));
    // A release build has its commit before.
    let features = inside.map(|inside| inside.rsplit("; ").next().unwrap());
    assert_eq!(features, Some("operator, engines"), "{long}");
}
