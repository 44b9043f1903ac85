//! Searches a registry: with the files of its search index, else with its search API.

mod pieces;

use std::borrow::Cow;

use generator::address::{DEFAULT_SIZE, Document, KeywordList, SearchPage, SkillList};
use generator::search::{Card, Details, Hit, Manifest, Query, SearchResults, UnknownWord, find, shortened};
use registry::api::public::{self as api, Page, SkillDetail, SkillSummary};
use registry::names::{Coordinate, Namespace, Version};
use serde::Serialize;

use crate::http::JSON_LIMIT;
use crate::source::RegistryPresence;
use crate::source::parallel;
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

impl SearchRequest {
    /// Whether the query has no words.
    pub fn is_blank(&self) -> bool {
        Query::new(&self.query).is_blank()
    }
}

/// The first page of results.
#[derive(Debug, Serialize)]
pub struct Results {
    /// The found skills, best first.
    pub results: Vec<SearchResult>,
    /// The number of found skills on all pages.
    pub total: u64,
    /// Always 1.
    pub page: u64,
    /// The requested number of results.
    pub limit: u64,
    /// Words of the query that no skill has. Empty if a server without a search index answered.
    pub unknown: Vec<UnknownWord>,
    /// How many of the found skills were found by their meaning, not by a word of the query.
    pub near: u64,
}

/// A found skill: what the search index shows of it, wherever it was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The registry that has it, if several were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
    /// The full name.
    pub slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// The start of the description, up to 160 characters.
    pub description: String,
    /// The latest version.
    pub version: Option<Version>,
    /// The number of downloads. `None` if the search index does not tell: it lists the skills with the
    /// most.
    pub download_count: Option<u64>,
    /// The number of stars. `None` as above.
    pub star_count: Option<u64>,
    /// Whether it was found by meaning alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_meaning: bool,
}

impl From<api::SearchResult<'_>> for SearchResult {
    fn from(found: api::SearchResult<'_>) -> Self {
        Self {
            registry: None,
            slug: found.slug.into_owned(),
            name: found.name.into_owned(),
            description: shortened(&found.description),
            version: found.version.map(Cow::into_owned),
            download_count: Some(found.download_count),
            star_count: Some(found.star_count),
            by_meaning: false,
        }
    }
}

impl From<SkillSummary<'_>> for SearchResult {
    fn from(skill: SkillSummary<'_>) -> Self {
        Self {
            registry: None,
            slug: skill.canonical_slug.into_owned(),
            name: skill.name.into_owned(),
            description: shortened(&skill.description),
            version: skill.version.map(Cow::into_owned),
            download_count: Some(skill.counters.downloads),
            star_count: Some(skill.counters.stars),
            by_meaning: false,
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
                let first = shown(source, &manifest, &found, request.limit.into())?;
                return Ok(Results {
                    near: found.near(),
                    unknown: found.unknown,
                    ..results(first, found.hits.len() as u64, request)
                });
            }
            Err(SearchFailure::Gone) => {}
            Err(SearchFailure::Damaged(why)) => return Err(damaged(source, &why)),
            Err(SearchFailure::Unread(why)) => return Err(why),
        }
    }
    Err(damaged(source, "it refers to missing pieces"))
}

/// Searches several registries. The best of each come first, then the second best, in the order of `sources`: marks
/// of two indexes cannot be compared. Skills that were found by meaning alone come after all others.
pub fn search_all(sources: &[Source], request: &SearchRequest) -> Result<Results, ClientError> {
    let found = parallel::map(sources, |source| search(source, request));
    let found: Vec<Results> = found.into_iter().collect::<Result<_, _>>()?;
    let total = found.iter().map(|one| one.total).sum();
    let near = found.iter().map(|one| one.near).sum();
    let mut all: Vec<(usize, SearchResult)> = Vec::new();
    for (source, one) in sources.iter().zip(found) {
        let registry = Some(source.address().to_string());
        let ranked = one.results.into_iter().enumerate();
        all.extend(ranked.map(|(rank, it)| (rank, SearchResult { registry: registry.clone(), ..it })));
    }
    // Results of the same rank stay in the order of their registries.
    all.sort_by_key(|(rank, it)| (it.by_meaning, *rank));
    let first = all.into_iter().take(request.limit.into()).map(|(_, it)| it).collect();
    Ok(Results { near, ..results(first, total, request) })
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
    Results { results, total, page: 1, limit: request.limit.into(), unknown: Vec::new(), near: 0 }
}

/// The manifest of the search index. None if the registry has no index.
fn manifest(source: &Source) -> Result<Option<Manifest>, ClientError> {
    let Some(read) = source.bytes_or_page(&Document::SearchManifest, JSON_LIMIT)? else { return Ok(None) };
    if read.is_page() {
        return Err(ClientError::WebPage { url: read.from, registry: source.address().to_string() });
    }
    Manifest::decode(&read.bytes).map(Some).map_err(|why| damaged(source, why.0))
}

/// The first hits, from their cards. Only skills whose card has no details are read.
fn shown(
    source: &Source,
    manifest: &Manifest,
    found: &SearchResults,
    limit: usize,
) -> Result<Vec<SearchResult>, ClientError> {
    let cards = found.hits.iter().take(limit).filter_map(|hit| Some((hit, found.card(hit)?)));
    let cards: Vec<_> = cards.collect();
    let of_card = |(hit, card): &(&Hit, Card<'_>)| -> Result<Option<SearchResult>, ClientError> {
        let Ok(slug) = card.slug.parse::<Coordinate>() else { return Ok(None) };
        let counters = manifest.counters(hit.id);
        let Some(Details { version, description }) = card.details else {
            let read = source.document::<SkillDetail<'_>>(&Document::Skill(slug))?;
            // A skill that was removed meanwhile is left out.
            return Ok(read.map(|skill| SearchResult {
                download_count: counters.map(|(_, downloads)| downloads),
                star_count: counters.map(|(stars, _)| stars),
                by_meaning: hit.by_meaning,
                ..SearchResult::from(skill.summary)
            }));
        };
        Ok(Some(SearchResult {
            registry: None,
            name: card.shown_name(),
            description: description.to_owned(),
            version: version.parse().ok(),
            download_count: counters.map(|(_, downloads)| downloads),
            star_count: counters.map(|(stars, _)| stars),
            by_meaning: hit.by_meaning,
            slug,
        }))
    };
    let results: Result<Vec<_>, _> = parallel::map(&cards, of_card).into_iter().collect();
    Ok(results?.into_iter().flatten().collect())
}

/// Searches with the API of a server that has no search index.
fn search_on_server(source: &Source, request: &SearchRequest) -> Result<Results, ClientError> {
    let limit = u64::from(request.limit);
    if request.namespace.is_none() {
        let document =
            Document::SearchPage(SearchPage { q: request.query.trim().to_lowercase(), page: 1, limit });
        let found: api::SearchResults<'_> = source.ask_server(&document)?.ok_or_else(|| no_search(source))?;
        let total = found.total as u64;
        return Ok(results(found.results.into_iter().map(SearchResult::from).collect(), total, request));
    }
    let document = Document::KeywordList(KeywordList {
        keyword: request.query.clone(),
        namespace: request.namespace.clone(),
        sort: None,
        page: 1,
        size: limit,
    });
    let list: Page<SkillSummary<'_>> = source.ask_server(&document)?.ok_or_else(|| no_search(source))?;
    Ok(of_list(list.items, list.total, request))
}

/// The most recently updated skills, from as many pages of their list as needed.
fn newest(source: &Source, request: &SearchRequest) -> Result<Results, ClientError> {
    let (mut all, mut total) = (Vec::new(), 0);
    for page in 1..=u64::from(request.limit).div_ceil(DEFAULT_SIZE) {
        let namespace = request.namespace.clone();
        let document = Document::SkillList(SkillList { namespace, page, ..SkillList::default_page() });
        match source.document::<Page<SkillSummary<'_>>>(&document)? {
            Some(list) if !list.items.is_empty() => {
                total = list.total;
                all.extend(list.items);
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
    Ok(of_list(all, total, request))
}

fn of_list(items: Vec<SkillSummary<'_>>, total: usize, request: &SearchRequest) -> Results {
    let items = items.into_iter().take(request.limit.into()).map(SearchResult::from).collect();
    results(items, total as u64, request)
}
