//! The pages about the API are correct: their examples run in order on a new registry, and every
//! endpoint has a section with an example.

use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use crate::harness::{ApiRoute, Registry, routes};

const CONTRACT: &str = include_str!("../../../docs/api.md");

/// The pages with examples, in their order.
const PAGES: [(&str, &str); 7] = [
    ("docs/api.md", CONTRACT),
    ("docs/api/reads.md", include_str!("../../../docs/api/reads.md")),
    ("docs/api/other-clients.md", include_str!("../../../docs/api/other-clients.md")),
    ("docs/api/accounts.md", include_str!("../../../docs/api/accounts.md")),
    ("docs/api/namespaces.md", include_str!("../../../docs/api/namespaces.md")),
    ("docs/api/publishing.md", include_str!("../../../docs/api/publishing.md")),
    ("docs/api/reviews.md", include_str!("../../../docs/api/reviews.md")),
];

/// An example: commands, and what they print. Without an output it only has to
/// run.
struct Example {
    page: &'static str,
    line: usize,
    commands: String,
    output: Option<String>,
}

fn examples() -> Vec<Example> {
    PAGES.into_iter().flat_map(|(page, text)| examples_of(page, text)).collect()
}

fn examples_of(page: &'static str, text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    let mut is_adjacent = false;
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            is_adjacent = false;
            continue;
        };
        let mut text = String::new();
        for (_, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
            writeln!(text, "{line}").unwrap();
        }
        match kind {
            "sh" => found.push(Example { page, line: number + 1, commands: text, output: None }),
            "" | "json" if is_adjacent => found.last_mut().unwrap().output = Some(text),
            _ => {}
        }
        is_adjacent = true;
    }
    found
}

/// Values that differ in every run, and their patterns.
const VOLATILE: [(&str, &str); 10] = [
    (r"[0-9a-f]{8}…", r"[0-9a-f]{8,64}"),
    (r"…", r".*?"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    (r#""\d+""#, r#""\d+""#),
    (r#"([rR]evision":|[Tt]hereview)\d+"#, r#"([rR]evision":|[Tt]hereview)\d+"#),
    (r#""requestId":"\w+""#, r#""requestId":"\w+""#),
    (r#""epoch":"[0-9a-f]{32}"#, r#""epoch":"[0-9a-f]{32}"#),
    (r"smt_\w+", r"smt_\w+"),
    (r"[0-9a-f]{64}", r"[0-9a-f]{64}"),
    (r"sha-256=:[^:]+:", r"sha-256=:[^:]+:"),
];

/// Text without white space: the examples are broken into lines for people.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The pattern of an expected output.
fn pattern(output: &str) -> Regex {
    let (output, mut pattern) = (dense(output), String::from("(?s)^"));
    let known: Vec<_> =
        VOLATILE.iter().map(|(shown, _)| Regex::new(&format!("^(?:{shown})")).unwrap()).collect();
    let mut rest = output.as_str();
    while let Some(c) = rest.chars().next() {
        let volatile =
            known.iter().zip(VOLATILE).find_map(|(shown, (_, any))| Some((shown.find(rest)?, any)));
        match volatile {
            Some((found, any)) => {
                write!(pattern, "(?:{any})").unwrap();
                rest = &rest[found.end()..];
            }
            None => {
                pattern.push_str(&regex::escape(&c.to_string()));
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    Regex::new(&(pattern + "$")).unwrap()
}

#[test]
fn examples_run_as_documented() {
    // In a registry that is used while it is shown, the numbers do not move.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 3600\n");
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = registry.folder().join("programs");
    std::fs::create_dir(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_skillmirror"), programs.join("skillmirror")).unwrap();
    // A link would not do: `..` of what is behind it is another folder.
    let copied = Command::new("cp").arg("-R").arg(project.join("examples")).arg(registry.folder()).status();
    assert!(copied.unwrap().success());
    let examples = examples();
    let mut script = String::from("exec 2>&1\n");
    for (number, example) in examples.iter().enumerate() {
        let commands = example.commands.replace("http://127.0.0.1:8080", registry.base());
        write!(script, "printf '\\n@@ %s\\n' {number}\n{commands}").unwrap();
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(registry.folder())
        .env("PATH", path)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let outputs: Vec<_> =
        printed.split("\n@@ ").skip(1).map(|part| part.split_once('\n').unwrap().1).collect();
    assert_eq!(outputs.len(), examples.len(), "{printed}");
    let mut wrong = String::new();
    for (example, printed) in examples.iter().zip(outputs) {
        let Example { page, line, commands, output } = example;
        let fits = output.as_ref().is_none_or(|output| pattern(output).is_match(&dense(printed)));
        if !fits {
            let expected = output.as_deref().unwrap_or_default();
            writeln!(wrong, "{page}:{line}:\n{commands}--- it says\n{expected}--- it is\n{printed}\n")
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The endpoints that a heading names: `POST and DELETE /a`, `GET /a and …/b`.
fn named(heading: &str) -> Vec<(String, String)> {
    let (mut named, mut methods, mut first) = (Vec::new(), Vec::new(), String::new());
    let mut had_path = false;
    for word in heading.split(' ').filter(|word| *word != "and") {
        match word.strip_prefix('…') {
            None if !word.starts_with('/') => {
                if std::mem::take(&mut had_path) {
                    methods.clear();
                }
                methods.push(word.to_owned());
                continue;
            }
            None => {
                if first.is_empty() {
                    first = word.to_owned();
                }
                named.extend(methods.iter().map(|method| (method.clone(), word.to_owned())));
            }
            Some(rest) => {
                // Below the path before, or beside it.
                let parent = first.rsplit_once('/').map_or("", |(parent, _)| parent);
                for base in [first.as_str(), parent] {
                    named.extend(methods.iter().map(|method| (method.clone(), format!("{base}{rest}"))));
                }
            }
        }
        had_path = true;
    }
    named
}

#[test]
fn every_endpoint_is_documented_with_example_and_inputs() {
    let mut missing = Vec::new();
    for ApiRoute { method, path, inputs } in routes() {
        let endpoint = (method, path);
        let is_shown = |text: &&str| text.split("\n## ").next().unwrap().contains("```sh");
        let texts: Vec<&str> = PAGES
            .into_iter()
            .flat_map(|(_, text)| text.split("\n### ").skip(1))
            .filter_map(|section| section.split_once('\n'))
            .filter(|(heading, _)| named(heading).contains(&endpoint))
            .map(|(_, text)| text)
            .collect();
        if !texts.iter().any(is_shown) {
            missing.push(format!("{endpoint:?} has no example"));
        }
        // The contract lists what many endpoints have: a part of the path as `{slug}`, a parameter as `?page`.
        let part = |input: &String| format!("{{{input}}}");
        let is_shared = |input: &String| {
            endpoint.1.contains(&part(input)) && has_row(CONTRACT, &part(input))
                || has_row(CONTRACT, &format!("?{input}"))
        };
        let is_listed = |input: &String| is_shared(input) || texts.iter().any(|text| has_row(text, input));
        missing.extend(inputs.iter().filter(|input| !is_listed(input)).map(|i| format!("{endpoint:?}: {i}")));
    }
    assert!(missing.is_empty(), "the pages about the API lack {missing:#?}");
}

/// Whether a table has a row that begins with this code.
fn has_row(text: &str, code: &str) -> bool {
    text.contains(&format!("\n| `{code}` | "))
}
