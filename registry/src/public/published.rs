//! The record of a publication, and its large part.

use serde::{Deserialize, Serialize};

use super::row::decode_error::DecodeError;
use super::{Id, OWN_SCANNER, Person, PublicProvenance, ScanVerdict, VerdictSummary};
use crate::names::{Coordinate, Digest, Namespace, Required, Slug, TagName, Version};
use crate::package::{FileRecord, Finding, Fingerprints};
use crate::public::PublicRow;
use crate::time::Timestamp;

/// The version from which a promoted skill was copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromotionSource {
    /// The namespace of the source.
    pub namespace: Namespace,
    /// The slug of the source.
    pub slug: Slug,
    /// The copied version.
    pub version: Version,
}

impl PromotionSource {
    /// The full name of the source.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// A version became public. The record has everything that its documents show, so
/// a mirror only needs the package besides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The skill's id, assigned at its first submission.
    pub skill_id: Id,
    /// The version's id, assigned at its submission.
    pub version_id: Id,
    /// The namespace.
    pub namespace: Namespace,
    /// The name in the namespace.
    pub slug: Slug,
    /// The version.
    pub version: Version,
    /// The author of the skill.
    pub author: Person,
    /// The publisher of this version.
    pub published_by: Person,
    /// The display name.
    pub name: String,
    /// The description: one paragraph of 1 to 1024 characters.
    pub description: String,
    /// The keywords: at most 32 of at most 64 characters.
    pub keywords: Vec<String>,
    /// The headings of SKILL.md, for search: at most 64 of at most 128
    /// characters, 2 KiB in total. Rows of schema 1 have none.
    #[serde(default)]
    pub headings: Vec<String>,
    /// The most frequent words of SKILL.md that no other field has, for search: at most 32 of at most 24
    /// characters, 1 KiB in total. Older rows have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body_words: Vec<String>,
    /// The license, as in the front matter.
    pub license: Option<String>,
    /// The homepage, an http(s) URL.
    pub homepage: Option<String>,
    /// The changelog, which may be empty.
    pub changelog: String,
    /// The tags that now point to this version.
    pub tags: Vec<TagName>,
    /// The source of a promoted skill.
    pub promoted_from: Option<PromotionSource>,
    /// The original publication time of an imported version.
    pub source_published_at: Option<Timestamp>,
    /// The number of files in the package.
    pub file_count: u64,
    /// The size of all files in bytes.
    pub unpacked_size: u64,
    /// The size of the canonical archive in bytes.
    pub package_size: u64,
    /// The digest of the canonical archive.
    pub sha256: Digest,
    /// The digest of the content, independent of the archive.
    pub content_digest: Digest,
    /// The content fingerprints that third-party clients compute.
    pub fingerprints: Fingerprints,
    /// The job or the source that it is from. Rows without it, attestation and requirements have schema 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Box<PublicProvenance>>,
    /// The digest of its attestation, a Sigstore bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attestation_sha256: Option<Digest>,
    /// The skills that it requires: at most 32. Rows with some have schema 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Required>,
    /// The verdicts about the package: of the own rules, and those of scanners about a submission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<VerdictSummary>,
}

impl Published {
    /// The schema number of its row: an older release stops only at a row that it cannot read.
    pub(crate) fn schema(&self) -> u32 {
        let has_more = self.attestation_sha256.is_some() || !self.requires.is_empty();
        if self.provenance.is_some() || has_more { 3 } else { 2 }
    }

    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The large part of a publication. It is in the row, but not in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// The front matter as JSON.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// The warnings about the package, except those about secrets.
    pub warnings: Vec<Finding>,
    /// The files, sorted by the bytes of their paths.
    pub files: Vec<FileRecord>,
    /// The text of the attestation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attestation: Option<String>,
    /// The verdicts of scanners about the submission. The findings of the own rules are warnings with a level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scans: Vec<ScanVerdict>,
}

impl Contents {
    /// The findings of a scanner, as far as this row has them.
    pub fn findings_of<'a>(&'a self, scanner: &str) -> impl Iterator<Item = &'a Finding> {
        let own: &[Finding] = if scanner == OWN_SCANNER { &self.warnings } else { &[] };
        let scans = self.scans.iter().filter(move |scan| *scan.scanner == *scanner);
        let own = own.iter().filter(|found| found.level.is_some());
        own.chain(scans.flat_map(|scan| &scan.findings))
    }

    /// Decodes the large part of a `published` row.
    pub fn decode(row: &PublicRow) -> Result<Self, DecodeError> {
        serde_json::from_str(&row.json).map_err(|cause| DecodeError { revision: row.revision, cause })
    }
}
