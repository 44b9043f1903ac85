//! Jobs of CI systems that publish without a stored secret.

use serde::{Deserialize, Serialize};

use crate::names::{Coordinate, Namespace, Slug};
use crate::public::{Id, JobProvenance, PublicProvenance, is_word};
use crate::time::Timestamp;

/// A job, as its token says. The registry has checked the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The address of the issuer of the token.
    pub issuer: String,
    /// The host of the repository.
    pub host: String,
    /// The owner and name of the repository.
    pub repository: String,
    /// The id of the owner, which nobody else gets when a name is free again.
    pub owner_id: String,
    /// The file of the workflow.
    pub workflow: String,
    /// The environment that the job runs in.
    pub environment: Option<String>,
    /// The commit.
    pub commit: String,
    /// The branch or tag.
    pub git_ref: Option<String>,
    /// The number of the run.
    pub run: Option<String>,
    /// Whether everybody can see the repository.
    pub is_public: bool,
}

impl Job {
    /// The name of the first field that is not a word of visible ASCII.
    pub fn unusable_field(&self) -> Option<&'static str> {
        let fields = [
            ("repository", Some(&self.repository)),
            ("owner id", Some(&self.owner_id)),
            ("workflow", Some(&self.workflow)),
            ("commit", Some(&self.commit)),
            ("ref", self.git_ref.as_ref()),
            ("run", self.run.as_ref()),
        ];
        fields.into_iter().find(|(_, text)| text.is_some_and(|text| !is_word(text))).map(|(name, _)| name)
    }

    /// The only maker of a [`JobProvenance`]. None for a private repository, unless its owner has said that it may
    /// be shown.
    pub fn public_provenance(&self, may_show_private: bool) -> Option<PublicProvenance> {
        (self.is_public || may_show_private).then(|| {
            PublicProvenance::Job(JobProvenance {
                issuer: self.issuer.clone(),
                repository: format!("{}/{}", self.host, self.repository),
                commit: self.commit.clone(),
                git_ref: self.git_ref.clone(),
                workflow: self.workflow.clone(),
                run: self.run.clone(),
            })
        })
    }
}

/// What the short-lived token of a job allows: publishing one skill, or the skills of one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobGrant {
    /// The entry that admitted the job. Without it the token is worth nothing.
    pub publisher: Id,
    /// The namespace.
    pub namespace: Namespace,
    /// The only skill. None: every skill of the namespace.
    pub slug: Option<Slug>,
    /// The end of the token.
    pub expires_at: Timestamp,
    /// The job.
    pub job: Job,
}

impl JobGrant {
    /// Whether it allows to publish this skill.
    pub fn covers(&self, skill: &Coordinate) -> bool {
        self.namespace == skill.namespace && self.slug.as_ref().is_none_or(|slug| *slug == skill.slug)
    }

    /// The skills that it allows to publish, for messages.
    pub fn what(&self) -> String {
        match &self.slug {
            Some(slug) => Coordinate::new(self.namespace.clone(), slug.clone()).scoped(),
            None => format!("the skills of `{}`", self.namespace),
        }
    }
}
