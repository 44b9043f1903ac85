//! Finds the document that a request asks for: the inverse of [`Document::request`] and
//! [`Document::file`].

use std::str::FromStr;

use registry::names::{Coordinate, TagName};

use super::path::GZIP;
use super::query::{MAX_PAGES, QueryError, choice, found_skills, paging, parameter, search, skill_list};
use super::{
    AssetPath, ClawhubDocument, DEFAULT_SIZE, Document, Format, FoundSkills, GitFile, LogTile, Pointer,
    SkillList, WebPage, agent_address,
};

/// Finds the document that a request asks for. `path` is percent-decoded and begins with `/`;
/// `query` is raw.
///
/// Returns `None` if no document has that address. The document may still not exist in a registry.
/// Unknown parameters are ignored. Empty ones are too, except `version` and `tag`, which must not be
/// empty. Of repeated parameters the first counts. The path of a file (with its suffix) ignores the
/// query, as a static host does.
pub fn locate(path: &str, query: &str) -> Result<Option<Document>, QueryError> {
    let Some(relative) = path.strip_prefix('/') else { return Ok(None) };
    match relative.split('/').next() {
        Some("api" | ".well-known" | "clawhub") => locate_in_api(relative, query),
        Some("assets") => Ok(AssetPath::at(relative).map(Document::Asset)),
        _ => Ok(GitFile::at(relative)
            .or_else(|| agent_address::at(relative))
            .or_else(|| WebPage::at(relative).map(Document::Page))),
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
    let query = if stem.is_some() { "" } else { query };
    let Some(document) = by_segments(&segments, query)? else { return Ok(None) };
    let is_exact = match stem {
        Some(_) => document.file().as_deref() == Some(relative),
        None if document.is_served_as_file() => document.file().as_deref() == Some(relative),
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

fn by_segments(segments: &[&str], query: &str) -> Result<Option<Document>, QueryError> {
    let ["api", "v1", segments @ ..] = segments else {
        return Ok(match segments {
            [".well-known", "registry"] => Some(Document::Discovery),
            [".well-known", "registry-key"] => Some(Document::RegistryKeys),
            [".well-known", "clawhub"] => Some(Document::Clawhub(ClawhubDocument::Discovery)),
            ["clawhub", segments @ ..] => ClawhubDocument::at(segments, query),
            ["api", "search"] => Some(found_skills(query)?),
            ["api", "search", "_q", q] => Some(Document::FoundSkills(FoundSkills::of_word(q))),
            _ => None,
        });
    };
    match segments {
        ["skills"] => skill_list(query).map(Some),
        ["skills", namespace, slug, "resolve"] => match coordinate(namespace, slug) {
            Some(c) => resolve(c, query),
            None => Ok(None),
        },
        ["namespaces"] => {
            let (page, size) = paging(query)?;
            let is_default = (page, size) == (1, DEFAULT_SIZE);
            Ok(Some(if is_default { Document::Namespaces } else { Document::NamespaceList { page, size } }))
        }
        ["search"] => search(query).map(Some),
        ["resolve"] => compat_resolve(query),
        _ => Ok(by_path(segments)),
    }
}

/// The document at a path below `api/v1` that takes no parameters.
fn by_path(segments: &[&str]) -> Option<Document> {
    Some(match segments {
        ["skills", "_list", namespace, page] => {
            let namespace = if *namespace == "_all" { None } else { Some(parse(namespace)?) };
            let (sort, page) = page.split_once('-')?;
            let (sort, page) = (parse(sort)?, page_number(page)?);
            Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE })
        }
        ["skills", namespace, slug, rest @ ..] => of_skill(coordinate(namespace, slug)?, rest)?,
        ["namespaces", "_list", page] => {
            Document::NamespaceList { page: page_number(page)?, size: DEFAULT_SIZE }
        }
        ["namespaces", name] => Document::Namespace(parse(name)?),
        ["search", "_q", q] => Document::answer(q),
        ["search", "_index", "manifest"] => Document::SearchManifest,
        ["search", "_index", piece] => Document::SearchPiece(parse(piece)?),
        ["resolve", slug] => Document::CompatResolve(parse(slug)?, None),
        ["download", slug, asked] => Document::CompatPackage(parse(slug)?, pointer(asked)?),
        ["openapi"] => Document::OpenApi,
        ["mirror", "head"] => Document::Head,
        ["log", "checkpoint"] => Document::Checkpoint,
        ["log", "epoch"] => Document::EpochStatement,
        ["log", "tile", tile @ ..] => Document::LogTile(LogTile::parse(tile)?),
        ["mirror", "settings"] => Document::Settings,
        ["mirror", "changes", page] => Document::Feed(page_number(page)?),
        ["mirror", "counters", shard] => Document::Counters(u8::from_str_radix(shard, 16).ok()?),
        _ => return None,
    })
}

fn of_skill(c: Coordinate, segments: &[&str]) -> Option<Document> {
    Some(match segments {
        [] => Document::Skill(c),
        ["versions"] => Document::Versions(c),
        ["versions", version] => Document::Version(c, parse(version)?),
        ["versions", version, "files"] => Document::Files(c, parse(version)?),
        ["versions", version, "proof"] => Document::Proof(c, parse(version)?),
        ["versions", version, "download"] => Document::Package(c, parse(version)?),
        ["download"] => Document::LatestPackage(c),
        ["resolve", tag] => {
            let tag = parse(tag).filter(|tag: &TagName| !tag.is_latest())?;
            Document::Resolve(c, Some(Pointer::Tag(tag)))
        }
        _ => return None,
    })
}

fn resolve(c: Coordinate, query: &str) -> Result<Option<Document>, QueryError> {
    let asked = match (choice(query, "version")?, choice(query, "tag")?) {
        (Some(_), Some(_)) => {
            return Err(QueryError { field: "tag", message: "give a version or a tag, not both".into() });
        }
        (None, None) => return Ok(Some(Document::Resolve(c, None))),
        (Some(version), None) => parse(&version).map(Pointer::Version),
        (None, Some(tag)) => parse(&tag).map(Pointer::Tag),
    };
    Ok(asked.map(|asked| Document::Resolve(c, Some(asked))))
}

fn compat_resolve(query: &str) -> Result<Option<Document>, QueryError> {
    let Some(slug) = parameter(query, "slug") else {
        let message = "it must name the skill, for example ?slug=hello".into();
        return Err(QueryError { field: "slug", message });
    };
    let Some(skill) = parse(&slug) else { return Ok(None) };
    Ok(match choice(query, "version")? {
        None => Some(Document::CompatResolve(skill, None)),
        Some(asked) => pointer(&asked).map(|asked| Document::CompatResolve(skill, Some(asked))),
    })
}

fn coordinate(namespace: &str, slug: &str) -> Option<Coordinate> {
    Some(Coordinate::new(parse(namespace)?, parse(slug)?))
}

/// Parses a page number, under the same limit as the parameter `page`.
fn page_number(text: &str) -> Option<u64> {
    parse(text).filter(|page| (1..=MAX_PAGES).contains(page))
}
