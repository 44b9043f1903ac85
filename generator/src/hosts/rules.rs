//! What a host has to know about the addresses of documents, made from the address book.

use std::collections::BTreeMap;

use serde::Serialize;

use super::examples::{about, examples, path, placeholders};
use super::queries::{PLAIN, Query, queries};
use crate::address::{Document, Format, Lifetime, MISSING_CACHE_CONTROL};
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
    pub immutable: Vec<Kind>,
    /// Paths of packages, with their suffix or without.
    pub packages: Vec<Kind>,
    /// Paths of requests without a suffix, and their files, with `:name` for each name.
    pub routes: Vec<Route>,
    /// Queries that files answer.
    pub queries: Vec<Query>,
    /// The expression for plain values of queries.
    pub plain: &'static str,
    /// The expression for the paths at which a query counts.
    pub with_query: String,
    /// Values of `Cache-Control`.
    pub cache: Cache,
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
    pub paths: Vec<Kind>,
}

/// A kind of address.
#[derive(Debug, Serialize)]
pub(super) struct Kind {
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

/// Values of `Cache-Control`.
#[derive(Debug, Serialize)]
pub(super) struct Cache {
    pub immutable: &'static str,
    pub short: &'static str,
    pub missing: &'static str,
}

impl Rules {
    /// The rules of this release.
    pub fn new() -> Self {
        let examples = examples();
        let queries = queries();
        let paths: Vec<&str> = queries.iter().map(|query| query.path).collect();
        Self {
            types: types(),
            bare: bare(&examples),
            immutable: examples.iter().filter(|example| is_immutable(example)).map(kind).collect(),
            packages: examples.iter().filter(|example| example.format() == Format::Zip).map(kind).collect(),
            routes: examples.iter().filter_map(route).collect(),
            plain: PLAIN,
            with_query: paths.join("|"),
            queries,
            cache: Cache {
                immutable: Lifetime::Immutable.cache_control(),
                short: Lifetime::Short.cache_control(),
                missing: MISSING_CACHE_CONTROL,
            },
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

fn bare(examples: &[Document]) -> Vec<Bare> {
    let mut by_type = BTreeMap::<_, Vec<Kind>>::new();
    for example in examples {
        let format = example.format();
        if format.suffix().is_empty() && !matches!(example, Document::Git(..)) {
            by_type.entry(format.content_type()).or_default().push(kind(example));
        }
    }
    by_type.into_iter().map(|(full, paths)| Bare { full, paths }).collect()
}

fn is_immutable(example: &Document) -> bool {
    example.lifetime() == Lifetime::Immutable
}

/// The address of a request, and of its file.
fn kind(example: &Document) -> Kind {
    let mut path = path(example);
    let suffix = example.format().suffix();
    if let Some(file) = example.file()
        && !example.request().ends_with(suffix)
        && file.ends_with(suffix)
    {
        path = format!("{path}(?:\\{suffix})?");
    }
    Kind { about: about(example), path }
}

/// The rule for a document whose request has no query and lacks the suffix of its file.
fn route(example: &Document) -> Option<Route> {
    let (request, file) = (example.request(), format!("/{}", example.file()?));
    let is_rule = file == format!("{request}{}", example.format().suffix()) && file != request;
    is_rule.then(|| Route { from: placeholders(&request), to: placeholders(&file) })
}
