//! What a host has to know about the addresses of documents, made from their table.

use std::collections::BTreeMap;

use serde::Serialize;

use super::paths::{expression, groups, numbered, placeholders};
use super::queries::{PLAIN, Query, queries};
use crate::address::{Format, Lifetime, MISSING_CACHE_CONTROL};
use crate::documents::kind::Kind;
use crate::documents::kinds;
use crate::pages::BROWSER_POLICY;

/// The rules for all addresses. Expressions match whole paths, work in PCRE, RE2 and JavaScript, and
/// have no anchors.
#[derive(Debug, Serialize)]
pub(super) struct Rules {
    /// Suffixes and types of files.
    pub types: Vec<Type>,
    /// Types of the files that have no suffix, without those of git.
    pub bare: Vec<Bare>,
    /// Paths of requests and files whose bytes never change.
    pub immutable: Vec<Path>,
    /// Paths of what a closed registry sends to everyone.
    pub open: Vec<Path>,
    /// Paths of packages, with their suffix or without.
    pub packages: Vec<Path>,
    /// Paths of requests without a suffix, and their files, with `:name` for each name.
    pub routes: Vec<Route>,
    /// Other paths of files.
    pub aliases: Vec<Alias>,
    /// Queries that files answer.
    pub queries: Vec<Query>,
    /// The expression for plain values of queries.
    pub plain: &'static str,
    /// The expression for the paths at which a query counts.
    pub with_query: String,
    /// Values of `Cache-Control`.
    pub cache: Cache,
    /// Those of private namespaces.
    pub private_cache: Cache,
    /// `Content-Security-Policy` of pages.
    pub policy: &'static str,
}

/// The type of the files with a suffix.
#[derive(Debug, Serialize)]
pub(super) struct Type {
    /// Without the dot.
    pub suffix: &'static str,
    /// The media type with its parameters.
    pub full: &'static str,
    /// The media type alone.
    pub essence: &'static str,
    /// Whether hosts compress it.
    pub is_text: bool,
}

/// Files without a suffix.
#[derive(Debug, Serialize)]
pub(super) struct Bare {
    /// The media type with its parameters.
    pub full: &'static str,
    /// The expressions for their paths.
    pub paths: Vec<Path>,
}

/// A path.
#[derive(Debug, Serialize)]
pub(super) struct Path {
    /// What is there.
    pub about: &'static str,
    /// The expression for its path.
    pub path: String,
}

/// The file for a path without a suffix.
#[derive(Debug, Serialize)]
pub(super) struct Route {
    /// The path of the request.
    pub from: String,
    /// The path of the file.
    pub to: String,
}

/// Another path of a file.
#[derive(Debug, Serialize)]
pub(super) struct Alias {
    /// What is there.
    pub about: &'static str,
    /// The expression for the path, with a group for each value.
    pub path: String,
    /// The path of the file, with `$1`, `$2` and so on for the groups.
    pub file: String,
    /// The rule as in [`Route`].
    pub route: Route,
}

/// Values of `Cache-Control`.
#[derive(Debug, Serialize)]
pub(super) struct Cache {
    pub immutable: &'static str,
    pub short: &'static str,
    pub missing: &'static str,
}

impl Cache {
    const PUBLIC: Self = Self {
        immutable: Lifetime::Immutable.cache_control(),
        short: Lifetime::Short.cache_control(),
        missing: MISSING_CACHE_CONTROL,
    };
    const PRIVATE: Self = Self {
        immutable: Lifetime::Immutable.private_cache_control(),
        short: Lifetime::Short.private_cache_control(),
        missing: "no-store",
    };
}

impl Rules {
    /// The rules of this release, for a registry whose reads need a key or not. A hidden one has no open document.
    pub fn new(is_closed: bool, is_hidden: bool) -> Self {
        let with_file: Vec<_> = kinds().filter(|kind| !kind.file.is_empty()).collect();
        let of = |is_of: fn(&Kind) -> bool| {
            with_file.iter().filter(|kind| is_of(kind)).map(|kind| path(kind)).collect()
        };
        let is_immutable = |kind: &&&Kind| kind.lifetime == Lifetime::Immutable;
        let immutable = with_file.iter().filter(is_immutable).map(|kind| path(kind));
        let aliases = with_file.iter().filter(is_immutable).filter(|kind| !kind.alias.is_empty());
        let aliases = aliases.map(|kind| Path { about: kind.about, path: expression(kind.alias) });
        let queries = queries();
        let paths: Vec<&str> = queries.iter().map(|query| query.path).collect();
        Self {
            types: types(),
            bare: bare(&with_file),
            immutable: immutable.chain(aliases).collect(),
            open: if is_hidden { Vec::new() } else { of(|kind| kind.is_open) },
            packages: of(|kind| kind.format == Format::Zip),
            routes: with_file.iter().filter_map(|kind| route(kind)).collect(),
            aliases: with_file.iter().filter_map(|kind| alias(kind)).collect(),
            plain: PLAIN,
            with_query: paths.join("|"),
            queries,
            cache: if is_closed { Cache::PRIVATE } else { Cache::PUBLIC },
            private_cache: Cache::PRIVATE,
            policy: BROWSER_POLICY,
        }
    }
}

fn types() -> Vec<Type> {
    let with_suffix = Format::ALL.into_iter().filter(|format| !format.suffix().is_empty());
    let of = |format: Format| {
        let full = format.content_type();
        let essence = full.split(';').next().unwrap_or(full);
        Type { suffix: format.suffix().trim_start_matches('.'), full, essence, is_text: format.is_text() }
    };
    with_suffix.map(of).collect()
}

fn bare(kinds: &[&'static Kind]) -> Vec<Bare> {
    let mut by_type = BTreeMap::<_, Vec<Path>>::new();
    let is_of_git = |format| matches!(format, Format::GitRefs | Format::GitPack);
    for kind in kinds.iter().filter(|kind| kind.format.suffix().is_empty() && !is_of_git(kind.format)) {
        by_type.entry(kind.format.content_type()).or_default().push(path(kind));
    }
    by_type.into_iter().map(|(full, paths)| Bare { full, paths }).collect()
}

/// The address of a request, and of its file.
fn path(kind: &Kind) -> Path {
    let mut path = expression(kind.request());
    if !kind.hidden.is_empty() {
        path += &format!("(?:{})?", kind.hidden.replace('.', "\\."));
    }
    Path { about: kind.about, path }
}

/// The rule for a kind whose requests have no query and lack the suffix of their file.
fn route(kind: &Kind) -> Option<Route> {
    let is_rule = !kind.is_asked && !kind.hidden.is_empty() && kind.hidden == kind.format.suffix();
    is_rule.then(|| Route { from: placeholders(kind.request()), to: placeholders(kind.file) })
}

fn alias(kind: &Kind) -> Option<Alias> {
    let route = Route { from: placeholders(kind.alias), to: placeholders(kind.file) };
    (!kind.alias.is_empty()).then(|| Alias {
        about: kind.about,
        path: groups(kind.alias),
        file: numbered(kind.file),
        route,
    })
}
