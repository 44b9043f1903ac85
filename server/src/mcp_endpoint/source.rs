//! The tree as the source of the MCP server.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use generator::address::{Document, locate};
use mcp::{SearchRequest, SearchResult, SearchResults, SkillSource, SourceError};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use registry::api::public::{self as api, Page, SkillSummary, VersionDetail};
use serde::de::DeserializeOwned;

use crate::problem::Problem;
use crate::reads::tree_reader::TreeReader;

/// Reads the public documents of this server.
pub(super) struct TreeSource(pub Arc<TreeReader>);

impl TreeSource {
    fn document(&self, document: &Document) -> Result<Option<Bytes>, SourceError> {
        let found = self.0.document(document, &document.request(), false);
        Ok(found.map_err(|why| failed(&why))?.map(|found| found.bytes()))
    }

    fn read<T: DeserializeOwned>(&self, path: &str, query: &str) -> Result<T, SourceError> {
        let document = locate(path, query).map_err(|why| SourceError(why.to_string()))?;
        let bytes = document.map(|document| self.document(&document)).transpose()?.flatten();
        let bytes = bytes.ok_or_else(|| SourceError("there is no such list".into()))?;
        serde_json::from_slice(&bytes).map_err(|why| {
            tracing::error!(path, %why, "a list has another form than expected");
            SourceError("the registry cannot read its lists: the log of the server has the cause".into())
        })
    }
}

/// The sentence for a problem. The log has its cause.
fn failed(problem: &Problem) -> SourceError {
    tracing::error!(?problem, "a document cannot be read");
    SourceError("the registry cannot read its documents now: try again in a moment".into())
}

impl SkillSource for TreeSource {
    fn name(&self) -> String {
        "the registry".to_owned()
    }

    fn documents(&self, documents: &[Document]) -> Result<Vec<Option<Bytes>>, SourceError> {
        documents.iter().map(|document| self.document(document)).collect()
    }

    fn package(&self, version: &VersionDetail<'_>) -> Result<Option<Bytes>, SourceError> {
        let version = &version.record;
        let failed = |why: &dyn std::fmt::Display| {
            tracing::error!(sha256 = %version.sha256, %why, "a package cannot be read");
            SourceError("the registry cannot read its packages now: try again in a moment".into())
        };
        let blob = self.0.store.open_blob(version.sha256).map_err(|why| failed(&why))?;
        let Some(blob) = blob else { return Ok(None) };
        let mut bytes = Vec::new();
        blob.take(version.package_size).read_to_end(&mut bytes).map_err(|why| failed(&why))?;
        Ok(Some(bytes.into()))
    }

    fn search(&self, request: &SearchRequest) -> Result<SearchResults, SourceError> {
        let SearchRequest { query, namespace, limit } = request;
        let words = utf8_percent_encode(query, NON_ALPHANUMERIC);
        let Some(namespace) = namespace else {
            let found: api::SearchResults<'_> =
                self.read("/api/v1/search", &format!("q={words}&limit={limit}"))?;
            let results = found.results.into_iter().map(of_result).collect();
            return Ok(SearchResults { results, total: found.total as u64 });
        };
        let query = format!("keyword={words}&namespace={namespace}&size={limit}");
        let Page::<SkillSummary<'_>> { items, total, .. } = self.read("/api/v1/skills", &query)?;
        Ok(SearchResults { results: items.into_iter().map(of_summary).collect(), total: total as u64 })
    }
}

fn of_summary(skill: SkillSummary<'_>) -> SearchResult {
    SearchResult {
        slug: skill.canonical_slug.into_owned(),
        name: skill.name.into_owned(),
        description: skill.description.into_owned(),
        version: skill.version.map(Cow::into_owned),
        download_count: Some(skill.counters.downloads),
        star_count: Some(skill.counters.stars),
    }
}

fn of_result(found: api::SearchResult<'_>) -> SearchResult {
    SearchResult {
        slug: found.slug.into_owned(),
        name: found.name.into_owned(),
        description: found.description.into_owned(),
        version: found.version.map(Cow::into_owned),
        download_count: Some(found.download_count),
        star_count: Some(found.star_count),
    }
}
