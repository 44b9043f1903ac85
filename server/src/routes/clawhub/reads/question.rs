//! The parameters of a read, and the answer to it.

use generator::address::{Document, Pointer, parameter};
use generator::render::clawhub::{LIST_SIZE, is_author};
use registry::names::Coordinate;

use super::super::super::Params;
use super::super::super::prelude::*;
use crate::reads::tree_reader::TreeReader;
use crate::reads::version_file::VersionFile;

/// The most skills or versions in an answer.
const MAX_ITEMS: usize = 200;

/// A read to answer.
pub(super) struct Question<'a> {
    pub(super) reader: &'a TreeReader,
    pub(super) params: &'a Params,
    pub(super) query: &'a str,
}

/// The answer to a read.
pub(super) enum Answer {
    /// A JSON document.
    Json(Vec<u8>),
    /// The content of a file.
    File(VersionFile),
    /// A document of the tree.
    Document(Document),
}

impl Question<'_> {
    /// A parameter of the query. An empty one counts as absent.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        parameter(self.query, name)
    }

    /// The number in `limit`, as the nearest one that is allowed. Other texts count as absent.
    pub(super) fn limit(&self) -> usize {
        let limit = self.parameter("limit").and_then(|limit| limit.parse::<usize>().ok());
        limit.unwrap_or(LIST_SIZE).clamp(1, MAX_ITEMS)
    }

    /// The skill that the path or the query names. 404 unless `ownerHandle` is its author.
    pub(super) fn skill(&self) -> Result<Coordinate, Problem> {
        let slug = self.params.get("slug").map(ToOwned::to_owned).or_else(|| self.parameter("slug"));
        let slug = slug.and_then(|slug| slug.parse().ok()).ok_or_else(Problem::no_such_skill)?;
        if let Some(owner) = self.parameter("ownerHandle")
            && !self.reader.read(|context| is_author(context.catalog, &slug, owner.trim_start_matches('@')))
        {
            return Err(Problem::no_such_skill());
        }
        Ok(slug)
    }

    /// The version or tag in the query.
    pub(super) fn pointer(&self) -> Result<Option<Pointer>, Problem> {
        // Clients send tags as `version`, too.
        let Some(text) = self.parameter("version").or_else(|| self.parameter("tag")) else { return Ok(None) };
        let pointer = text.parse().map(Pointer::Version).or_else(|_| text.parse().map(Pointer::Tag));
        pointer.map(Some).map_err(|_| no_such_version(&text))
    }
}

pub(super) fn no_such_version(asked_for: &str) -> Problem {
    Problem::not_found(format!(
        "There is no version or tag {asked_for} of this skill: inspect it with --versions."
    ))
}
