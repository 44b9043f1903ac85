//! Jobs of CI systems that may publish.

use serde::{Deserialize, Serialize};

use crate::names::{Handle, Namespace, Slug};
use crate::public::Id;
use crate::time::Timestamp;

/// The terms of a trusted publisher: its jobs, and the skills that they may publish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PublisherTerms {
    /// The namespace.
    pub namespace: Namespace,
    /// The skill, which need not exist yet. None: every skill of the namespace.
    pub slug: Option<Slug>,
    /// The address of the issuer of the job's token.
    pub issuer: String,
    /// The owner and name of the repository, in any case.
    pub repository: String,
    /// The id of the owner at the CI system.
    pub owner_id: String,
    /// The file of the workflow.
    pub workflow: String,
    /// The environment that the job must run in. None: any.
    pub environment: Option<String>,
    /// Whether repository and commit may be shown even if the repository is private.
    pub show_private: bool,
}

/// A trusted publisher.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Publisher"))]
pub struct PublisherRecord {
    pub id: Id,
    #[serde(flatten)]
    pub terms: PublisherTerms,
    /// The person in whose name its jobs publish.
    pub added_by: Handle,
    pub created_at: Timestamp,
}

/// The answer to the token of a job.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobToken {
    /// A token with the scope `publish`.
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "password")))]
    pub token: String,
    pub namespace: Namespace,
    /// The only skill that it can publish. None: every skill of the namespace.
    pub slug: Option<Slug>,
    pub expires_at: Timestamp,
}
