//! Imports go down only, and each floor opens only its own files.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::source::{Source, rust};
use super::{assert_none, lines, paths::rooted_at};

/// Each floor and the crates that it must not use: the floors above it and beside it, and
/// the libraries that belong to another floor.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "registry",
        &[
            "generator",
            "client",
            "server",
            "mcp",
            "bucket",
            "postgres_store",
            "skillmirror",
            "benches",
            "warp",
            "hyper",
            "http",
            "rmcp",
            "clap",
            "minijinja",
            "askama",
        ],
    ),
    (
        "postgres",
        &[
            "generator",
            "mcp",
            "bucket",
            "client",
            "server",
            "skillmirror",
            "benches",
            "warp",
            "hyper",
            "rmcp",
            "clap",
        ],
    ),
    (
        "generator",
        &["mcp", "bucket", "client", "server", "skillmirror", "benches", "warp", "hyper", "rmcp", "clap"],
    ),
    ("bucket", &["mcp", "client", "server", "skillmirror", "benches", "warp", "hyper", "rmcp", "clap"]),
    ("mcp", &["bucket", "client", "server", "skillmirror", "benches", "warp", "hyper", "clap"]),
    ("client", &["mcp", "bucket", "server", "skillmirror", "benches", "warp", "hyper", "rmcp", "clap"]),
    ("server", &["bucket", "postgres_store", "client", "skillmirror", "benches", "rmcp", "clap"]),
];

/// The public part of `registry`, which `generator` may name. A path is allowed if it begins with
/// one of these.
const PUBLIC: &[&str] = &[
    "registry::api::public",
    "registry::names",
    "registry::time",
    "registry::public",
    // The form of the keys of a closed registry, whose records are beside the tree.
    "registry::read_key",
    "registry::transparency_log",
    "registry::package::FileRecord",
    // The warnings of a public record; those about secrets never get into one.
    "registry::package::Finding",
    // Which clients load a package, by its front matter and files.
    "registry::package::portability",
    // The name of the file that every skill has, and which texts are links.
    "registry::package::SKILL_MD",
    "registry::package::is_web_address",
    // Pages mark invisible characters.
    "registry::package::is_unseen",
    // The text of a skill, for its page, out of a package that is public.
    "registry::package::SkillText",
    "registry::package::skill_md_text",
    // The lines of a Markdown text, before it is parsed.
    "registry::package::with_line_feeds",
    // The files of a package that is public, for git.
    "registry::package::packed_files",
    "registry::package::PackedData",
    // The texts on the page of a version.
    "registry::package::OpenArchive",
    // Messages of errors.
    "registry::data_fault",
    "registry::with_causes",
    "registry::journal::BlobReader",
    "registry::journal::BlobSource",
    "registry::journal::Epoch",
    "registry::journal::JournalError",
    "registry::journal::PublicRow",
    "registry::journal::PublicRows",
    "registry::journal::PublicStore",
    "registry::journal::Revision",
];

/// The modules that open the data folder.
const OF_THE_DATA: &[&str] = &["registry/src/journal/", "registry/src/local/"];

/// The modules that open the output folder. `follower::cache` opens only the state folder beside
/// it, which caches the source and is not part of a tree.
const OF_THE_TREE: &[&str] = &["generator/src/tree/", "generator/src/follower/cache/"];

#[test]
fn imports_of_a_floor_name_only_lower_floors() {
    let mut offenders = Vec::new();
    for (floor, forbidden) in FORBIDDEN {
        for source in rust(&format!("{floor}/")) {
            let code = source.code_text();
            for name in forbidden_imports(forbidden, &code) {
                offenders.push(format!("{} names {name}", source.path));
            }
        }
    }
    assert_none("a floor imports only floors below it", &offenders);
}

/// The crates of `forbidden` that `code` names.
fn forbidden_imports<'a>(forbidden: &'a [&str], code: &str) -> impl Iterator<Item = &'a str> {
    forbidden.iter().copied().filter(move |name| !rooted_at(name, code).is_empty())
}

#[test]
fn dependencies_of_a_floor_name_only_lower_floors() {
    let mut offenders = Vec::new();
    for (floor, forbidden) in FORBIDDEN {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(floor).join("Cargo.toml");
        let manifest = std::fs::read_to_string(path).unwrap().parse().unwrap();
        for dependency in forbidden_dependencies(forbidden, &manifest) {
            offenders.push(format!("{floor}/Cargo.toml {dependency}"));
        }
    }
    assert_none("a floor depends only on floors below it", &offenders);
}

/// The dependencies in `manifest` that are among `forbidden`, under any name.
fn forbidden_dependencies(forbidden: &[&str], manifest: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let Some(dependencies) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
        for (name, dependency) in dependencies {
            let package = dependency.get("package").and_then(toml::Value::as_str).unwrap_or(name);
            let package = package.strip_prefix("skillmirror-").unwrap_or(package);
            if forbidden.contains(&name.as_str()) || forbidden.contains(&package) {
                found.push(format!("[{section}] {name}"));
            }
        }
    }
    found
}

#[test]
fn generator_names_only_public_types_of_registry() {
    let mut offenders = Vec::new();
    for source in rust("generator/") {
        for path in rooted_at("registry", &source.code_text()) {
            if !is_public(&path.join("::")) {
                offenders.push(format!("{} names {}", source.path, path.join("::")));
            }
        }
    }
    assert_none("generator names only the public part of registry (PUBLIC in this file)", &offenders);
}

fn is_public(path: &str) -> bool {
    PUBLIC.iter().any(|allowed| path == *allowed || path.starts_with(&format!("{allowed}::")))
}

#[test]
fn only_journal_and_local_open_the_data_folder() {
    let mut sources = rust("registry/");
    sources.extend(rust("server/"));
    sources.retain(|source| !OF_THE_DATA.iter().any(|owner| is_of(owner, source)));
    assert_none("only these open files: registry's journal and local", &lines(&sources, opens_files));
}

#[test]
fn only_tree_opens_the_output_folder() {
    let mut sources = rust("generator/");
    sources.retain(|source| !OF_THE_TREE.iter().any(|owner| is_of(owner, source)));
    assert_none(
        "in generator only tree and follower::cache use the file system",
        &lines(&sources, opens_files),
    );
}

/// Whether `source` is the module of the folder `owner`: in it, or the file beside it.
pub fn is_of(owner: &str, source: &Source) -> bool {
    source.path.starts_with(owner) || source.path == format!("{}.rs", owner.trim_end_matches('/'))
}

static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?x)
        \bfs::[a-z_]+\s*\(                                  # fs::read(…)
        | \b(std|tokio)::fs\s*(;|as\b|::\s*[a-z*])          # use std::fs; use std::fs::read;
        | \b(std|tokio)::fs::\{[^}]*\b[a-z_]+\b             # use std::fs::{File, read};
        | \b(std|tokio)::\{[^}]*\bfs\b                      # use std::{fs, io};
        | \bFile::(open|create|create_new|options)\b
        | \b(OpenOptions|DirBuilder|WalkDir)\b
        | \bConnection::open
    ";
    Regex::new(pattern).unwrap()
});

/// Whether a line uses the file system. The type `std::fs::File` alone does not.
fn opens_files(line: &str) -> bool {
    OPENING.is_match(line)
}

#[test]
fn every_owner_of_files_exists() {
    let sources = rust("");
    let missing: Vec<String> = [OF_THE_DATA, OF_THE_TREE]
        .concat()
        .into_iter()
        .filter(|owner| !sources.iter().any(|source| is_of(owner, source)))
        .map(str::to_owned)
        .collect();
    assert_none("a path that is exempt from a rule exists", &missing);
}

#[test]
fn rules_find_what_breaks_them() {
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
    let imported: Vec<_> = forbidden_imports(&["client", "server"], "use client::Client;").collect();
    assert_eq!(imported, ["client"]);
    let manifest =
        "[dependencies]\nc = { package = \"skillmirror-client\" }\n[dev-dependencies]\nserver = {}\n";
    assert_eq!(
        forbidden_dependencies(&["client", "server"], &manifest.parse().unwrap()),
        ["[dependencies] c", "[dev-dependencies] server"]
    );
    assert!(is_public("registry::names::Slug"));
    assert!(!is_public("registry::journal::Journal") && !is_public("registry::namesake"));
}
