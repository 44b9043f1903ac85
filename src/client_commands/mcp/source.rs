//! The registry of the client as a source of the MCP server.

use std::sync::Arc;

use ::mcp::{SearchRequest, SearchResult, SearchResults, SkillSource, SourceError};
use bytes::Bytes;
use client::history::SignedHistory;
use client::http::Purpose;
use client::install::Release;
use client::policy::Policy;
use client::skills::search::{self, search};
use client::{Requirement, SkillReference, Source};
use generator::address::Document;
use registry::api::public::VersionDetail;
use registry::names::Coordinate;
use registry::with_causes;

/// A registry that the client reads: a server, a static host or a folder.
pub struct RegistrySource(pub Arc<Source>);

/// The sentence of an error with its causes.
pub fn sentence(why: &(dyn std::error::Error + 'static)) -> SourceError {
    SourceError(with_causes(why))
}

impl SkillSource for RegistrySource {
    fn name(&self) -> String {
        self.0.registry().to_string()
    }

    fn documents(&self, documents: &[Document]) -> Result<Vec<Option<Bytes>>, SourceError> {
        let read = self.0.documents(documents).map_err(|why| sentence(&why))?;
        Ok(read.into_iter().map(|bytes| bytes.map(Bytes::from)).collect())
    }

    /// Of a registry whose keys the user trusts, only packages that its signed history has. Only those that the policy
    /// accepts.
    fn package(&self, version: &VersionDetail<'_>) -> Result<Option<Bytes>, SourceError> {
        let (coordinate, record) = (version.coordinate(), &version.record);
        let requirement = Some(Requirement::Exact(record.version.clone().into_owned()));
        let reference = SkillReference { coordinate: coordinate.clone(), requirement };
        let admit = || {
            let release = Release::resolve(&self.0, &reference)?;
            let is_proved = release.prove(SignedHistory::of(&self.0)?.as_ref())?.is_some();
            release.admit(&self.0, is_proved)
        };
        admit().map_err(|why| sentence(&why))?;
        let document = Document::Package(coordinate, record.version.clone().into_owned());
        let size = Some(record.package_size);
        let package = self.0.package(&document, size, Purpose::Inspection, &mut |_, _| {});
        Ok(package.map_err(|why| sentence(&why))?.map(Bytes::from))
    }

    fn refusal(&self, skill: &Coordinate) -> Result<Option<String>, SourceError> {
        let policy = Policy::load().map_err(|why| sentence(&why))?;
        Ok(policy.refusal_of_name(self.0.registry(), skill))
    }

    fn search(&self, request: &SearchRequest) -> Result<SearchResults, SourceError> {
        let SearchRequest { query, namespace, limit } = request.clone();
        let request = search::SearchRequest { query, namespace, limit };
        let found = search(&self.0, &request).map_err(|why| sentence(&why))?;
        let policy = Policy::load().map_err(|why| sentence(&why))?;
        let count = found.results.len();
        let mut shown = found.results;
        shown.retain(|found| policy.refusal_of_name(self.0.registry(), &found.slug).is_none());
        let left_out = (count - shown.len()) as u64;
        let results = shown.into_iter().map(|found| SearchResult {
            slug: found.slug,
            name: found.name,
            description: found.description,
            version: found.version,
            download_count: found.download_count,
            star_count: found.star_count,
        });
        Ok(SearchResults { results: results.collect(), total: found.total.saturating_sub(left_out) })
    }
}
