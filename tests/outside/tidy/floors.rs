//! Imports go down only, and each floor touches only what is its own.

use std::path::Path;

use super::source::{Source, rust};
use super::{lines, none, paths::rooted_at};

/// Each floor and what it may not know.
const ABOVE: &[(&str, &[&str])] = &[
    (
        "registry",
        &["generator", "server", "skillmirror", "warp", "hyper", "http", "clap", "minijinja", "askama"],
    ),
    ("generator", &["server", "skillmirror", "warp", "hyper", "clap"]),
    ("client", &["server", "skillmirror", "warp", "hyper", "clap"]),
    ("server", &["skillmirror", "clap"]),
];

/// What `generator` may name of `registry`: what is public, and nothing else.
/// A path is allowed when it begins with one of these.
const PUBLIC: &[&str] = &[
    "registry::names",
    "registry::time",
    "registry::public",
    "registry::package::FileRecord",
    // The warnings of a public record; those about secrets never get into one.
    "registry::package::Finding",
    // What a page marks in the texts of others.
    "registry::package::is_invisible",
    // The text of a skill, for its page, out of a package that is public.
    "registry::package::skill_md_text",
    "registry::journal::BlobReader",
    "registry::journal::Epoch",
    "registry::journal::JournalError",
    "registry::journal::PublicRow",
    "registry::journal::PublicStore",
    "registry::journal::Revision",
];

/// Who opens the data folder.
const OF_THE_DATA: &[&str] = &["registry/src/journal/", "registry/src/local/"];

/// Who opens the output folder; `follower::cache` only what a follower keeps in the
/// state folder beside it, which is a cache of its source and no part of a tree.
const OF_THE_TREE: &[&str] = &["generator/src/tree/", "generator/src/follower/cache/"];

/// Who turns errors into status codes.
const OF_PROBLEMS: &str = "server/src/problem.rs";

/// Statuses that are no errors, which a handler may name.
const NO_ERRORS: &[&str] =
    &["OK", "CREATED", "ACCEPTED", "NO_CONTENT", "PARTIAL_CONTENT", "NOT_MODIFIED", "PERMANENT_REDIRECT"];

#[test]
fn imports_go_down_only() {
    let mut offenders = Vec::new();
    for (floor, above) in ABOVE {
        for source in rust(&format!("{floor}/")) {
            let code = source.code_text();
            for name in above.iter().filter(|name| !rooted_at(name, &code).is_empty()) {
                offenders.push(format!("{} names {name}", source.path));
            }
        }
    }
    none("a floor imports only floors below it", &offenders);
}

#[test]
fn dependencies_go_down_only() {
    let mut offenders = Vec::new();
    for (floor, above) in ABOVE {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(floor).join("Cargo.toml");
        let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(named) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
            let not_for_it = above.iter().filter(|name| named.contains_key(**name));
            offenders.extend(not_for_it.map(|name| format!("{floor}/Cargo.toml [{section}] {name}")));
        }
    }
    none("a floor depends only on floors below it", &offenders);
}

#[test]
fn generator_names_no_private_type() {
    let mut offenders = Vec::new();
    for source in rust("generator/") {
        for path in rooted_at("registry", &source.code_text()) {
            if !is_public(&path.join("::")) {
                offenders.push(format!("{} names {}", source.path, path.join("::")));
            }
        }
    }
    none("generator names only the public part of registry (PUBLIC in this file)", &offenders);
}

fn is_public(path: &str) -> bool {
    PUBLIC.iter().any(|allowed| path == *allowed || path.starts_with(&format!("{allowed}::")))
}

#[test]
fn only_journal_and_local_open_the_data_folder() {
    let mut sources = rust("registry/");
    sources.extend(rust("server/"));
    sources.retain(|source| !OF_THE_DATA.iter().any(|owner| is_of(owner, source)));
    none("only these open files: registry's journal and local", &lines(&sources, opens_files));
}

#[test]
fn only_tree_opens_the_output_folder() {
    let mut sources = rust("generator/");
    sources.retain(|source| !OF_THE_TREE.iter().any(|owner| is_of(owner, source)));
    none("in generator only tree and follower::cache use the file system", &lines(&sources, opens_files));
}

/// Whether `source` is the module of the folder `owner`: in it, or the file beside it.
fn is_of(owner: &str, source: &Source) -> bool {
    source.path.starts_with(owner) || source.path == format!("{}.rs", owner.trim_end_matches('/'))
}

/// Naming the type `std::fs::File` is not opening one.
fn opens_files(line: &str) -> bool {
    let opening = regex::Regex::new(
        r"(?x)
        \bfs::[a-z_]+\s*\(                                  # fs::read(…)
        | \b(std|tokio)::fs\s*(;|as\b|::\s*[a-z*])          # use std::fs; use std::fs::read;
        | \b(std|tokio)::fs::\{[^}]*\b[a-z_]+\b             # use std::fs::{File, read};
        | \b(std|tokio)::\{[^}]*\bfs\b                      # use std::{fs, io};
        | \bFile::(open|create|create_new|options)\b
        | \b(OpenOptions|DirBuilder|WalkDir)\b
        | \bConnection::open
        ",
    );
    opening.unwrap().is_match(line)
}

#[test]
fn only_problem_decides_error_statuses() {
    let mut sources = rust("server/");
    sources.extend(rust("src/"));
    sources.extend(rust("generator/"));
    sources.retain(|source| source.path != OF_PROBLEMS);
    none("only server/src/problem.rs names error statuses", &lines(&sources, names_an_error_status));
}

fn names_an_error_status(line: &str) -> bool {
    let status = regex::Regex::new(r"\bStatusCode::([A-Za-z_][A-Za-z0-9_]*)").unwrap();
    status.captures_iter(line).any(|found| {
        let name = &found[1];
        name == "from_u16" || (name.to_uppercase() == name && !NO_ERRORS.contains(&name))
    })
}

#[test]
fn the_rules_can_be_broken() {
    for line in [
        "use std::fs;",
        "use std::{fs, io};",
        "use std::fs::{File, read};",
        "tokio::fs::read(path).await",
        "File::create(path)?",
        "rusqlite::Connection::open(path)",
        "fs::write(a, b)",
    ] {
        assert!(opens_files(line), "{line}");
    }
    for line in ["use std::fs::File;", "fn a(file: std::fs::File)", "use std::fs::{File};", "offs::x"] {
        assert!(!opens_files(line), "{line}");
    }
    assert!(names_an_error_status("StatusCode::NOT_FOUND"));
    assert!(names_an_error_status("StatusCode::from_u16(n)"));
    assert!(!names_an_error_status("StatusCode::CREATED"));
    assert!(is_public("registry::names::Slug"));
    assert!(!is_public("registry::journal::Journal") && !is_public("registry::namesake"));
}
