//! The fields of the records, as the API describes them.

pub const SUMMARY: &str = "id namespace slug canonicalSlug name description author version tags keywords \
                           downloadCount starCount ratingAverage ratingCount createdAt updatedAt \
                           sourcePublishedAt";

pub const SKILL: &str = "id namespace slug canonicalSlug name description author version tags keywords \
                         downloadCount starCount ratingAverage ratingCount createdAt updatedAt \
                         sourcePublishedAt license homepage latest promotedFrom";

pub const VERSION: &str = "version versionId status publishedAt publishedBy changelog fileCount unpackedSize \
                           packageSize sha256 contentDigest fingerprint yankReason sourcePublishedAt downloadUrl";

pub const TAG: &str = "name version reserved createdAt updatedAt updatedBy";

pub const REVIEW: &str = "id kind status namespace slug version skillId sha256 source submittedBy submittedAt \
                          decidedBy decidedAt comment disabledAccounts";

pub const INVITATION: &str = "id namespace from to createdAt expiresAt";

pub const TRANSFER: &str = "id namespace slug from to message createdAt expiresAt";
