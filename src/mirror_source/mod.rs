//! Where a feed is: a folder, or an address that serves one.

mod http;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use generator::follower::FeedSource;
use generator::tree::Tree;

use crate::folder_overlap::keep_from_source;
use http::HttpSource;

/// What `--feed` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Feed {
    /// A folder with a published tree.
    Folder(PathBuf),
    /// The address of the tree's root, without a slash at its end.
    Address(String),
}

impl FromStr for Feed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((scheme, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default();
            return match scheme {
                "http" | "https" if !host.is_empty() && !rest.contains(['?', '#', ' ']) => {
                    Ok(Self::Address(text.trim_end_matches('/').to_owned()))
                }
                "http" | "https" => {
                    Err("give the address of a tree's root, like https://skills.example.org".into())
                }
                "file" => Ok(Self::Folder(rest.into())),
                _ => Err(format!("`{scheme}` can't be followed: give a folder or an http(s) address")),
            };
        }
        if text.is_empty() {
            Err("give a folder or an http(s) address".into())
        } else {
            Ok(Self::Folder(text.into()))
        }
    }
}

impl Feed {
    /// Opens it for a tree in `output`, which `option` gives on the command line.
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
    fn folders_and_addresses_are_told_apart() {
        let folder = |path: &str| Ok(Feed::Folder(path.into()));
        let address = |url: &str| Ok(Feed::Address(url.into()));
        assert_eq!("public".parse(), folder("public"));
        assert_eq!("file:///srv/tree".parse(), folder("/srv/tree"));
        assert_eq!("http://127.0.0.1:80/a/".parse(), address("http://127.0.0.1:80/a"));
        assert_eq!("https://skills.example.org".parse(), address("https://skills.example.org"));
        for wrong in ["", "ftp://x/", "http://", "https:///x", "http://x/?a=b"] {
            assert!(wrong.parse::<Feed>().is_err(), "{wrong}");
        }
    }
}
