//! Search: by the files of the index wherever they are, else by the registry.

mod pieces;

use generator::address::{DEFAULT_SIZE, Document, KeywordList, SearchPage, SkillList};
use generator::search::{Manifest, Query, find};
use registry::names::{Coordinate, Namespace, Version};
use serde::{Deserialize, Serialize};

use crate::records::{Author, List, SkillRecord};
use crate::side_by_side::side_by_side;
use crate::standing::Standing;
use crate::{ClientError, Source};
use pieces::{Pieces, Trouble};

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Search {
    /// Words; without any, the newest skills are found.
    pub query: String,
    /// In which namespace; None: in all.
    pub namespace: Option<Namespace>,
    /// How many results are wanted, 1 to 100.
    pub limit: u8,
}

/// The best results.
#[derive(Debug, Serialize, Deserialize)]
pub struct Results {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// How many skills are found in all.
    pub total: u64,
    /// Always 1.
    pub page: u64,
    /// How many results were wanted.
    pub limit: u64,
}

/// A skill that is found.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Its full name.
    pub slug: Coordinate,
    /// Its name for people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whose it is.
    pub author: Author,
    /// Its latest version.
    pub version: Option<Version>,
    /// How often it was downloaded.
    pub download_count: u64,
    /// How many like it.
    pub star_count: u64,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
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
pub fn search(source: &Source, search: &Search) -> Result<Results, ClientError> {
    let query = Query::new(&search.query);
    if query.is_blank() {
        return newest(source, search);
    }
    // What is replaced meanwhile is found the second time.
    for _ in 0..2 {
        let Some(manifest) = manifest(source)? else { return by_the_registry(source, search) };
        let namespace = search.namespace.as_ref().map(Namespace::as_str);
        match find(&manifest, &mut Pieces(source), &query, namespace) {
            Ok(found) => {
                let hits = found.hits.iter().take(search.limit.into());
                let names: Vec<Coordinate> = hits.filter_map(|hit| found.card(hit)?.0.parse().ok()).collect();
                return Ok(results(shown(source, &names)?, found.hits.len() as u64, search));
            }
            Err(Trouble::Gone) => {}
            Err(Trouble::Damaged(why)) => return Err(damaged(source, &why)),
            Err(Trouble::Unread(why)) => return Err(why),
        }
    }
    Err(damaged(source, "it leads to pieces that are not there"))
}

fn damaged(source: &Source, why: &str) -> ClientError {
    ClientError::Index { registry: source.address().to_string(), why: why.to_owned() }
}

/// What is said where nothing can be searched.
fn no_search(source: &Source) -> ClientError {
    let address = source.address();
    match source.standing() {
        Ok(Standing::Hidden(why)) => why,
        Ok(Standing::Registry) => {
            ClientError::Unsupported(format!("{address} has neither a search index nor a search"))
        }
        _ => ClientError::Unsupported(format!(
            "{address} has neither a search index nor a search: is it the address of a registry?"
        )),
    }
}

fn results(results: Vec<SearchResult>, total: u64, search: &Search) -> Results {
    Results { results, total, page: 1, limit: search.limit.into() }
}

/// The manifest of the index; None where there is none.
fn manifest(source: &Source) -> Result<Option<Manifest>, ClientError> {
    let Some(read) = source.bytes_or_page(&Document::SearchManifest)? else { return Ok(None) };
    if read.is_page() {
        return Err(ClientError::WebPage { url: read.from, registry: source.address().to_string() });
    }
    Manifest::decode(&read.bytes).map(Some).map_err(|why| damaged(source, &why.to_string()))
}

/// The records of some skills, without those that are gone meanwhile.
fn shown(source: &Source, names: &[Coordinate]) -> Result<Vec<SearchResult>, ClientError> {
    let skill = |name: &Coordinate| source.document::<SkillRecord>(&Document::Skill(name.clone()));
    let skills: Result<Vec<_>, _> = side_by_side(names, skill).into_iter().collect();
    Ok(skills?.into_iter().flatten().map(SearchResult::from).collect())
}

/// What a registry finds that has no index.
fn by_the_registry(source: &Source, search: &Search) -> Result<Results, ClientError> {
    let limit = u64::from(search.limit);
    if search.namespace.is_none() {
        let document =
            Document::SearchPage(SearchPage { q: search.query.trim().to_lowercase(), page: 1, limit });
        return source.asked(&document)?.ok_or_else(|| no_search(source));
    }
    let document = Document::KeywordList(KeywordList {
        keyword: search.query.clone(),
        namespace: search.namespace.clone(),
        sort: None,
        page: 1,
        size: limit,
    });
    let list: List<SkillRecord> = source.asked(&document)?.ok_or_else(|| no_search(source))?;
    Ok(of_list(list, search))
}

/// The newest skills, where no word is given: as many pages of their list as it takes.
fn newest(source: &Source, search: &Search) -> Result<Results, ClientError> {
    let mut all = List { items: Vec::new(), total: 0 };
    for page in 1..=u64::from(search.limit).div_ceil(DEFAULT_SIZE) {
        let namespace = search.namespace.clone();
        let document = Document::SkillList(SkillList { namespace, page, ..SkillList::default_page() });
        match source.document::<List<SkillRecord>>(&document)? {
            Some(list) if !list.items.is_empty() => {
                all.total = list.total;
                all.items.extend(list.items);
            }
            // Every registry has this one.
            None if page == 1 && search.namespace.is_none() => return Err(no_search(source)),
            None if page == 1 => match source.standing()? {
                Standing::Registry => break,
                Standing::Hidden(why) => return Err(why),
                Standing::Nothing => return Err(no_search(source)),
            },
            _ => break,
        }
    }
    Ok(of_list(all, search))
}

fn of_list(list: List<SkillRecord>, search: &Search) -> Results {
    let items = list.items.into_iter().take(search.limit.into()).map(SearchResult::from).collect();
    results(items, list.total, search)
}
