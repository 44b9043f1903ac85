//! The address of a store in a build without the feature `engines`.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

/// Why an address or a setting is refused.
const MISSING: &str = "this program was built without databases and object stores: build it with \
                       `cargo build --release --features engines`";

/// The address of a bucket or a database. It has no value: parsing one fails with the command that builds the
/// rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbsentAddress {}

pub type TargetUrl = AbsentAddress;
pub type Address = AbsentAddress;

/// Settings without effect, because the setting that needs them is refused.
pub type KeyStyle = IgnoredAny;

impl AbsentAddress {
    /// Whether a text has the scheme of a bucket.
    pub fn is_one(text: &str) -> bool {
        ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// Sets the password.
    #[must_use]
    pub fn with_password(self, _: &str) -> Self {
        self
    }
}

impl FromStr for AbsentAddress {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }
}

impl<'de> Deserialize<'de> for AbsentAddress {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from)?;
        Err(D::Error::custom(MISSING))
    }
}

impl fmt::Display for AbsentAddress {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_refused_with_the_command_that_builds_them() {
        let settings: Result<TargetUrl, _> = serde_json::from_str(r#""s3://skills/tree""#);
        for why in [
            "s3://skills/tree".parse::<TargetUrl>().unwrap_err(),
            "postgres://skills@db/skills".parse::<Address>().unwrap_err(),
            settings.unwrap_err().to_string(),
        ] {
            assert!(why.contains("`cargo build --release --features engines`"), "{why}");
        }
    }
}
