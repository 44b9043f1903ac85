//! The requests of a client that logs in with a code (RFC 8628). Bodies are forms, as the RFC wants
//! them, or JSON.

use std::sync::Arc;

use registry::local::{DEVICE_CODE_TTL, DEVICE_POLL_INTERVAL, DevicePoll, DeviceRequest};
use registry::time::Timestamp;
use serde::Serialize;

use super::super::prelude::*;
use super::grant;
use super::request::{label, scope_names, scopes};
use crate::request::body::{FormFields, form_or_json};

/// The grant type of RFC 8628, section 3.4.
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The name of a client that gives none.
const DEFAULT_LABEL: &str = "CLI device login";

/// A login to begin.
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema, Deserialize))]
#[allow(dead_code, reason = "it describes the body, which is read field by field")]
pub(super) struct NewLogin {
    /// Names of scopes, separated by spaces; `write` stands for all but `read`. Default: all but `tokens`.
    scope: Option<String>,
    /// The name of the client, which becomes that of the token.
    label: Option<String>,
    /// The name of the client if it has no `label`.
    client_id: Option<String>,
}

/// The codes of a login.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "DeviceCodes"))]
pub(super) struct Codes {
    /// Which the client keeps.
    device_code: String,
    /// Which the client shows.
    user_code: String,
    /// The page on which a person enters `user_code`.
    verification_uri: String,
    /// The lifetime of the codes in seconds.
    expires_in: u64,
    /// Seconds between two polls.
    interval: u64,
}

/// A poll.
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema, Deserialize))]
#[allow(dead_code, reason = "it describes the body, which is read field by field")]
pub(super) struct TokenRequest {
    /// `urn:ietf:params:oauth:grant-type:device_code`
    grant_type: String,
    /// The code from the beginning of the login.
    device_code: String,
}

/// A token for the client.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "DeviceToken"))]
pub(super) struct Token {
    access_token: String,
    /// `Bearer`
    token_type: &'static str,
    /// Names of scopes, separated by spaces.
    scope: String,
    /// The lifetime of the token in seconds.
    expires_in: u64,
}

/// An error of a login (RFC 6749, section 5.2).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "OAuthError"))]
pub(super) struct OauthError {
    /// The code for programs, such as `authorization_pending`.
    error: &'static str,
    /// A sentence for people.
    error_description: String,
    /// With `slow_down`: seconds between two polls from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<u64>,
}

fn refuse(error: &'static str, description: impl Into<String>) -> Result<Response, Problem> {
    let error = OauthError { error, error_description: description.into(), interval: None };
    json(Code::InvalidRequest.status(), &error)
}

/// The fields of the body, or the response that refuses it.
async fn fields(call: &mut Call) -> Result<FormFields, Problem> {
    form_or_json(&call.request.headers, &mut call.request.body, call.app.settings.http.json).await
}

/// Makes the codes of a login.
pub(super) async fn begin(mut call: Call) -> Result<Response, Problem> {
    let request = match read(&mut call).await {
        Ok(Ok(request)) => request,
        Ok(Err(name)) => {
            let description = format!(
                "There is no scope {name:?} for clients: ask for read, publish, social, manage or write."
            );
            return refuse("invalid_scope", description);
        }
        Err(problem) if problem.code() == Code::InvalidRequest => {
            return refuse("invalid_request", problem.detail());
        }
        Err(problem) => return Err(problem),
    };
    let (local, network) = (Arc::clone(&call.app.local), call.request.client.network().key());
    let begun = blocking(move || Ok(local.begin_device_login(&request, &network, Timestamp::now())?)).await?;
    let codes = begun.ok_or_else(|| {
        Problem::rate_limited(
            "Too many logins with a code have begun: finish some, or wait until they expire.",
            DEVICE_CODE_TTL,
        )
    })?;
    let record = Codes {
        device_code: codes.device,
        user_code: codes.user.to_string(),
        verification_uri: format!("{}/cli/device", call.app.settings.public_url),
        expires_in: DEVICE_CODE_TTL.as_secs(),
        interval: DEVICE_POLL_INTERVAL,
    };
    json(StatusCode::OK, &record)
}

/// The request of a client. The inner error is an unknown scope.
async fn read(call: &mut Call) -> Result<Result<DeviceRequest, String>, Problem> {
    let fields = fields(call).await?;
    let name = match fields.text("label")? {
        Some(label) => Some(label),
        None => fields.text("client_id")?,
    };
    let label = label(name, DEFAULT_LABEL)?;
    let client = call.request.client.known();
    Ok(scopes(fields.text("scope")?.as_deref()).map(|scopes| DeviceRequest { label, scopes, client }))
}

/// Answers a poll.
pub(super) async fn poll(mut call: Call) -> Result<Response, Problem> {
    let asked = async {
        let fields = fields(&mut call).await?;
        Ok((fields.text("grant_type")?, fields.text("device_code")?))
    };
    let code = match asked.await {
        Ok((None, _)) => return refuse("invalid_request", "The field `grant_type` is missing."),
        Ok((Some(grant), _)) if grant != DEVICE_CODE => {
            return refuse("unsupported_grant_type", format!("The only `grant_type` is {DEVICE_CODE}."));
        }
        Ok((_, None)) => return refuse("invalid_request", "The field `device_code` is missing."),
        Ok((_, Some(code))) => code,
        Err(problem) => return refuse("invalid_request", Problem::detail(&problem)),
    };
    let local = Arc::clone(&call.app.local);
    match blocking(move || Ok(local.poll_device_login(&code, Timestamp::now())?)).await? {
        DevicePoll::Pending => refuse(
            "authorization_pending",
            "The code has not been entered yet: ask again after the interval.",
        ),
        DevicePoll::TooFast(interval) => {
            let error_description = format!("Too fast: wait {interval} seconds between two requests.");
            let error = OauthError { error: "slow_down", error_description, interval: Some(interval) };
            json(Code::InvalidRequest.status(), &error)
        }
        DevicePoll::Denied => refuse("access_denied", "The login was refused in the browser."),
        DevicePoll::Expired => refuse("expired_token", "The code has expired: start the login again."),
        DevicePoll::Unknown => {
            refuse("invalid_grant", "No login has this code, or it has ended: start the login again.")
        }
        DevicePoll::Allowed { request, session } => match issue(&call, &request, session).await {
            Ok(token) => json(StatusCode::OK, &token),
            // The person refused nothing.
            Err(problem) if problem.code().status().is_server_error() => refuse(
                "invalid_grant",
                "The registry cannot store the token now, and the code is used up: start the login again later.",
            ),
            Err(problem) => refuse("access_denied", problem.detail()),
        },
    }
}

/// Issues the token in the session that began when the person allowed it.
async fn issue(call: &Call, request: &DeviceRequest, session: String) -> Result<Token, Problem> {
    let session = grant::session(call, session).await?;
    let (secret, _) = grant::issue(call, &session, &request.label, &request.scopes).await?;
    Ok(Token {
        access_token: secret.reveal().to_owned(),
        token_type: "Bearer",
        scope: scope_names(&request.scopes),
        expires_in: call.app.settings.client_login_lifetime.as_secs(),
    })
}
