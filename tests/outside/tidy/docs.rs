//! The documentation names only paths, pages, headings and tests that exist.

use std::collections::HashMap;
use std::path::Path;

use regex::Regex;

use super::assert_none;
use super::source::{Source, repository};

/// A code span is the path of a file if it begins with one of these.
const ROOTS: &[&str] = &[
    "registry/",
    "generator/",
    "client/",
    "bucket/",
    "server/",
    "src/",
    "benches/",
    "fuzz/",
    "tests/",
    "site-template/",
    "examples/",
    "docs/",
    ".ci/",
];

/// The pages that people read: those in the root and in `docs`.
fn pages() -> Vec<Source> {
    let mut pages = repository(&[".md"]);
    pages.retain(|page| !page.path.contains('/') || page.path.starts_with("docs/"));
    pages
}

fn exists(path: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path.trim_end_matches('/')).exists()
}

#[test]
fn paths_in_the_docs_exist() {
    let span = Regex::new("`([^` ]+)`").unwrap();
    let mut missing = Vec::new();
    for page in pages().iter().filter(|page| page.path != "CHANGELOG.md") {
        for (number, line) in (1..).zip(page.text.lines()) {
            let spans = span.captures_iter(line).map(|found| found[1].to_owned());
            let paths = spans.filter(|text| ROOTS.iter().any(|root| text.starts_with(root)));
            for path in paths.flat_map(|path| expanded(&path)).filter(|path| !exists(path)) {
                missing.push(format!("{}:{number}: {path}", page.path));
            }
        }
    }
    assert_none("every path in the docs exists", &missing);
}

/// The paths that `a/{b,c}.rs` means, at any depth.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.rsplit_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| expanded(&format!("{before}{choice}{after}"))).collect()
}

#[test]
fn links_in_the_docs_resolve() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let pages = pages();
    let anchors: HashMap<&str, Vec<String>> =
        pages.iter().map(|page| (page.path.as_str(), anchors(&page.text))).collect();
    let mut broken = Vec::new();
    for page in &pages {
        let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let targets = link.captures_iter(&page.text).map(|found| found[1].to_owned());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { page.path.clone() } else { joined(folder, file) };
            let is_known = anchors.get(file.as_str()).is_some_and(|known| known.iter().any(|a| a == anchor));
            if !exists(&file) || !(anchor.is_empty() || is_known) {
                broken.push(format!("{}: {target}", page.path));
            }
        }
    }
    assert_none("every link in the docs resolves", &broken);
}

/// The path that the link `file` means in a page of `folder`.
fn joined(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors of a page's headings, as hosts of Markdown make them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

/// A test command in the docs: the folder of its tests, and the names that it selects.
#[derive(Debug, PartialEq)]
struct TestCommand {
    folder: String,
    filter: Option<String>,
    is_exact: bool,
}

impl TestCommand {
    /// Parses `cargo test …` or `tests/run …`, also after variables. None for other texts.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ').skip_while(|word| word.contains('='));
        let is_test = match words.next()? {
            "tests/run" => true,
            "cargo" => words.next() == Some("test"),
            _ => false,
        };
        let (mut folder, mut filter, mut is_exact) = (String::new(), None, false);
        while let Some(word) = words.next().filter(|_| is_test) {
            match word {
                "-p" => folder = format!("{}/", words.next()?.strip_prefix("skillmirror-")?),
                "--test" => folder = format!("{folder}tests/{}", words.next()?),
                "--exact" => is_exact = true,
                "--features" => drop(words.next()?),
                option if option.starts_with('-') => {}
                name => filter = Some(name.to_owned()),
            }
        }
        is_test.then_some(Self { folder, filter, is_exact })
    }

    /// Whether it selects one of these tests, given as paths and names.
    fn selects(&self, tests: &[(String, String)]) -> bool {
        let mut tests = tests.iter().filter(|(path, _)| path.starts_with(&self.folder));
        tests.any(|(_, test)| match &self.filter {
            Some(filter) if self.is_exact => test == filter,
            Some(filter) => test.contains(filter),
            None => true,
        })
    }
}

/// Every test's file, and its name: modules by the file's path, inline modules left out.
fn tests() -> Vec<(String, String)> {
    let test = Regex::new(r"#\[test\]\s+(?:#\[.*\]\s+)*fn (\w+)").unwrap();
    let mut found = Vec::new();
    for source in repository(&[".rs"]) {
        let module = ["/src/", "/tests/", "tests/"].iter().find_map(|root| {
            let (_, module) = source.path.split_once(root)?;
            Some(module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::"))
        });
        for name in test.captures_iter(&source.text) {
            let module = module.as_deref().unwrap_or_default();
            found.push((source.path.clone(), format!("{module}::{}", &name[1])));
        }
    }
    found
}

#[test]
fn test_commands_in_the_docs_select_tests() {
    let span = Regex::new("`([^`]+)`").unwrap();
    let tests = tests();
    let mut wrong = Vec::new();
    for page in pages() {
        for (number, line) in (1..).zip(page.text.lines()) {
            let commands = span.captures_iter(line).filter_map(|found| TestCommand::parse(&found[1]));
            for command in commands.filter(|command| !command.selects(&tests)) {
                wrong.push(format!("{}:{number}: {command:?}", page.path));
            }
        }
    }
    assert_none("every test command in the docs selects a test", &wrong);
}

#[test]
fn settings_table_has_every_setting_with_its_default() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let (settings, page) = (read("config.toml"), read("docs/settings.md"));
    let setting = Regex::new("^# ([a-z_]+) = (.+)$").unwrap();
    let mut section = String::new();
    let mut missing = Vec::new();
    for line in settings.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
        } else if let Some(found) = setting.captures(line) {
            let (key, default) = (format!("{section}{}", &found[1]), &found[2]);
            // The example in the file is not the default.
            let default = match key.as_str() {
                "public_url" => "`http://`",
                "log.access"
                | "metrics.listen"
                | "mirror.feed_deny"
                | "mirror.feed_token_file"
                | "mirror.target"
                | "mirror.target_endpoint"
                | "mirror.target_region"
                | "storage.journal"
                | "storage.password_file"
                | "storage.packages"
                | "storage.endpoint"
                | "storage.region"
                | "private.journal"
                | "private.packages"
                | "private.target"
                | "trusted.company"
                | "scan.clamav"
                | "source.office"
                | "site.accent"
                | "site.marketplace"
                | "site.accent_dark"
                | "site.logo"
                | "site.about"
                | "site.publishing"
                | "site.templates" => "unset",
                _ => default,
            };
            let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{key}` | ")));
            let is_right =
                |row: &str| row.trim_start_matches('`').starts_with(default.trim_start_matches('`'));
            if !row.is_some_and(is_right) {
                missing.push(format!("{key} = {default}"));
            }
        }
    }
    assert_none("docs/settings.md lists every setting of config.toml with its default", &missing);
}

#[test]
fn docs_name_the_files_of_deploy_instead_of_copying_them() {
    let is_copy = |line: &&str| {
        line.starts_with("FROM ") || line.starts_with("[Unit]") || line.starts_with("[Service]")
    };
    let copies = pages().into_iter().flat_map(|page| {
        let lines: Vec<_> =
            page.text.lines().filter(is_copy).map(|line| format!("{}: {line}", page.path)).collect();
        lines
    });
    assert_none("the docs link to the Dockerfile and the units in deploy", &copies.collect::<Vec<_>>());
}

#[test]
fn braces_and_headings_are_read() {
    assert_eq!(expanded("a/{b,c}/{d,e}.rs"), ["a/b/d.rs", "a/c/d.rs", "a/b/e.rs", "a/c/e.rs"]);
    assert_eq!(anchors("# A b\n```\n# no\n```\n### GET /api/v1/x.json\n"), ["a-b", "get-apiv1xjson"]);
    assert_eq!(joined("docs/decisions", "../tree.md"), "docs/tree.md");
}

#[test]
fn test_commands_are_read() {
    let command = TestCommand::parse("X=1 cargo test -p skillmirror-server --test openapi").unwrap();
    assert_eq!((command.folder.as_str(), command.filter), ("server/tests/openapi", None));
    let command = TestCommand::parse("cargo test --test outside -- --exact tidy::docs::x").unwrap();
    assert_eq!((command.folder.as_str(), command.is_exact), ("tests/outside", true));
    let tests = [("tests/outside/tidy/docs.rs".to_owned(), "tidy::docs::xy".to_owned())];
    assert!(!command.selects(&tests) && TestCommand { is_exact: false, ..command }.selects(&tests));
    assert_eq!(TestCommand::parse("cargo build --release"), None);
}
