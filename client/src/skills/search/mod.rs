//! Searches a registry: with the files of its search index, else with its search API.

mod pieces;

use generator::address::{DEFAULT_SIZE, Document, KeywordList, SearchPage, SkillList};
use generator::search::{Manifest, Query, find};
use registry::names::{Coordinate, Namespace, Version};
use serde::{Deserialize, Serialize};

use crate::source::RegistryPresence;
use crate::source::parallel;
use crate::source::records::{Author, List, SkillRecord};
use crate::{ClientError, Source};
use pieces::{Pieces, SearchFailure};

/// A search request.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The words to search for. Without any, the most recently updated skills are found.
    pub query: String,
    /// Search only this namespace.
    pub namespace: Option<Namespace>,
    /// The number of results, 1 to 100.
    pub limit: u8,
}

/// The first page of results.
#[derive(Debug, Serialize, Deserialize)]
pub struct Results {
    /// The found skills, best first.
    pub results: Vec<SearchResult>,
    /// The number of found skills on all pages.
    pub total: u64,
    /// Always 1.
    pub page: u64,
    /// The requested number of results.
    pub limit: u64,
}

/// A found skill.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The full name.
    pub slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// The purpose of the skill.
    pub description: String,
    /// The author.
    pub author: Author,
    /// The latest version.
    pub version: Option<Version>,
    /// The number of downloads.
    pub download_count: u64,
    /// The number of stars.
    pub star_count: u64,
    /// The time of the first publication, RFC 3339.
    pub created_at: String,
    /// The time of the last change, RFC 3339.
    pub updated_at: String,
}

impl From<SkillRecord> for SearchResult {
    fn from(skill: SkillRecord) -> Self {
        Self {
            slug: skill.canonical_slug,
            name: skill.name,
            description: skill.description,
            author: skill.author,
            version: skill.version,
            download_count: skill.download_count,
            star_count: skill.star_count,
            created_at: skill.created_at,
            updated_at: skill.updated_at,
        }
    }
}

/// Searches a registry.
pub fn search(source: &Source, request: &SearchRequest) -> Result<Results, ClientError> {
    let query = Query::new(&request.query);
    if query.is_blank() {
        return newest(source, request);
    }
    // If the index is replaced meanwhile, the second attempt reads the new one.
    for _ in 0..2 {
        let Some(manifest) = manifest(source)? else { return search_on_server(source, request) };
        let namespace = request.namespace.as_ref().map(Namespace::as_str);
        match find(&manifest, &mut Pieces(source), &query, namespace) {
            Ok(found) => {
                let hits = found.hits.iter().take(request.limit.into());
                let names: Vec<Coordinate> = hits.filter_map(|hit| found.card(hit)?.slug.parse().ok()).collect();
                return Ok(results(read_skills(source, &names)?, found.hits.len() as u64, request));
            }
            Err(SearchFailure::Gone) => {}
            Err(SearchFailure::Damaged(why)) => return Err(damaged(source, &why)),
            Err(SearchFailure::Unread(why)) => return Err(why),
        }
    }
    Err(damaged(source, "it refers to missing pieces"))
}

fn damaged(source: &Source, why: &str) -> ClientError {
    ClientError::Index { registry: source.address().to_string(), why: why.to_owned() }
}

/// The error for a registry that cannot be searched.
fn no_search(source: &Source) -> ClientError {
    let hint = match source.presence() {
        Ok(RegistryPresence::Hidden(why)) => return why,
        Ok(RegistryPresence::Present) => "",
        _ => ": is it the address of a registry?",
    };
    let address = source.address();
    ClientError::Unsupported(format!("{address} has neither a search index nor a search API{hint}"))
}

fn results(results: Vec<SearchResult>, total: u64, request: &SearchRequest) -> Results {
    Results { results, total, page: 1, limit: request.limit.into() }
}

/// The manifest of the search index. None if the registry has no index.
fn manifest(source: &Source) -> Result<Option<Manifest>, ClientError> {
    let Some(read) = source.bytes_or_page(&Document::SearchManifest)? else { return Ok(None) };
    if read.is_page() {
        return Err(ClientError::WebPage { url: read.from, registry: source.address().to_string() });
    }
    Manifest::decode(&read.bytes).map(Some).map_err(|why| damaged(source, &why.to_string()))
}

/// Reads skills by name, and skips those that were removed meanwhile.
fn read_skills(source: &Source, names: &[Coordinate]) -> Result<Vec<SearchResult>, ClientError> {
    let skill = |name: &Coordinate| source.document::<SkillRecord>(&Document::Skill(name.clone()));
    let skills: Result<Vec<_>, _> = parallel::map(names, skill).into_iter().collect();
    Ok(skills?.into_iter().flatten().map(SearchResult::from).collect())
}

/// Searches with the API of a server that has no search index.
fn search_on_server(source: &Source, request: &SearchRequest) -> Result<Results, ClientError> {
    let limit = u64::from(request.limit);
    if request.namespace.is_none() {
        let document =
            Document::SearchPage(SearchPage { q: request.query.trim().to_lowercase(), page: 1, limit });
        return source.ask_server(&document)?.ok_or_else(|| no_search(source));
    }
    let document = Document::KeywordList(KeywordList {
        keyword: request.query.clone(),
        namespace: request.namespace.clone(),
        sort: None,
        page: 1,
        size: limit,
    });
    let list: List<SkillRecord> = source.ask_server(&document)?.ok_or_else(|| no_search(source))?;
    Ok(of_list(list, request))
}

/// The most recently updated skills, from as many pages of their list as needed.
fn newest(source: &Source, request: &SearchRequest) -> Result<Results, ClientError> {
    let mut all = List { items: Vec::new(), total: 0 };
    for page in 1..=u64::from(request.limit).div_ceil(DEFAULT_SIZE) {
        let namespace = request.namespace.clone();
        let document = Document::SkillList(SkillList { namespace, page, ..SkillList::default_page() });
        match source.document::<List<SkillRecord>>(&document)? {
            Some(list) if !list.items.is_empty() => {
                all.total = list.total;
                all.items.extend(list.items);
            }
            // Every registry has the list of all skills.
            None if page == 1 && request.namespace.is_none() => return Err(no_search(source)),
            None if page == 1 => match source.presence()? {
                RegistryPresence::Present => break,
                RegistryPresence::Hidden(why) => return Err(why),
                RegistryPresence::Absent => return Err(no_search(source)),
            },
            _ => break,
        }
    }
    Ok(of_list(all, request))
}

fn of_list(list: List<SkillRecord>, request: &SearchRequest) -> Results {
    let items = list.items.into_iter().take(request.limit.into()).map(SearchResult::from).collect();
    results(items, list.total, request)
}
