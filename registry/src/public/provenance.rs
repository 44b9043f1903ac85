//! The job that built and published a version.

use serde::{Deserialize, Serialize};

/// The job of a CI system that published a version, for everybody to see. The registry has checked the job's token.
///
/// `Job::public_provenance` alone makes it: the name of a private repository must not become public by accident.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PublicProvenance {
    /// The address of the issuer of the job's token.
    pub issuer: String,
    /// The host, owner and name of the repository, as in `github.com/acme/skills`.
    pub repository: String,
    /// The commit that the job ran for.
    pub commit: String,
    /// The branch or tag, as in `refs/tags/v1.0.0`.
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
    /// The file of the workflow in the repository.
    pub workflow: String,
    /// The number of the run at its CI system.
    pub run: Option<String>,
}

/// The most bytes of one field.
pub(crate) const MAX_FIELD: usize = 512;

/// Whether a field is one word of visible ASCII of at most 512 bytes.
pub(crate) fn is_word(text: &str) -> bool {
    (1..=MAX_FIELD).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'`'))
}

impl PublicProvenance {
    /// Checks a row of somebody else. The error is the rest of a sentence about the row.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { issuer, repository, commit, git_ref, workflow, run } = self;
        let optional = [git_ref, run].into_iter().flatten();
        match [issuer, repository, commit, workflow].into_iter().chain(optional).all(|text| is_word(text)) {
            true => Ok(()),
            false => Err("has a provenance that is not made of words".into()),
        }
    }

    /// Whether each field is a word. A registry must not send others.
    pub fn is_valid(&self) -> bool {
        self.check().is_ok()
    }

    /// The repository and the commit, as in `github.com/acme/skills@0123abcd`.
    pub fn built_from(&self) -> String {
        format!("{}@{}", self.repository, self.commit)
    }

    /// All of it in one line, for people.
    pub fn summary(&self) -> String {
        let Self { repository, commit, git_ref, workflow, run, .. } = self;
        let git_ref = git_ref.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        let run = run.as_ref().map(|run| format!(", run {run}")).unwrap_or_default();
        format!("{repository} at {commit}{git_ref} by {workflow}{run}")
    }

    /// Whether the repository matches a pattern: a whole name, or its beginning before `*`. Case does not matter,
    /// as at GitHub and GitLab.
    pub fn is_from(&self, pattern: &str) -> bool {
        let (name, pattern) = (self.repository.to_ascii_lowercase(), pattern.to_ascii_lowercase());
        match pattern.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == pattern,
        }
    }
}
