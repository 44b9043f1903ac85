//! The source of a mirror: a tree in a folder, or at an HTTP address.

mod http;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use generator::follower::FeedSource;
use generator::tree::Tree;

use crate::folder_overlap::keep_from_source;
use http::HttpSource;

/// The value of `--feed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorSource {
    /// A folder with a tree.
    Folder(PathBuf),
    /// The address of the root of a tree, without a trailing slash.
    Address(String),
}

impl FromStr for MirrorSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((scheme, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default();
            return match scheme {
                "http" | "https" if !host.is_empty() && !rest.contains(['?', '#', ' ']) => {
                    Ok(Self::Address(text.trim_end_matches('/').to_owned()))
                }
                "http" | "https" => {
                    Err("expected the address of the root of a tree, like https://skills.example.org".into())
                }
                "file" => Ok(Self::Folder(rest.into())),
                _ => Err(format!("unsupported scheme `{scheme}`: use a folder or an http(s) address")),
            };
        }
        if text.is_empty() {
            Err("expected a folder or an http(s) address".into())
        } else {
            Ok(Self::Folder(text.into()))
        }
    }
}

impl MirrorSource {
    /// Opens the source of the tree in `output`. `option` is the flag that sets `output`, for
    /// messages.
    pub fn open(&self, output: &Path, option: &str) -> Result<Arc<dyn FeedSource>, String> {
        match self {
            Self::Folder(folder) => {
                keep_from_source(folder, output, option)?;
                Ok(Arc::new(Tree::at(folder)))
            }
            Self::Address(base) => Ok(Arc::new(HttpSource::at(base.clone()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_distinguishes_folders_and_addresses() {
        let folder = |path: &str| Ok(MirrorSource::Folder(path.into()));
        let address = |url: &str| Ok(MirrorSource::Address(url.into()));
        assert_eq!("public".parse(), folder("public"));
        assert_eq!("file:///srv/tree".parse(), folder("/srv/tree"));
        assert_eq!("http://127.0.0.1:80/a/".parse(), address("http://127.0.0.1:80/a"));
        assert_eq!("https://skills.example.org".parse(), address("https://skills.example.org"));
        for wrong in ["", "ftp://x/", "http://", "https:///x", "http://x/?a=b"] {
            assert!(wrong.parse::<MirrorSource>().is_err(), "{wrong}");
        }
    }
}
