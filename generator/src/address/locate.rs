//! Finds the document that a request asks for: the inverse of [`Document::request`] and
//! [`Document::file`].

use std::str::FromStr;

use registry::names::Coordinate;

use super::path::GZIP;
use super::query::{MAX_PAGES, Parameters, QueryError, paging, search, skill_list};
use super::{AssetPath, DEFAULT_SIZE, Document, Format, Pointer, SearchPage, SkillList, WebPage};

/// Finds the document that a request asks for. `path` is percent-decoded and begins with `/`;
/// `query` is raw.
///
/// Returns `None` if no document has that address. The document may still not exist in a registry.
/// Empty and unknown parameters are ignored; the first of several equal ones counts. The path of a
/// file (with its suffix) ignores the query, as a static host does.
pub fn locate(path: &str, query: &str) -> Result<Option<Document>, QueryError> {
    let Some(relative) = path.strip_prefix('/') else { return Ok(None) };
    match relative.split('/').next() {
        Some("api" | ".well-known") => locate_in_api(relative, query),
        Some("assets") => Ok(AssetPath::at(relative).map(Document::Asset)),
        _ => Ok(WebPage::at(relative).map(Document::Page)),
    }
}

/// Suffixes of files below `/api`. The suffix of the search index counts only in its folder,
/// because elsewhere it may end a version.
const SUFFIXES: [Format; 2] = [Format::Json, Format::Zip];

/// The folder of the search index.
const INDEX: &str = "api/v1/search/_index/";

fn locate_in_api(relative: &str, query: &str) -> Result<Option<Document>, QueryError> {
    let index_format = relative.starts_with(INDEX).then_some(Format::Binary);
    let mut formats = SUFFIXES.into_iter().chain(index_format);
    let stem = formats.find_map(|format| relative.strip_suffix(format.suffix()));
    let segments: Vec<&str> = stem.unwrap_or(relative).split('/').collect();
    let parameters = Parameters(if stem.is_some() { "" } else { query });
    let Some(document) = by_segments(&segments, &parameters)? else { return Ok(None) };
    let is_exact = match stem {
        Some(_) => document.file().as_deref() == Some(relative),
        None if document.is_served_as_file() => false,
        // Paths with `_` segments have only one spelling.
        None if segments.iter().any(|segment| segment.starts_with('_')) => {
            document.stem().as_deref() == Some(relative)
        }
        None => true,
    };
    Ok(Some(document).filter(|_| is_exact))
}

/// How a file encodes its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Uncompressed.
    Plain,
    /// Compressed with gzip.
    Gzip,
}

/// The document that a file of the tree belongs to, and the file's encoding. Gzip siblings have no
/// address of their own, so [`locate`] does not find them.
pub fn of_file(relative: &str) -> Option<(Document, Form)> {
    let (plain, form) = match relative.strip_suffix(GZIP) {
        Some(plain) => (plain, Form::Gzip),
        None => (relative, Form::Plain),
    };
    let document = locate(&format!("/{plain}"), "").ok().flatten()?;
    let file = match form {
        Form::Plain => document.file(),
        Form::Gzip => document.gzip_file(),
    };
    (file.as_deref() == Some(relative)).then_some((document, form))
}

/// Parses a name. An invalid name names no document.
fn parse<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn pointer(text: &str) -> Option<Pointer> {
    parse(text).map(Pointer::Version).or_else(|| parse(text).map(Pointer::Tag))
}

fn by_segments(segments: &[&str], query: &Parameters<'_>) -> Result<Option<Document>, QueryError> {
    let document = match segments {
        [".well-known", "registry"] => Some(Document::Discovery),
        ["api", "v1", rest @ ..] => match rest {
            ["skills"] => return skill_list(query).map(Some),
            ["skills", "_list", namespace, sort, size, page] => {
                listed(namespace, sort, size, page).map(Document::SkillList)
            }
            ["skills", namespace, slug, rest @ ..] => {
                let (Some(namespace), Some(slug)) = (parse(namespace), parse(slug)) else { return Ok(None) };
                return of_skill(Coordinate::new(namespace, slug), rest, query);
            }
            ["namespaces"] => {
                let (page, size) = paging(query.0)?;
                let is_default = (page, size) == (1, DEFAULT_SIZE);
                Some(if is_default { Document::Namespaces } else { Document::NamespaceList { page, size } })
            }
            ["namespaces", "_list", size, page] => page_number(page)
                .zip(page_size(size))
                .map(|(page, size)| Document::NamespaceList { page, size }),
            ["namespaces", name] => parse(name).map(Document::Namespace),
            ["search"] => return search(query).map(Some),
            ["search", "_q", q, limit, page] => page_number(page)
                .zip(page_size(limit))
                .map(|(page, limit)| Document::SearchPage(SearchPage { q: (*q).to_owned(), page, limit })),
            ["search", "_index", "manifest"] => Some(Document::SearchManifest),
            ["search", "_index", piece] => parse(piece).map(Document::SearchPiece),
            ["resolve"] => return compat_resolve(query),
            ["resolve", slug] => parse(slug).map(|slug| Document::CompatResolve(slug, None)),
            ["resolve", slug, asked] => parse(slug)
                .zip(pointer(asked))
                .map(|(slug, asked)| Document::CompatResolve(slug, Some(asked))),
            ["download", slug, asked] => {
                parse(slug).zip(pointer(asked)).map(|(slug, asked)| Document::CompatPackage(slug, asked))
            }
            ["openapi"] => Some(Document::OpenApi),
            ["mirror", "head"] => Some(Document::Head),
            ["mirror", "settings"] => Some(Document::Settings),
            ["mirror", "changes", page] => page_number(page).map(Document::Feed),
            ["mirror", "counters", shard] => u8::from_str_radix(shard, 16).ok().map(Document::Counters),
            _ => None,
        },
        _ => None,
    };
    Ok(document)
}

fn of_skill(
    skill: Coordinate,
    rest: &[&str],
    query: &Parameters<'_>,
) -> Result<Option<Document>, QueryError> {
    let document = match rest {
        [] => Some(Document::Skill(skill)),
        ["versions"] => Some(Document::Versions(skill)),
        ["versions", version] => parse(version).map(|version| Document::Version(skill, version)),
        ["versions", version, "files"] => parse(version).map(|version| Document::Files(skill, version)),
        ["versions", version, "download"] => parse(version).map(|version| Document::Package(skill, version)),
        ["download"] => Some(Document::LatestPackage(skill)),
        ["resolve"] => match (query.get("version"), query.get("tag")) {
            (Some(_), Some(_)) => {
                let message = "give a version or a tag, not both".into();
                return Err(QueryError { field: "tag", message });
            }
            (Some(version), None) => {
                parse(&version).map(|v| Document::Resolve(skill, Some(Pointer::Version(v))))
            }
            (None, Some(tag)) => parse(&tag).map(|tag| Document::Resolve(skill, Some(Pointer::Tag(tag)))),
            (None, None) => Some(Document::Resolve(skill, None)),
        },
        ["resolve", "_version", version] => {
            parse(version).map(|version| Document::Resolve(skill, Some(Pointer::Version(version))))
        }
        ["resolve", "_tag", tag] => parse(tag).map(|tag| Document::Resolve(skill, Some(Pointer::Tag(tag)))),
        _ => None,
    };
    Ok(document)
}

fn compat_resolve(query: &Parameters<'_>) -> Result<Option<Document>, QueryError> {
    let Some(slug) = query.get("slug") else {
        let message = "it must name the skill, for example ?slug=hello".into();
        return Err(QueryError { field: "slug", message });
    };
    let Some(skill) = parse(&slug) else { return Ok(None) };
    Ok(match query.get("version") {
        None => Some(Document::CompatResolve(skill, None)),
        Some(asked) => pointer(&asked).map(|asked| Document::CompatResolve(skill, Some(asked))),
    })
}

fn listed(namespace: &str, sort: &str, size: &str, page: &str) -> Option<SkillList> {
    let namespace = if namespace == "_all" { None } else { Some(parse(namespace)?) };
    Some(SkillList { namespace, sort: parse(sort)?, page: page_number(page)?, size: page_size(size)? })
}

/// Parses a page number, under the same limit as the parameter `page`.
fn page_number(text: &str) -> Option<u64> {
    parse(text).filter(|page| (1..=MAX_PAGES).contains(page))
}

fn page_size(text: &str) -> Option<u64> {
    parse(text).filter(|size| (1..=100).contains(size))
}
