//! What is asked of a publication.

use super::package_name::NamespaceConflict;
use crate::names::{Namespace, TagName, TolerantVersion};
use crate::package::{Attestation, Level, Package, RequestedName};
use crate::public::SourceProvenance;
use crate::quotas::Quotas;
use crate::time::Timestamp;

/// A package, and the request to publish it.
pub struct PublishInput<'a> {
    /// The validated package.
    pub package: &'a Package,
    /// The namespace. Default: the package's own, else `global`.
    pub namespace: Option<Namespace>,
    /// The name. Default: the package's own.
    pub requested_name: Option<RequestedName>,
    /// How to handle a package that names another namespace.
    pub on_namespace_conflict: NamespaceConflict,
    /// The version, and the text it was read from.
    pub version: Option<(TolerantVersion, String)>,
    /// The changelog, at most 16 KiB.
    pub changelog: String,
    /// Tags that will point to this version.
    pub tags: Vec<TagName>,
    /// The original time of publication, for imports.
    pub source_published_at: Option<Timestamp>,
    /// An attestation of the package.
    pub attestation: Option<Attestation>,
    /// The lowest level of a finding of the own rules with which the version waits for a person. None: it never does.
    pub wait_level: Option<Level>,
    /// The source that the package was taken from.
    pub source: Option<FromSource>,
    /// What the caller may use.
    pub quotas: Quotas,
}

/// A package that the registry has taken from a source that it follows.
#[derive(Debug, Clone)]
pub struct FromSource {
    /// Where it was, for everybody to see.
    pub provenance: SourceProvenance,
    /// Whether it waits for a review, whatever the caller may do.
    pub is_reviewed: bool,
}
