//! Tokens, which are never shown.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer};

use crate::ClientError;

/// The longest token in bytes. Registries issue shorter ones, and many servers refuse a longer
/// header.
const MAX_LENGTH: usize = 4096;

/// A token for one user of a registry. It does not implement `Display`, so that it cannot end
/// up in a message or log by mistake.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The value of the `Authorization` header.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The text of a token of a CI system, for the body of its exchange.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Serializes the token. Only for the credentials file.
    pub(crate) fn serialize_secret<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl FromStr for Token {
    type Err = ClientError;

    /// A token is one word of visible ASCII characters. White space around it is ignored.
    fn from_str(text: &str) -> Result<Self, ClientError> {
        let text = text.trim();
        let is_word =
            (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_word { Ok(Self(text.to_owned())) } else { Err(ClientError::Token) }
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn token_is_one_word_and_never_shown() {
        let token: Token = " smt_secret\n".parse().unwrap();
        assert_eq!(token.header(), "Bearer smt_secret");
        assert!(!format!("{token:?} {:?}", Some(&token)).contains("secret"));
        for bad in ["", " ", "a b", "a\nb", "ü", "a\u{7f}", &"a".repeat(MAX_LENGTH + 1)] {
            let why = bad.parse::<Token>().unwrap_err().to_string();
            assert!(!why.contains(bad) || bad.trim().is_empty(), "{why}");
        }
    }
}
