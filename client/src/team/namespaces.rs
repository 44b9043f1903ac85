//! Namespaces.

use generator::address::{DEFAULT_SIZE, Document};
use registry::names::Namespace;
use registry::public::NamespaceStatus;
use serde::Deserialize;
use serde_json::{Value, json};

use super::records::{MemberRecord, NamespaceRecord};
use super::signed_in::given;
use super::{PageRequest, Reply, SignedIn};
use crate::source::json_problem;
use crate::source::records::List;
use crate::{ClientError, Source};

/// New values of a namespace. Absent ones keep their values, or have their defaults.
#[derive(Debug, Clone, Default)]
pub struct NamespaceFields {
    /// The name for people.
    pub display_name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether versions of plain members wait for review.
    pub review_required: Option<bool>,
    /// What may happen in it. Not for a new namespace.
    pub status: Option<NamespaceStatus>,
}

impl NamespaceFields {
    fn body(&self, slug: Option<&Namespace>) -> Value {
        given(json!({
            "slug": slug, "displayName": self.display_name, "description": self.description,
            "reviewRequired": self.review_required, "status": self.status,
        }))
    }
}

/// The namespaces of a registry, also of a static host or a folder. Those have only pages of the default
/// size, and send one of them instead.
pub fn list(source: &Source, page: PageRequest) -> Result<Reply<List<NamespaceRecord>>, ClientError> {
    let PageRequest { page, size } = page;
    let in_tree = match page {
        1 => Document::Namespaces,
        page => Document::NamespaceList { page, size: DEFAULT_SIZE },
    };
    for document in [Document::NamespaceList { page, size: size.into() }, in_tree] {
        if let Some(json) = source.document::<Value>(&document)? {
            let record =
                List::deserialize(&json).map_err(|why| source.invalid(&document, json_problem(&why)))?;
            return Ok(Reply { record, json });
        }
    }
    let what = format!("no page {page} of the namespaces at {}", source.address());
    Err(source.missing(what, "ask for an earlier one, or name the server with --registry"))
}

/// Creates a namespace. The caller becomes its owner.
pub fn create(
    of: &SignedIn,
    slug: &Namespace,
    fields: &NamespaceFields,
) -> Result<Reply<NamespaceRecord>, ClientError> {
    of.post("/api/v1/namespaces", &fields.body(Some(slug)))
}

/// Changes a namespace.
pub fn change(
    of: &SignedIn,
    slug: &Namespace,
    fields: &NamespaceFields,
) -> Result<Reply<NamespaceRecord>, ClientError> {
    of.put(&format!("/api/v1/namespaces/{slug}"), &fields.body(None))
}

/// The members of a namespace.
pub fn members(
    of: &SignedIn,
    slug: &Namespace,
    page: PageRequest,
) -> Result<Reply<List<MemberRecord>>, ClientError> {
    of.list(&format!("/api/v1/namespaces/{slug}/members"), page)
}
