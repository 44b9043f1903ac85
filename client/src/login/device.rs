//! Logging in with a browser, on this machine or another: a code joins both (RFC 8628).

use std::time::{Duration, Instant};

use serde::Deserialize;
use url::Url;
use url::form_urlencoded::Serializer;

use super::account::not_a_server;
use crate::http::Http;
use crate::{ClientError, RegistryAddress, Token};

/// The grant type of the RFC.
const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The longest time between two questions, in seconds.
const MAX_INTERVAL: u64 = 60;

/// A login that waits for a person.
#[derive(Debug, Deserialize)]
pub struct DeviceLogin {
    device_code: String,
    /// What the person enters.
    pub user_code: String,
    /// The page on which they enter it.
    pub verification_uri: String,
    expires_in: u64,
    interval: u64,
}

/// The answer to a question.
#[derive(Deserialize)]
struct Answered {
    access_token: Option<String>,
    #[serde(default)]
    error: String,
    #[serde(default)]
    error_description: String,
    interval: Option<u64>,
}

impl DeviceLogin {
    /// Begins the login of a client with this name.
    pub fn begin(http: &Http, registry: &RegistryAddress, label: &str) -> Result<Self, ClientError> {
        let form = Serializer::new(String::new()).append_pair("label", label).finish();
        let answer = http.post_form(&url(registry, "code")?, &form)?;
        if answer.status != 200 {
            return Err(answer.refusal());
        }
        serde_json::from_slice(&answer.body).map_err(|_| not_a_server(registry, "has no users"))
    }

    /// Asks until the person has decided, and pauses with `sleep`.
    ///
    /// Errors: the person refuses, or the code expires.
    pub fn wait(
        &self,
        http: &Http,
        registry: &RegistryAddress,
        sleep: impl Fn(Duration),
    ) -> Result<Token, ClientError> {
        let form = Serializer::new(String::new())
            .append_pair("grant_type", GRANT)
            .append_pair("device_code", &self.device_code)
            .finish();
        let (url, began) = (url(registry, "token")?, Instant::now());
        let mut interval = self.interval.clamp(1, MAX_INTERVAL);
        while began.elapsed() < Duration::from_secs(self.expires_in) {
            sleep(Duration::from_secs(interval));
            let answer = http.post_form(&url, &form)?;
            let said: Option<Answered> = serde_json::from_slice(&answer.body).ok();
            let Some(said) = said.filter(|said| said.access_token.is_some() || !said.error.is_empty()) else {
                return Err(answer.refusal());
            };
            match (said.access_token, said.error.as_str()) {
                (Some(token), _) => return token.parse(),
                (None, "authorization_pending") => {}
                (None, "slow_down") => {
                    interval = said.interval.unwrap_or(interval + 5).clamp(1, MAX_INTERVAL);
                }
                _ => return Err(ClientError::Unsupported(said.error_description)),
            }
        }
        Err(ClientError::Unsupported("the code has expired: start the login again".to_owned()))
    }
}

fn url(registry: &RegistryAddress, what: &str) -> Result<Url, ClientError> {
    registry.url_of(&format!("/api/cli/device/{what}")).ok_or_else(|| not_a_server(registry, "has no users"))
}
