//! What the MCP server needs of a registry.

use bytes::Bytes;
use generator::address::Document;
use registry::api::public::VersionDetail;
use registry::names::{Coordinate, Namespace, Version};
use serde_json::Value;

/// A registry as an MCP server reads it. Its methods may block.
pub trait SkillSource: Send + Sync + 'static {
    /// The name of the registry in messages.
    fn name(&self) -> String;

    /// Reads documents, in their order. `None` for each that the registry does not have.
    fn documents(&self, documents: &[Document]) -> Result<Vec<Option<Bytes>>, SourceError>;

    /// Reads the package of a version. The caller checks its digest. `None` if the registry does not
    /// have it.
    fn package(&self, version: &VersionDetail<'_>) -> Result<Option<Bytes>, SourceError>;

    /// Why nothing of a skill may be shown, also not its name. `None` if it may.
    fn refusal(&self, _skill: &Coordinate) -> Result<Option<String>, SourceError> {
        Ok(None)
    }

    /// Searches for skills, without those that may not be shown.
    fn search(&self, request: &SearchRequest) -> Result<SearchResults, SourceError>;
}

/// Installs skills for the tool `install_skill`. May block.
pub trait Installer: Send + Sync + 'static {
    /// Installs a skill, named as on a command line, and returns the record of what was done.
    fn install(&self, skill: &str) -> Result<Value, SourceError>;
}

/// Why a registry could not be read: one sentence.
#[derive(Debug, Clone)]
pub struct SourceError(pub String);

/// The best results of a search.
#[derive(Debug)]
pub struct SearchResults {
    /// The found skills, best first.
    pub results: Vec<SearchResult>,
    /// The number of all found skills.
    pub total: u64,
}

/// A found skill.
#[derive(Debug)]
pub struct SearchResult {
    /// The full name.
    pub slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// The description, or its start.
    pub description: String,
    /// The latest version.
    pub version: Option<Version>,
    /// The number of downloads, if it is known.
    pub download_count: Option<u64>,
    /// The number of stars, if it is known.
    pub star_count: Option<u64>,
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The words. Without any, the most recently updated skills are found.
    pub query: String,
    /// Search only this namespace.
    pub namespace: Option<Namespace>,
    /// The number of results, 1 to 50.
    pub limit: u8,
}
