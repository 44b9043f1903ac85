//! Skills with names like one that a registry does not have.

use registry::names::{Coordinate, nearest};

use super::search::{SearchRequest, search};
use crate::{SkillReference, Source};

/// The most skills that are compared.
const LIMIT: u8 = 100;

/// The skills that somebody may have meant: of the same name in another namespace, or of a similar name. Found
/// by the search, which corrects typing errors, and else among the skills that were updated last. Empty if the
/// registry cannot be asked.
pub(crate) fn similar_skills(source: &Source, wanted: &Coordinate) -> Vec<String> {
    let words = wanted.slug.as_str().replace('-', " ");
    [words, String::new()]
        .into_iter()
        .map(|query| among(&found(source, query), wanted))
        .find(|similar| !similar.is_empty())
        .unwrap_or_default()
}

fn found(source: &Source, query: String) -> Vec<Coordinate> {
    let found = search(source, &SearchRequest { query, namespace: None, limit: LIMIT });
    found.map(|found| found.results.into_iter().map(|found| found.slug).collect()).unwrap_or_default()
}

fn among(skills: &[Coordinate], wanted: &Coordinate) -> Vec<String> {
    let others: Vec<&Coordinate> = skills.iter().filter(|skill| *skill != wanted).collect();
    let slugs = others.iter().map(|skill| skill.slug.as_str());
    let near = nearest(wanted.slug.as_str(), slugs);
    // In the namespace that was named first.
    let mut similar: Vec<&Coordinate> = near
        .into_iter()
        .flat_map(|slug| others.iter().copied().filter(move |skill| skill.slug.as_str() == slug))
        .collect();
    similar.dedup();
    similar.sort_by_key(|skill| skill.namespace != wanted.namespace);
    similar.into_iter().take(3).map(SkillReference::argument).collect()
}
