//! The address of a bucket: `s3://bucket/prefix`.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The kind of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Amazon S3, and stores with its API.
    S3,
    /// Google Cloud Storage.
    Gs,
    /// Azure Blob Storage. The bucket is a container, and the environment names the account.
    Az,
}

impl Scheme {
    fn as_str(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Gs => "gs",
            Self::Az => "az",
        }
    }
}

/// The address of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TargetUrl {
    scheme: Scheme,
    bucket: String,
    prefix: String,
}

impl TargetUrl {
    /// Whether a text has the scheme of a bucket.
    pub fn is_one(text: &str) -> bool {
        ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// The kind of the store.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The bucket.
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// The prefix of all keys, without slashes at its ends. Empty for the whole bucket.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl fmt::Display for TargetUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

impl TryFrom<String> for TargetUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for TargetUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "expected s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX".to_owned();
        let (scheme, rest) = text.split_once("://").ok_or_else(expected)?;
        let scheme = match scheme {
            "s3" => Scheme::S3,
            "gs" => Scheme::Gs,
            "az" => Scheme::Az,
            _ => return Err(expected()),
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        };
        let is_segment = |name: &str| is_name(name) && ![".", ".."].contains(&name);
        if !is_name(bucket) || !(prefix.is_empty() || prefix.split('/').all(is_segment)) {
            // A user name and a password would be in it.
            let why = if rest.contains('@') { "credentials come from the environment: " } else { "" };
            return Err(format!("{why}{}, of letters, digits, `.`, `_` and `-`", expected()));
        }
        Ok(Self { scheme, bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_buckets_are_read() {
        for (text, shown) in [
            ("s3://skills", "s3://skills"),
            ("s3://skills/", "s3://skills"),
            ("gs://skills/a/b/", "gs://skills/a/b"),
            ("az://container/x", "az://container/x"),
        ] {
            assert_eq!(text.parse::<TargetUrl>().unwrap().to_string(), shown);
        }
        for wrong in [
            "",
            "skills",
            "s3://",
            "s3:///a",
            "http://a/b",
            "s3://a/../b",
            "s3://a//b",
            "s3://a/b?c",
            "s3://a/ü",
        ] {
            assert!(wrong.parse::<TargetUrl>().unwrap_err().contains("expected s3://"), "{wrong}");
        }
        let why = "s3://key:secret@bucket/x".parse::<TargetUrl>().unwrap_err();
        assert!(why.contains("environment") && !why.contains("secret@"), "{why}");
    }
}
