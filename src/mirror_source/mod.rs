//! The source of a mirror: a tree in a folder, at an HTTP address, or in a bucket.

mod http;
mod selected;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use client::user_path;
use client::{ClientError, RegistryAddress};
use generator::follower::{FeedSource, FollowOptions};
use generator::tree::Tree;
use registry::transparency_log::{MAX_POLICY, Policy, VerifierKey};

use crate::engines::{TargetUrl, bucket_source};
use crate::folder_overlap::keep_from_source;
use crate::open_registry::TakeOver;
use http::HttpSource;
pub use selected::SelectionArguments;

/// The option of commands that follow a source.
#[derive(Debug, Clone, Copy, Args)]
pub struct AcceptHistory {
    /// Follow the source even if it has another history than the tree, as after the restore of a
    /// backup. A later one is refused again
    #[arg(long, requires = "feed")]
    accept_new_history: bool,
}

impl AcceptHistory {
    /// Whether another history is followed. A tree that is replaced has no history to keep.
    pub fn accepts(self, take_over: TakeOver) -> bool {
        self.accept_new_history || take_over.replace_tree
    }
}

/// The option with the keys that must have signed what a source has.
#[derive(Debug, Clone, Args)]
pub struct TrustedKeys {
    /// Take only what this public key of the source has signed (repeatable: one of them must have
    /// signed). `skillmirror key show` prints it at the source. Replaces `mirror.feed_keys`
    #[arg(long = "vkey", value_name = "KEY", requires = "feed")]
    keys: Vec<VerifierKey>,
    /// Take only what the witnesses of this policy have cosigned (C2SP tlog-policy). Its logs are the
    /// keys, unless --vkey or `mirror.feed_keys` names others
    #[arg(long, value_name = "FILE", requires = "feed")]
    policy: Option<PathBuf>,
}

impl TrustedKeys {
    /// Adds the keys and the policy to `options`. `configured` are the keys of the settings.
    pub fn add_to(
        &self,
        options: FollowOptions,
        configured: &[VerifierKey],
    ) -> Result<FollowOptions, String> {
        let policy = self.policy.as_deref().map(read_policy).transpose()?;
        let of_policy = policy.iter().flat_map(|policy| policy.logs().to_vec()).collect();
        let given = [self.keys.clone(), configured.to_vec(), of_policy];
        let keys = given.into_iter().find(|keys| !keys.is_empty()).unwrap_or_default();
        if let (Some(file), true) = (&self.policy, keys.is_empty()) {
            return Err(format!("{} names no log: give the key of the source with --vkey", file.display()));
        }
        Ok(FollowOptions { keys: of_one_registry(keys)?, policy, ..options })
    }
}

fn read_policy(file: &Path) -> Result<Policy, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(|why| failed(&why))?;
    opened.take(MAX_POLICY as u64 + 1).read_to_end(&mut bytes).map_err(|why| failed(&why))?;
    Policy::parse(&bytes).map_err(|why| failed(&why))
}

/// Refuses keys of several registries.
fn of_one_registry(keys: Vec<VerifierKey>) -> Result<Vec<VerifierKey>, String> {
    let other = keys.iter().find(|key| key.name() != keys[0].name());
    match other {
        Some(other) => Err(format!(
            "the keys {} and {} are of two registries: a mirror has one source",
            keys[0].short(),
            other.short()
        )),
        None => Ok(keys),
    }
}

/// The value of `--feed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorSource {
    /// A folder with a tree.
    Folder(PathBuf),
    /// The address of the root of a tree on a host.
    Address(RegistryAddress),
    /// A tree in a bucket.
    Bucket(TargetUrl),
    /// An address with a user name or a password, which is refused. The value is not kept: an error
    /// of the parser would print it.
    WithUserName,
}

impl FromStr for MirrorSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if TargetUrl::is_one(text) {
            return text.parse().map(Self::Bucket);
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return match text {
                "" => Err("expected a folder or an http(s) address".into()),
                path => Ok(Self::Folder(tree_root(&user_path(path.as_ref())?).to_owned())),
            };
        };
        if rest.split(['/', '\\', '?', '#']).next().is_some_and(|host| host.contains('@')) {
            return Ok(Self::WithUserName);
        }
        if !["http", "https", "file"].contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err(format!(
                "unsupported scheme `{scheme}`: use a folder, an http(s) address, or a bucket (s3://, gs://, az://)"
            ));
        }
        // As `--registry` reads it.
        let address: RegistryAddress = text.parse().map_err(|why: ClientError| why.to_string())?;
        Ok(match address.as_folder() {
            Some(folder) => Self::Folder(folder.to_owned()),
            None => Self::Address(address),
        })
    }
}

/// The root of the tree that a path names. `api/v1`, the base of the API, is below it.
fn tree_root(path: &Path) -> &Path {
    let root = path.ends_with("api/v1").then(|| path.ancestors().nth(2)).flatten();
    root.map_or(path, |root| if root.as_os_str().is_empty() { Path::new(".") } else { root })
}

impl MirrorSource {
    /// Opens the source of the tree in `output`. `option` is the flag that sets `output`, for
    /// messages.
    pub fn open(&self, output: &Path, option: &str) -> Result<Arc<dyn FeedSource>, String> {
        if let Self::Folder(folder) = self {
            keep_from_source(folder, output, option)?;
        }
        self.source()
    }

    /// Opens the source.
    pub fn source(&self) -> Result<Arc<dyn FeedSource>, String> {
        match self {
            Self::Folder(folder) => Ok(Arc::new(Tree::at(folder))),
            Self::Address(base) => Ok(Arc::new(HttpSource::at(base.clone()))),
            Self::Bucket(url) => bucket_source(url),
            Self::WithUserName => {
                Err("the address of the source contains a user name or a password: trees are \
                                       read without one, so leave it out"
                    .into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_distinguishes_folders_and_addresses() {
        let folder = |path: &str| Ok(MirrorSource::Folder(path.into()));
        let address = |url: &str| Ok(MirrorSource::Address(url.parse().unwrap()));
        for (text, expected) in [
            ("public", "public"),
            ("public/api/v1", "public"),
            ("./public/api/v1/", "./public"),
            ("api/v1", "."),
            ("/api/v1", "/"),
            ("my-api/v1", "my-api/v1"),
            ("file:///srv/tree", "/srv/tree"),
            ("file:///srv/my%20tree/api/v1/", "/srv/my tree"),
            ("file://localhost/srv/tree", "/srv/tree"),
        ] {
            assert_eq!(text.parse(), folder(expected), "{text}");
        }
        for (text, expected) in [
            ("http://127.0.0.1:80/a/", "http://127.0.0.1/a"),
            ("http://127.0.0.1:80/a/api/v1", "http://127.0.0.1/a"),
            ("HTTPS://skills.example.org/api/v1/", "https://skills.example.org"),
            ("https://x/~@me", "https://x/~@me"),
        ] {
            assert_eq!(text.parse(), address(expected), "{text}");
        }
        for secret in ["https://u:p@x/", "https://u@x", "http://u:p@?", "ftp://u:p@x"] {
            assert_eq!(secret.parse(), Ok(MirrorSource::WithUserName), "{secret}");
        }
        for wrong in ["", "ftp://x/", "http://", "https:///x", "http://x/?a=b", "file://host/x"] {
            assert!(wrong.parse::<MirrorSource>().is_err(), "{wrong}");
        }
    }
}
