//! Credentials for reads, of registries that do not answer everybody.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use ureq::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::Token;
use crate::fed_command::output;
use crate::regular_file::{Links, read};

/// The size limit of what a command prints, and of a file with a token.
const MAX_OUTPUT: u64 = 16 << 10;

/// The time limit of a command. It may ask a host of its own for a token.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// How reads of one registry are authorized. `Debug` shows no secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadCredential {
    /// A bearer token.
    Token(#[serde(serialize_with = "Token::serialize_secret")] Token),
    /// A user name and a password (RFC 7617).
    Basic {
        /// The name, without a colon.
        user: String,
        /// The password.
        password: String,
    },
    /// Headers with fixed values, by their names.
    Headers(BTreeMap<String, String>),
    /// A program and its arguments. The first line that it prints is a bearer token.
    Command(Vec<String>),
    /// A file whose first line is a bearer token. Only for settings, and never saved.
    #[serde(skip)]
    File(PathBuf),
}

impl ReadCredential {
    /// The form, for messages and programs.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Token(_) => "token",
            Self::Basic { .. } => "basic",
            Self::Headers(_) => "headers",
            Self::Command(_) => "command",
            Self::File(_) => "file",
        }
    }

    /// The headers of a request. Runs the command, or reads the file.
    ///
    /// Errors: the command fails, or something is not what a header can have. The text has no secret.
    pub fn headers(&self) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        let mut insert = |name: HeaderName, value: &str| {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| format!("the value of {name} cannot be in a header"))?;
            value.set_sensitive(true);
            headers.insert(name, value);
            Ok::<_, String>(())
        };
        match self {
            Self::Token(token) => insert(header::AUTHORIZATION, &token.header())?,
            Self::Basic { user, .. } if user.contains(':') => return Err("its user name has a colon".into()),
            Self::Basic { user, password } => {
                let encoded = BASE64.encode(format!("{user}:{password}").as_bytes());
                insert(header::AUTHORIZATION, &format!("Basic {encoded}"))?;
            }
            Self::Headers(fixed) => {
                for (name, value) in fixed {
                    let name = name
                        .parse()
                        .map_err(|_| format!("`{}` is not the name of a header", name.escape_debug()))?;
                    insert(name, value)?;
                }
            }
            Self::Command(arguments) => {
                let (program, arguments) = arguments.split_first().ok_or("the command is empty")?;
                let failed = |why: &str| format!("the command `{}` {why}", program.escape_debug());
                let printed = output(Command::new(program).args(arguments), "", MAX_OUTPUT, COMMAND_TIMEOUT);
                let token = printed.map_err(|why| failed(&why))?;
                let token =
                    first_token(&token).ok_or_else(|| failed("has not printed a token in its first line"))?;
                insert(header::AUTHORIZATION, &token.header())?;
            }
            Self::File(path) => {
                let failed = |why: &dyn fmt::Display| format!("{}: {why}", path.display());
                let text = read(path, Links::Follow, MAX_OUTPUT).map_err(|why| failed(&why))?;
                let token =
                    first_token(&text).ok_or_else(|| failed(&"there is no token in its first line"))?;
                insert(header::AUTHORIZATION, &token.header())?;
            }
        }
        Ok(headers)
    }

    /// Whether the headers may be others at the next time.
    pub(crate) fn is_renewed(&self) -> bool {
        matches!(self, Self::Command(_) | Self::File(_))
    }

    /// Whether the headers are sent with every request, beside a person's token. A host in front of the registry
    /// wants them, which may answer with a page instead of a 401.
    pub(crate) fn is_for_every_request(&self) -> bool {
        matches!(self, Self::Headers(_))
    }
}

fn first_token(text: &[u8]) -> Option<Token> {
    std::str::from_utf8(text).ok()?.lines().next()?.parse().ok()
}

impl fmt::Debug for ReadCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadCredential({}, …)", self.form())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(json: &str) -> ReadCredential {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn each_form_makes_its_headers() {
        for (json, name, value) in [
            (r#"{"token":"abc"}"#, "authorization", "Bearer abc"),
            (
                r#"{"basic":{"user":"Aladdin","password":"open sesame"}}"#,
                "authorization",
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
            ),
            (r#"{"headers":{"CF-Access-Client-Id":"a b"}}"#, "cf-access-client-id", "a b"),
            (r#"{"command":["printf","abc\nsecond line"]}"#, "authorization", "Bearer abc"),
        ] {
            let credential = read(json);
            let headers = credential.headers().unwrap();
            assert_eq!(headers.get(name).unwrap(), value, "{json}");
            assert!(!format!("{headers:?}{credential:?}").contains("abc"), "{headers:?} {credential:?}");
            assert_eq!(serde_json::to_string(&credential).unwrap(), json);
        }
    }

    #[test]
    fn unusable_credential_is_named_without_its_secret() {
        for (json, said) in [
            (r#"{"basic":{"user":"a:b","password":"SECRET"}}"#, "colon"),
            (r#"{"headers":{"a b":"SECRET"}}"#, "`a b`"),
            (r#"{"headers":{"a":"SECRET\n"}}"#, "the value of a"),
            (r#"{"command":["printf","SECRET with spaces"]}"#, "not printed a token"),
            (r#"{"command":["true","SECRET"]}"#, "not printed a token"),
            (r#"{"command":["false","SECRET"]}"#, "failed"),
            (r#"{"command":["no-such-program-"]}"#, "cannot be started"),
            (r#"{"command":["yes","SECRET"]}"#, "more than 16384 bytes"),
            (r#"{"command":[]}"#, "empty"),
        ] {
            let why = read(json).headers().unwrap_err();
            assert!(why.contains(said) && !why.contains("SECRET"), "{why}");
        }
    }
}
