//! The sections `source.NAME`: the places that the registry follows.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use client::ReadCredential;
use registry::names::{Coordinate, Handle, Namespace, Slug};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::number::{number, seconds};
use super::path::{command, path};

/// The most of settings that are times, in seconds.
const MONTH: u64 = 31 * 24 * 60 * 60;

/// The most characters of an address. With its commit or digest it fits into a row.
const MAX_ADDRESS: usize = 400;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// A git repository
    Git,
    /// Another registry of this kind
    Registry,
    /// An index at /.well-known/agent-skills/index.json or /.well-known/skills/index.json
    Index,
    /// A marketplace.json of Claude Code, whose plugins are archives
    Marketplace,
    /// A registry that speaks the protocol of ClawHub
    Clawhub,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceAddress {
    /// An http(s) address without credential, query and fragment.
    Web(Url),
    /// A git repository on this machine.
    Folder(PathBuf),
}

impl FromStr for SourceAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = "write an http(s) address, or for git also the absolute path of a folder";
        if text.len() > MAX_ADDRESS || text.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return Err(format!(
                "an address has at most {MAX_ADDRESS} visible characters of ASCII: {wanted}"
            ));
        }
        if let Some(folder) = text.strip_prefix("file://").or(Some(text).filter(|text| text.starts_with('/')))
        {
            return match Path::new(folder).is_absolute() && !folder.contains(['?', '#', '%', '\\']) {
                true => Ok(Self::Folder(folder.into())),
                false => Err(format!("this is not a folder of this machine: {wanted}")),
            };
        }
        let url = Url::parse(text).map_err(|_| format!("this is not an address: {wanted}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("`{}` addresses are not followed: {wanted}", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(
                "the address has a user name or password: leave it out, and name a credential_file".into()
            );
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("the address has a `?` or `#`: everybody sees the address, so leave it out".into());
        }
        Ok(Self::Web(url))
    }
}

impl fmt::Display for SourceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Web(url) => f.write_str(url.as_str().trim_end_matches('/')),
            Self::Folder(folder) => write!(f, "file://{}", folder.display()),
        }
    }
}

/// A place that the registry follows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSection {
    /// What it is.
    pub kind: SourceKind,
    /// Where it is.
    #[serde(deserialize_with = "parsed")]
    pub address: SourceAddress,
    /// The namespace that its skills are submitted to.
    pub into: Namespace,
    /// The account in whose name they are submitted.
    #[serde(rename = "as")]
    pub account: Handle,
    /// Whether they are published without a review.
    #[serde(default)]
    pub publish: bool,
    /// Whether packages are repaired if possible.
    #[serde(default)]
    pub tolerant: bool,
    /// The only skills that are taken, by the names that the source has for them. Empty: all.
    #[serde(default)]
    pub skills: Vec<Coordinate>,
    /// git: the folder that the skills are in.
    #[serde(default)]
    pub folder: Option<String>,
    /// git: the branch. Without it and `tags`, the default branch.
    #[serde(default)]
    pub branch: Option<String>,
    /// git: the pattern of the tags whose newest version is taken, as in `v*`.
    #[serde(default)]
    pub tags: Option<String>,
    /// registry: the namespaces.
    #[serde(default)]
    pub namespaces: Vec<Namespace>,
    /// A file with a bearer token.
    #[serde(default, deserialize_with = "path")]
    pub credential_file: Option<PathBuf>,
    /// A command that prints a bearer token.
    #[serde(default, deserialize_with = "command")]
    pub credential_command: Vec<String>,
    /// Whether it may be in a private network, or on this machine.
    #[serde(default)]
    pub private_network: bool,
    /// The time between two checks.
    #[serde(default = "every", deserialize_with = "seconds::<_, 1, MONTH>")]
    pub every: Duration,
    /// The most time of a check.
    #[serde(default = "time", deserialize_with = "seconds::<_, 1, MONTH>")]
    pub max_time: Duration,
    /// The most bytes that a check reads.
    #[serde(default = "bytes", deserialize_with = "number::<_, _, 1, { u64::MAX }>")]
    pub max_bytes: u64,
    /// The most skills of the source.
    #[serde(default = "skills", deserialize_with = "number::<_, _, 1, 10_000>")]
    pub max_skills: usize,
}

fn every() -> Duration {
    Duration::from_secs(6 * 60 * 60)
}

fn time() -> Duration {
    Duration::from_secs(600)
}

fn bytes() -> u64 {
    256 << 20
}

fn skills() -> usize {
    500
}

fn parsed<'de, D: Deserializer<'de>>(from: D) -> Result<SourceAddress, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Whether a text may be the name of a branch or a pattern of tags: nothing that git could take for an option or a
/// reference of another form.
fn is_ref(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '+' | '@');
    let is_safe = !text.starts_with(['-', '/', '.']) && !text.contains("..") && !text.contains("@{");
    (1..=200).contains(&text.len()) && is_safe && text.chars().all(is_plain)
}

impl SourceSection {
    /// Checks what one setting says of another. `name` is that of the source.
    pub fn check(&self, name: &str) -> Result<(), String> {
        let refused = |setting: &str, why: &str| Err(format!("source.{name}.{setting}: {why}"));
        if name.parse::<Slug>().is_err() {
            return Err(format!("source.{name}: the name of a source has a-z, 0-9 and `-`"));
        }
        let is_git = self.kind == SourceKind::Git;
        if !is_git && matches!(self.address, SourceAddress::Folder(_)) {
            return refused(
                "address",
                "only a git repository may be a folder of this machine: write an http(s) address",
            );
        }
        let of_git = [("folder", &self.folder), ("branch", &self.branch), ("tags", &self.tags)];
        if let Some((setting, _)) = of_git.iter().find(|(_, value)| value.is_some() && !is_git) {
            return refused(setting, "only a git repository has it");
        }
        if self.branch.as_ref().is_some_and(|branch| !is_ref(branch)) {
            return refused("branch", "this is not the name of a branch");
        }
        if self.branch.is_some() && self.tags.is_some() {
            return refused("tags", "follow a branch or tags, not both");
        }
        if let Some(tags) = &self.tags
            && !(tags == "*" || is_ref(&tags.replacen('*', "", 1)) && tags.contains('*'))
        {
            return refused("tags", "write a pattern with one `*` where the version is, as in `v*`");
        }
        if self.folder.as_ref().is_some_and(|folder| {
            folder.starts_with(['-', '/', ':'])
                || folder.split('/').any(|part| matches!(part, "" | "." | ".."))
        }) {
            return refused("folder", "write a path in the repository, as in `skills/office`");
        }
        if self.namespaces.is_empty() == (self.kind == SourceKind::Registry) {
            return refused(
                "namespaces",
                "name the namespaces of a registry to follow; other sources have none",
            );
        }
        if self.credential_file.is_some() && !self.credential_command.is_empty() {
            return refused("credential_command", "name a file or a command, not both");
        }
        Ok(())
    }

    /// The credential, which goes to the origin of the address only.
    pub fn credential(&self) -> Option<ReadCredential> {
        match (&self.credential_file, self.credential_command.as_slice()) {
            (Some(file), _) => Some(ReadCredential::File(file.clone())),
            (None, []) => None,
            (None, command) => Some(ReadCredential::Command(command.to_vec())),
        }
    }
}
