//! The fields of the records, as the API describes them, and whole records for hosts that are no registry.

use serde_json::{Value, json};

/// The record of a skill with version 1.0.0, whose free texts are `text`.
pub fn skill_record(canonical_slug: &str, text: &str) -> Value {
    let (namespace, slug) = canonical_slug.split_once("--").unwrap_or(("global", canonical_slug));
    let at = "2026-01-31T12:00:00Z";
    json!({
        "id": "2", "namespace": namespace, "slug": slug, "canonicalSlug": canonical_slug, "name": text,
        "description": text, "author": {"handle": "ann", "displayName": text}, "version": "1.0.0", "tags": {},
        "keywords": [text], "downloadCount": 0, "starCount": 0, "ratingAverage": null, "ratingCount": 0,
        "createdAt": at, "updatedAt": at, "license": text, "homepage": text,
    })
}

/// The record of version 1.0.0, which is yanked, and whose free texts are `text`.
pub fn yanked_record(text: &str) -> Value {
    json!({
        "version": "1.0.0", "versionId": "2", "status": "yanked", "publishedAt": "2026-01-31T12:00:00Z",
        "publishedBy": {"handle": "ann", "displayName": text}, "changelog": text, "fileCount": 1,
        "unpackedSize": 1, "packageSize": 1, "sha256": "0".repeat(64), "contentDigest": "0".repeat(64),
        "fingerprint": "0".repeat(64), "yankReason": text, "downloadUrl": "/x",
    })
}

pub const SUMMARY: &str = "id namespace slug canonicalSlug name description author version tags keywords \
                           downloadCount starCount ratingAverage ratingCount createdAt updatedAt \
                           sourcePublishedAt";

pub const SKILL: &str = "id namespace slug canonicalSlug name description author version tags keywords \
                         downloadCount starCount ratingAverage ratingCount createdAt updatedAt \
                         sourcePublishedAt license homepage latest promotedFrom";

pub const VERSION: &str = "version versionId status publishedAt publishedBy changelog fileCount unpackedSize \
                           packageSize sha256 contentDigest fingerprint yankReason sourcePublishedAt verdicts downloadUrl";

pub const TAG: &str = "name version reserved createdAt updatedAt updatedBy";

pub const REVIEW: &str = "id kind status namespace slug version skillId sha256 source submittedBy submittedAt \
                          decidedBy decidedAt comment disabledAccounts verdicts";

pub const INVITATION: &str = "id namespace from to createdAt expiresAt";

pub const TRANSFER: &str = "id namespace slug from to message createdAt expiresAt";
