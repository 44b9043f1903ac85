//! `docs/client.md` shows what the commands print.

use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::process::Command;

use regex::Regex;

use crate::harness::{Home, Registry, Skill};

const DOCUMENT: &str = include_str!("../../../docs/client.md");

/// A command of the page, and what it says that it prints.
struct Example {
    /// Whether Bob runs it, at his home.
    is_of_bob: bool,
    command: &'static str,
    output: String,
}

const HELLO: &str = "---\nname: hello\ndescription: Greets people by their name.\n---\n\nSay hello.\n";

/// All examples except those of `install`, which leave files behind.
fn examples() -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let (mut heading, mut fence) = ("", None);
    for line in DOCUMENT.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(kind) };
        } else if fence.is_none() && line.starts_with("## ") {
            heading = line;
        } else if fence == Some("") && heading != "## Installing" {
            let is_of_bob = line.starts_with("bob$ ");
            let command = ["$ ", "ann$ ", "bob$ "].iter().find_map(|prompt| line.strip_prefix(prompt));
            match (command, found.last_mut()) {
                (Some(command), _) => found.push(Example { is_of_bob, command, output: String::new() }),
                (None, Some(example)) => writeln!(example.output, "{line}").unwrap(),
                (None, None) => panic!("an output without a command: {line}"),
            }
        }
    }
    found
}

/// A text without what is another in every run.
fn usual(text: &str, registry: &Registry) -> String {
    let text = text.replace(registry.base(), "http://127.0.0.1:8080");
    Regex::new(r"\d{4}-\d\d-\d\d").unwrap().replace_all(&text, "DAY").into_owned()
}

/// The registry of the page, and ann and bob at home there.
fn world() -> (Registry, Home, Home) {
    let registry = Registry::with_config("[mirror]\nlists_interval = 0\n");
    registry.command(["user", "add", "ann", "--name", "Ann"]).ok();
    let token = registry.issue("ann", &["--name", "laptop"]);
    let ann = registry.wait_until_known(crate::harness::User { handle: "ann".to_owned(), token });
    registry.team("tools", &ann);
    let home = Home::new();
    home.login(registry.base(), &ann);
    std::fs::write(home.folder().join("token"), &ann.token).unwrap();
    let write = |name: &str, text: &str| {
        let folder = home.folder().join(name);
        Skill::of_text(text.as_bytes()).write_to(&folder);
    };
    let pdf = "---\nname: pdf-forms\ndescription: Fills in PDF forms, and reads them.\nlicense: MIT\n---\n\nRead on.\n";
    write("pdf-forms", pdf);
    home.run(&["publish", "pdf-forms", "--namespace", "tools", "--version", "1.0.0", "--tags", "stable"])
        .ok();
    write("pdf-forms", &format!("{pdf}more\n"));
    home.run(&["publish", "pdf-forms", "--namespace", "tools", "--version", "1.1.0"]).ok();
    registry.versions("global/hello", &["1.0.0", "1.1.0", "2.0.0"], &registry.admin());
    write("hello", HELLO);
    write("bad", "---\nname: Bad\n---\n");
    let bob = Home::new();
    bob.login(registry.base(), &registry.user("bob"));
    Skill::of_text(HELLO.as_bytes()).write_to(&bob.folder().join("hello"));
    (registry, home, bob)
}

#[test]
fn examples_print_what_they_show() {
    let (registry, ann, bob) = world();
    let programs = ann.folder().join("programs");
    std::fs::create_dir(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_skillmirror"), programs.join("skillmirror")).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let examples = examples();
    assert!(examples.len() >= 8, "the page is read");
    let mut wrong = String::new();
    for Example { is_of_bob, command, output } in &examples {
        let home = if *is_of_bob { &bob } else { &ann };
        let script = format!("exec 2>&1\n{}", command.replace("http://127.0.0.1:8080", registry.base()));
        let mut bash = Command::new("bash");
        bash.args(["-c", &script]).current_dir(home.folder()).env("PATH", &path);
        bash.env("HOME", home.folder()).env("XDG_CONFIG_HOME", home.folder().join("config"));
        for name in ["CLI_REGISTRY", "CLI_SITE"] {
            bash.env_remove(name);
        }
        let printed = String::from_utf8(bash.output().unwrap().stdout).unwrap();
        let (shown, printed) = (usual(output, &registry), usual(&printed, &registry));
        if shown != printed {
            writeln!(wrong, "$ {command}\n--- it says\n{shown}--- it is\n{printed}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "docs/client.md\n{wrong}");
}

/// The words that `ClientError::code` has, and those that the page lists.
#[test]
fn every_error_code_is_listed() {
    let source = include_str!("../../../client/src/client_error/code.rs");
    let code = Regex::new(r#"=> "([a-z_]+)","#).unwrap();
    let missing: Vec<&str> = code
        .captures_iter(source)
        .map(|found| found.get(1).unwrap().as_str())
        .filter(|code| !DOCUMENT.contains(&format!("`{code}`")))
        .collect();
    assert!(
        code.captures_iter(source).count() > 15 && missing.is_empty(),
        "docs/client.md lacks {missing:?}"
    );
}
