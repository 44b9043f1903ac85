//! The tree as the source of the MCP server.

use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use generator::address::{Document, locate};
use mcp::records::{SearchResult, SearchResults, VersionRecord};
use mcp::{SearchRequest, SkillSource, SourceError};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use registry::names::{Coordinate, Version};
use serde::Deserialize;

use crate::problem::Problem;
use crate::reads::tree_reader::TreeReader;

/// Reads the public documents of this server.
pub(super) struct TreeSource(pub Arc<TreeReader>);

impl TreeSource {
    fn document(&self, document: &Document) -> Result<Option<Bytes>, SourceError> {
        let found = self.0.document(document, &document.request(), false);
        Ok(found.map_err(|why| failed(&why))?.map(|found| found.bytes()))
    }

    fn read<T: for<'a> Deserialize<'a>>(&self, path: &str, query: &str) -> Result<T, SourceError> {
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

    fn package(&self, version: &VersionRecord) -> Result<Option<Bytes>, SourceError> {
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
            return self.read("/api/v1/search", &format!("q={words}&limit={limit}"));
        };
        let query = format!("keyword={words}&namespace={namespace}&size={limit}");
        let SkillList { items, total } = self.read("/api/v1/skills", &query)?;
        Ok(SearchResults { results: items.into_iter().map(SearchResult::from).collect(), total })
    }
}

/// A page of a list of skills.
#[derive(Deserialize)]
struct SkillList {
    items: Vec<ListedSkill>,
    total: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedSkill {
    canonical_slug: Coordinate,
    name: String,
    description: String,
    version: Option<Version>,
    download_count: u64,
    star_count: u64,
}

impl From<ListedSkill> for SearchResult {
    fn from(skill: ListedSkill) -> Self {
        Self {
            slug: skill.canonical_slug,
            name: skill.name,
            description: skill.description,
            version: skill.version,
            download_count: Some(skill.download_count),
            star_count: Some(skill.star_count),
        }
    }
}
