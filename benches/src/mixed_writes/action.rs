//! Write actions and their results.

use std::time::Duration;

use serde_json::{Value, json};

use crate::Failure;
use crate::http::{Response, header};
use crate::request::Sender;
use crate::world::{MEDIAN, package};

/// The team that all skills are of.
pub const TEAM: &str = "crowd";

/// The kinds of writes that there are figures of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A new version.
    Publish,
    /// A star is given or taken back.
    Star,
    /// A rating.
    Rate,
    /// A tag is set, moved or removed.
    Tag,
}

/// A write to one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A version. Two variants of one are different content, the same variant is
    /// the same content.
    Publish {
        /// Its number.
        version: String,
        /// Which content.
        variant: usize,
    },
    /// A star is given.
    Star,
    /// A star is taken back.
    Unstar,
    /// A rating.
    Rate(u64),
    /// A tag is set to a version.
    SetTag {
        /// Its name.
        tag: &'static str,
        /// To which.
        version: String,
    },
    /// A tag is removed.
    RemoveTag(&'static str),
}

impl Action {
    /// The kind that it is counted as.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Publish { .. } => Kind::Publish,
            Self::Star | Self::Unstar => Kind::Star,
            Self::Rate(_) => Kind::Rate,
            Self::SetTag { .. } | Self::RemoveTag(_) => Kind::Tag,
        }
    }

    /// The request that does it to the skill `slug`.
    pub fn request(&self, slug: &str, asking: Sender<'_>) -> Result<Vec<u8>, Failure> {
        let skill = format!("/api/v1/skills/{TEAM}/{slug}");
        Ok(match self {
            Self::Publish { version, variant } => {
                let zip = package(slug, &version.parse()?, *variant as u64, MEDIAN)?.archive()?;
                asking.publication(TEAM, &zip)
            }
            Self::Star => asking.plain("POST", &format!("{skill}/star")),
            Self::Unstar => asking.plain("DELETE", &format!("{skill}/star")),
            Self::Rate(score) => asking.json("POST", &format!("{skill}/rating"), &json!({"score": score})),
            Self::SetTag { tag, version } => {
                asking.json("PUT", &format!("{skill}/tags/{tag}"), &json!({"version": version}))
            }
            Self::RemoveTag(tag) => asking.plain("DELETE", &format!("{skill}/tags/{tag}")),
        })
    }
}

/// A action that has been answered.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The number of the person.
    pub who: usize,
    /// To which skill.
    pub slug: String,
    /// The action.
    pub action: Action,
    /// The status code of the answer.
    pub status: u16,
    /// The revision of the change. `None` if nothing changed.
    pub revision: Option<u64>,
    /// Whether the answer came before the tree held the change.
    pub lags: bool,
    /// The JSON of the response, or null.
    pub reply: Value,
    /// From the first byte of the request to the last of the answer.
    pub took: Duration,
}

impl Attempt {
    /// The result of a response.
    ///
    /// Errors: a body that is no JSON, a revision that is no number.
    pub fn of(
        (who, slug, action): (usize, String, Action),
        answer: &Response,
        took: Duration,
    ) -> Result<Self, Failure> {
        let reply = if answer.body.is_empty() { Value::Null } else { serde_json::from_slice(&answer.body)? };
        let revision = header(&answer.head, "x-revision").map(str::parse).transpose()?;
        let lags = header(&answer.head, "x-mirror-lag").is_some();
        Ok(Self { who, slug, action, status: answer.status, revision, lags, reply, took })
    }

    /// A field of the reply as text, or the empty string.
    pub fn text(&self, field: &str) -> &str {
        self.reply.get(field).and_then(Value::as_str).unwrap_or_default()
    }
}
