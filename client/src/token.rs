//! A token: a secret that is never shown.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer};

use crate::ClientError;

/// No registry issues a longer one; a header of more is refused by many servers.
const LONGEST: usize = 4096;

/// A registry's token for one user. It has no text form, so that no message and
/// no log can hold it by mistake.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// What the `Authorization` header says.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Writes it where it is kept: the file of logins, and nowhere else.
    pub(crate) fn keep<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl FromStr for Token {
    type Err = ClientError;

    /// One word of visible ASCII characters; white space around it is no part of it.
    fn from_str(text: &str) -> Result<Self, ClientError> {
        let text = text.trim();
        let is_word = (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
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
    fn a_token_is_a_word_and_is_not_shown() {
        let token: Token = " smt_secret\n".parse().unwrap();
        assert_eq!(token.header(), "Bearer smt_secret");
        assert!(!format!("{token:?} {:?}", Some(&token)).contains("secret"));
        for bad in ["", " ", "a b", "a\nb", "ü", "a\u{7f}", &"a".repeat(LONGEST + 1)] {
            let why = bad.parse::<Token>().unwrap_err().to_string();
            assert!(!why.contains(bad) || bad.trim().is_empty(), "{why}");
        }
    }
}
