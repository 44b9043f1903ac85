//! The login in a browser on the machine of the client, which listens on a port of its own.
//!
//! The token travels in the fragment of the address, which browsers send to nobody. The client's page
//! reads it there.

use data_encoding::BASE64URL_NOPAD;
use hyper::header::{HeaderValue, LOCATION};
use registry::private::{Password, Scopes};

use super::super::prelude::*;
use super::page::{Consent, refusal};
use super::{grant, label, scopes};
use crate::request::body::{FormFields, form};
use crate::security::loopback_address::LoopbackAddress;
use crate::security::request_origin::require_own;

/// The longest `state`.
const MAX_STATE: usize = 512;

/// The name of a client that gives none.
const DEFAULT_LABEL: &str = "CLI token";

/// What a client asks for.
struct Asked {
    redirect_uri: String,
    address: LoopbackAddress,
    label_b64: String,
    label: String,
    state: String,
    scopes: Scopes,
}

impl Asked {
    fn read(fields: &FormFields) -> Result<Self, Problem> {
        let get = |name: &'static str| fields.text(name);
        let missing = |name| Problem::missing_field(name, "start the login in the client again");
        let redirect_uri = get("redirect_uri")?.ok_or_else(|| missing("redirect_uri"))?;
        let state = get("state")?.ok_or_else(|| missing("state"))?;
        if state.len() > MAX_STATE || !state.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Problem::invalid_field(
                "state",
                format!("it may have at most {MAX_STATE} characters, all ASCII"),
            ));
        }
        let label_b64 = get("label_b64")?.unwrap_or_default();
        let decoded = BASE64URL_NOPAD.decode(label_b64.trim_end_matches('=').as_bytes()).ok();
        let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
        let decoded =
            decoded.ok_or_else(|| Problem::invalid_field("label_b64", "it must be base64url of UTF-8"))?;
        Ok(Self {
            address: parse_field("redirect_uri", &redirect_uri)?,
            redirect_uri,
            label: label(Some(decoded), DEFAULT_LABEL)?,
            label_b64,
            state,
            scopes: scopes(None).map_err(Problem::internal)?,
        })
    }

    fn consent<'a>(&'a self, handle: &'a str) -> Consent<'a> {
        Consent {
            action: "/cli/auth",
            label: &self.label,
            asker: format!("a program on this computer, at {}", self.address.origin()),
            code: None,
            scopes: &self.scopes,
            hidden: vec![
                ("redirect_uri", &self.redirect_uri),
                ("label_b64", &self.label_b64),
                ("state", &self.state),
            ],
            target: Some(self.address.policy_source()),
            handle,
        }
    }

    /// Sends the browser to the client. The page's address stays in no history, because it has the
    /// token.
    fn redirect(&self, name: &str, value: &str) -> Result<Response, Problem> {
        let location = self.address.with_fragment(&[(name, value), ("state", &self.state)]);
        let mut location = HeaderValue::try_from(location).map_err(Problem::internal)?;
        location.set_sensitive(true);
        let mut response = Response::default();
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, location);
        Ok(response)
    }
}

/// Shows what the client asks for. Changes nothing.
pub(super) async fn show(call: Call) -> Result<Response, Problem> {
    match Asked::read(&FormFields::Form(call.request.query.clone())) {
        Ok(asked) => asked.consent("").page(&call, None),
        Err(problem) => refusal(&call, problem),
    }
}

/// Issues a token and sends it to the client, or tells the client that there is none.
pub(super) async fn submit(mut call: Call) -> Result<Response, Problem> {
    match answer(&mut call).await {
        Ok(response) => Ok(response),
        Err(problem) => refusal(&call, problem),
    }
}

async fn answer(call: &mut Call) -> Result<Response, Problem> {
    require_own(&call.app.settings.public_url, &call.request.headers)?;
    let fields = form(&call.request.headers, &mut call.request.body, call.app.settings.http.json).await?;
    let asked = Asked::read(&fields)?;
    if fields.text("answer")?.as_deref() != Some("allow") {
        return asked.redirect("error", "access_denied");
    }
    let handle = fields.text("handle")?.unwrap_or_default();
    let password = Password::from(fields.text("password")?.unwrap_or_default());
    let issued = match grant::log_in(call, &handle, password).await {
        Ok(session) => grant::issue(call, &session, &asked.label, &asked.scopes).await,
        Err(problem) => Err(problem),
    };
    match issued {
        Ok((secret, _)) => asked.redirect("token", secret.reveal()),
        Err(problem) => asked.consent(&handle).page(call, Some(problem)),
    }
}
