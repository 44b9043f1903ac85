//! Where a published version is from: the job that built it, or the source that the registry follows.

use serde::{Deserialize, Serialize};

use crate::names::Digest;

/// Where a version is from, for everybody to see. The registry vouches for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PublicProvenance {
    /// A job of a CI system has published it.
    Job(JobProvenance),
    /// The registry has taken it from a source that it follows.
    Source {
        /// The source.
        source: SourceProvenance,
    },
}

/// The place that the registry took a version from. The registry has read it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SourceProvenance {
    /// The address of the repository or package, without credentials and query. Of a local folder its name only, as in
    /// `file:skills.git`.
    pub address: String,
    /// The commit, if it is a git repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The sha256 of the package or file that was read at the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// The job of a CI system that published a version, for everybody to see. The registry has checked the job's token.
///
/// `Job::public_provenance` alone makes it: the name of a private repository must not become public by accident.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct JobProvenance {
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

impl JobProvenance {
    fn is_valid(&self) -> bool {
        let Self { issuer, repository, commit, git_ref, workflow, run } = self;
        let optional = [git_ref, run].into_iter().flatten();
        [issuer, repository, commit, workflow].into_iter().chain(optional).all(|text| is_word(text))
    }
}

impl SourceProvenance {
    /// Whether it may be in a row.
    pub fn is_valid(&self) -> bool {
        let Self { address, commit, digest } = self;
        let is_address = is_word(address) && !address.contains(['?', '#', '@']);
        is_address && commit.iter().all(|commit| is_word(commit)) && (commit.is_some() || digest.is_some())
    }

    /// The commit, or else the digest.
    fn state(&self) -> String {
        let digest = || self.digest.map_or_else(String::new, |digest| format!("sha256:{digest}"));
        self.commit.clone().unwrap_or_else(digest)
    }
}

impl PublicProvenance {
    /// Checks a row of somebody else. The error is the rest of a sentence about the row.
    pub(super) fn check(&self) -> Result<(), String> {
        match self.is_valid() {
            true => Ok(()),
            false => Err("has a provenance that is not made of words".into()),
        }
    }

    /// Whether each field is a word, and an address has no credential. A registry must not send others.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Job(job) => job.is_valid(),
            Self::Source { source } => source.is_valid(),
        }
    }

    /// The place and its state, as in `github.com/acme/skills@0123abcd`. Only that of a source has a scheme.
    pub fn built_from(&self) -> String {
        match self {
            Self::Job(JobProvenance { repository, commit, .. }) => format!("{repository}@{commit}"),
            Self::Source { source } => format!("{}@{}", source.address, source.state()),
        }
    }

    /// All of it in one line, for people.
    pub fn summary(&self) -> String {
        match self {
            Self::Job(JobProvenance { repository, commit, git_ref, workflow, run, .. }) => {
                let git_ref = git_ref.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
                let run = run.as_ref().map(|run| format!(", run {run}")).unwrap_or_default();
                format!("{repository} at {commit}{git_ref} by {workflow}{run}")
            }
            Self::Source { source } => format!("{} at {}", source.address, source.state()),
        }
    }

    /// The words before [`Self::summary`]: a job has built it, a source is only where it was taken from.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Job(_) => "built from",
            Self::Source { .. } => "taken from",
        }
    }

    /// Whether the place matches a pattern: a whole name, or its beginning before `*`. A pattern with a scheme means the
    /// address of a source, and none without one does, because nobody has proved who built what is there. Case does not
    /// matter for repositories of jobs, as at GitHub and GitLab.
    pub fn is_from(&self, pattern: &str) -> bool {
        let (name, pattern) = match self {
            Self::Job(job) => (job.repository.to_ascii_lowercase(), pattern.to_ascii_lowercase()),
            Self::Source { source } => (source.address.clone(), pattern.to_owned()),
        };
        match pattern.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == pattern,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn provenance_with_a_credential_or_without_a_state_is_invalid() {
        let read = |json: &str| serde_json::from_str::<PublicProvenance>(json).unwrap();
        let of =
            |address: &str| read(&format!(r#"{{"source":{{"address":"{address}","commit":"0123abcd"}}}}"#));
        assert!(of("https://git.example.org/acme/skills").is_valid() && of("file:skills.git").is_valid());
        for address in ["", "a b", "https://u:p@x/", "https://x/?token=1", "https://x/#a", "https://x/<b>"] {
            assert!(!of(address).is_valid(), "{address}");
        }
        assert!(!of(&format!("https://x/{}", "a".repeat(MAX_FIELD))).is_valid());
        assert!(!read(r#"{"source":{"address":"https://x/"}}"#).is_valid());
        serde_json::from_str::<PublicProvenance>(r#"{"source":{"address":"x","digest":"abc"}}"#).unwrap_err();
    }

    #[test]
    fn pattern_without_a_scheme_means_no_source() {
        let json = r#"{"source":{"address":"https://github.com/acme/skills","commit":"0123abcd"}}"#;
        let source: PublicProvenance = serde_json::from_str(json).unwrap();
        assert!(
            source.is_from("https://github.com/acme/*") && source.is_from("https://github.com/acme/skills")
        );
        assert!(!source.is_from("github.com/acme/*") && !source.is_from("https://github.com/Acme/*"));
        assert_eq!(source.built_from(), "https://github.com/acme/skills@0123abcd");
    }
}
