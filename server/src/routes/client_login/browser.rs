//! The login in a browser on the machine of the client, which listens on a port of its own.
//!
//! The token travels in the fragment of the address, which browsers send to nobody. The client's page
//! reads it there.

use data_encoding::BASE64URL_NOPAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use registry::local::Session;
use registry::private::{Password, Scopes};

use super::super::prelude::*;
use super::super::provider_sign_in::start::{Purpose, lead, redirect};
use super::grant;
use super::page::{Consent, PROVIDER, own_form, refusal};
use super::request::{label, scopes};
use crate::request::body::FormFields;
use crate::security::loopback_address::LoopbackAddress;

/// The longest `state`.
const MAX_STATE: usize = 512;

/// The name of a client that gives none.
const DEFAULT_LABEL: &str = "CLI token";

/// The login that a client has asked for.
struct BrowserLogin {
    redirect_uri: String,
    address: LoopbackAddress,
    label_b64: String,
    label: String,
    state: String,
    scopes: Scopes,
}

impl BrowserLogin {
    /// Reads the fields of the address, or those that the page's form sends back.
    fn read(fields: &FormFields) -> Result<Self, Problem> {
        let redirect_uri = required(fields, "redirect_uri")?;
        let label_b64 = fields.text("label_b64")?.unwrap_or_default();
        let state = required(fields, "state")?;
        check_state(&state)?;
        Ok(Self {
            address: parse_field("redirect_uri", &redirect_uri)?,
            label: label(Some(decode(&label_b64)?), DEFAULT_LABEL)?,
            scopes: scopes(None).map_err(Problem::internal)?,
            redirect_uri,
            label_b64,
            state,
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

    /// The fields of the page, as a form sends them.
    fn fields(&self) -> String {
        let fields =
            [("redirect_uri", &self.redirect_uri), ("label_b64", &self.label_b64), ("state", &self.state)];
        let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
        fields.map(|(name, value)| format!("{name}={}", encode(value))).join("&")
    }

    /// Sends the browser to the client. The page's address stays in no history, because it has the
    /// token.
    fn redirect(&self, name: &str, value: &str) -> Result<Response, Problem> {
        let location = self.address.with_fragment(&[(name, value), ("state", &self.state)]);
        redirect(&location, None)
    }
}

/// Issues the token of a client whose person has signed in with a provider.
pub(in super::super) async fn issue(call: &Call, form: &str, session: &Session) -> Result<Response, Problem> {
    let login = BrowserLogin::read(&FormFields::Form(form.to_owned()))?;
    let (secret, _) = grant::issue(call, session, &login.label, &login.scopes).await?;
    login.redirect("token", secret.reveal())
}

fn required(fields: &FormFields, name: &'static str) -> Result<String, Problem> {
    fields.text(name)?.ok_or_else(|| Problem::missing_field(name, "start the login in the client again"))
}

/// Checks the text by which the client knows its own login.
fn check_state(state: &str) -> Result<(), Problem> {
    if state.len() > MAX_STATE || !state.bytes().all(|byte| byte.is_ascii_graphic()) {
        let detail = format!("it may have at most {MAX_STATE} characters, all ASCII");
        return Err(Problem::invalid_field("state", detail));
    }
    Ok(())
}

/// Decodes a label, with or without padding.
fn decode(label_b64: &str) -> Result<String, Problem> {
    let bytes = BASE64URL_NOPAD.decode(label_b64.trim_end_matches('=').as_bytes());
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Problem::invalid_field("label_b64", "it must be base64url of UTF-8"))
}

/// Shows what the client asks for. Changes nothing.
pub(super) async fn show(call: Call) -> Result<Response, Problem> {
    match BrowserLogin::read(&FormFields::Form(call.request.query.clone())) {
        Ok(login) => login.consent("").page(&call, None),
        Err(problem) => refusal(&call, problem),
    }
}

/// Issues a token and sends it to the client, or tells the client that there is none.
pub(super) async fn submit(mut call: Call) -> Result<Response, Problem> {
    let answer = answer(&mut call).await;
    answer.or_else(|problem| refusal(&call, problem))
}

async fn answer(call: &mut Call) -> Result<Response, Problem> {
    let fields = own_form(call).await?;
    let login = BrowserLogin::read(&fields)?;
    match fields.text("answer")?.as_deref() {
        Some("allow") => {}
        Some(other) if other.starts_with(PROVIDER) => {
            let form = login.fields();
            return lead(call, &other[PROVIDER.len()..], Purpose::BrowserClient { form }).await;
        }
        _ => return login.redirect("error", "access_denied"),
    }
    let handle = fields.text("handle")?.unwrap_or_default();
    let password = Password::from(fields.text("password")?.unwrap_or_default());
    let issued = match grant::log_in(call, &handle, password).await {
        Ok(session) => grant::issue(call, &session, &login.label, &login.scopes).await,
        Err(problem) => Err(problem),
    };
    match issued {
        Ok((secret, _)) => login.redirect("token", secret.reveal()),
        Err(problem) => login.consent(&handle).page(call, Some(problem)),
    }
}
