//! Forbidden text.

use super::source::{Source, repository, rust};
use super::{assert_none, lines};

/// Kinds of files that people write.
const WRITTEN: &[&str] =
    &[".rs", ".toml", ".md", ".html", ".css", ".js", ".sh", ".py", "tests/run", ".ci/run", ".yml", ".yaml"];

#[test]
fn every_unwrap_has_its_reason() {
    let offenders: Vec<String> = ["registry/", "generator/", "client/", "server/", "src/"]
        .into_iter()
        .flat_map(rust)
        .flat_map(|source| unexplained(&source))
        .collect();
    assert_none(
        "no unwrap or expect outside tests without a comment on its line or the one before",
        &offenders,
    );
}

/// The unwraps of `source` without a comment beside them.
fn unexplained(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = "";
    for (number, line) in source.lines() {
        let is_comment = line.trim_start().starts_with("//");
        let unwraps = line.contains(".unwrap()") || line.contains(".expect(");
        let explained = line.contains("// ") || before.trim_start().starts_with("//");
        if unwraps && !is_comment && !explained {
            found.push(format!("{}:{number}: {}", source.path, line.trim()));
        }
        before = line;
    }
    found
}

#[test]
fn open_tasks_are_not_in_the_code() {
    // Assembled, so that this file does not say it.
    let words = [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["to", "do!("].concat(),
        ["unimple", "mented!("].concat(),
    ];
    let mut offenders = Vec::new();
    for source in repository(WRITTEN) {
        for (number, line) in (1..).zip(source.text.lines()) {
            if words.iter().any(|word| line.contains(word.as_str())) {
                offenders.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert_none("open tasks belong into an issue", &offenders);
}

#[test]
fn paths_of_a_machine_are_in_no_file() {
    let paths = [["/wo", "rk/"].concat(), ["/ro", "ot/"].concat(), ["/ho", "me/"].concat()];
    let mut offenders = Vec::new();
    for source in repository(WRITTEN) {
        for (number, line) in (1..).zip(source.text.lines()) {
            if paths.iter().any(|path| line.contains(path.as_str())) {
                offenders.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert_none("no file names a folder of one machine", &offenders);
}

#[test]
fn tests_never_sleep() {
    let sleep = ["thread::sl", "eep("].concat();
    let mut sources = repository(&[".rs"]);
    // Only `eventually` sleeps, to poll for effects of other processes.
    sources.retain(|source| source.is_test() && source.path != "tests/outside/harness/program.rs");
    assert_none("a test waits for an event", &lines(&sources, |line| line.contains(&sleep)));
}

#[test]
fn unexplained_unwrap_is_found() {
    let text = "a.unwrap();\n// There is one: made above.\nb.unwrap();\nc.expect(\"x\"); // why\n";
    let source = Source { path: "a.rs".to_owned(), text: text.to_owned() };
    assert_eq!(unexplained(&source), ["a.rs:1: a.unwrap();"]);
}

#[test]
fn errors_are_documented_in_one_form() {
    let mut offenders = Vec::new();
    for source in rust("") {
        for (number, line) in source.lines() {
            if line.trim_start().starts_with("/// # Errors") {
                offenders.push(format!("{}:{number}", source.path));
            }
        }
    }
    assert_none("a doc comment says `Errors: …` in its last paragraph", &offenders);
}
