//! The source of a mirror: a tree in a folder, at an HTTP address, or in a bucket.

mod follow;
mod http;
mod selected;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use client::http::ReadAccess;
use client::user_path;
use client::{ClientError, ReadCredential, RegistryAddress};
use generator::follower::FeedSource;
use generator::tree::Tree;

use crate::config::Config;
use crate::config::folder_overlap::keep_from_source;
use crate::engines::{TargetUrl, bucket_source};
pub use follow::FollowArguments;
use http::HttpSource;

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
    /// Opens the source that the tree in `output` follows. `option` is the flag that sets `output`, for
    /// messages. An address is read with the token of `mirror.feed_token_file`, or else of `SKILLMIRROR_READ_TOKEN`, or
    /// else with what is saved for it.
    pub fn follow(
        &self,
        config: &Config,
        output: &Path,
        option: &str,
    ) -> Result<Arc<dyn FeedSource>, String> {
        let Self::Address(base) = self else { return self.open(output, option) };
        Ok(Arc::new(HttpSource::with(match config.mirror.feed_token_file.clone() {
            Some(file) => ReadAccess::with(base.clone(), ReadCredential::File(file)),
            None => ReadAccess::named(base.clone()),
        })))
    }

    /// Opens a source. `output` must not be a part of it. An address is read with what is saved for it.
    pub fn open(&self, output: &Path, option: &str) -> Result<Arc<dyn FeedSource>, String> {
        match self {
            Self::Folder(folder) => {
                keep_from_source(folder, output, option)?;
                Ok(Arc::new(Tree::at(folder)))
            }
            Self::Address(base) => Ok(Arc::new(HttpSource::with(ReadAccess::saved(base.clone())))),
            Self::Bucket(url) => bucket_source(url),
            Self::WithUserName => {
                Err("the address of the source contains a user name or a password: leave them out, and \
                     log in with `skillmirror login --registry URL --basic USER`"
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
