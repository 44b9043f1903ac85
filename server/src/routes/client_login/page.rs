//! The pages of a login. They have the look of the site's pages, but are not in the tree.

use bytes::Bytes;
use generator::address::Format;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use registry::private::Scopes;
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::super::prelude::*;
use super::request::OFFERED;
use crate::app::App;
use crate::identity::Provider;
use crate::reads::representation::Coding;
use crate::request::body::{FormFields, form};
use crate::response_headers::browser_policy::set_form_policy;
use crate::security::request_origin::require_own;

/// What the answer of a form begins with if it names a provider.
pub(super) const PROVIDER: &str = "provider:";

/// The question whether a client may have a token.
pub(in super::super) struct Consent<'a> {
    /// The address that the form is sent to, below the public URL.
    pub(in super::super) action: &'static str,
    /// The name of the client.
    pub(in super::super) label: &'a str,
    /// Who asks, in words.
    pub(in super::super) asker: String,
    /// The code that the person entered.
    pub(in super::super) code: Option<String>,
    pub(in super::super) scopes: &'a Scopes,
    /// Fields that the form sends back.
    pub(in super::super) hidden: Vec<(&'static str, &'a str)>,
    /// Where the browser goes afterwards, as a source of a Content-Security-Policy.
    pub(in super::super) target: Option<&'a str>,
    /// The handle that the person entered before.
    pub(in super::super) handle: &'a str,
}

impl Consent<'_> {
    /// The page. With a problem, the form is shown again because of it.
    pub(in super::super) fn page(&self, call: &Call, problem: Option<Problem>) -> Result<Response, Problem> {
        let until = Timestamp::now().plus(call.app.settings.client_login_lifetime).to_string();
        let scopes = OFFERED.iter().filter(|(scope, _)| self.scopes.has(*scope));
        let scopes: Vec<_> =
            scopes.map(|(scope, meaning)| json!({ "name": scope.as_str(), "meaning": meaning })).collect();
        let hidden: Vec<_> =
            self.hidden.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let sign_in = &call.app.settings.sign_in;
        let provider =
            |provider: &Provider| json!({ "name": provider.settings.name, "title": provider.settings.title });
        let providers: Vec<_> = sign_in.providers.iter().map(provider).collect();
        let content = json!({
            "action": format!("{}{}", call.app.settings.public_url.path(), self.action),
            "label": self.label, "asker": self.asker, "code": self.code, "scopes": scopes, "hidden": hidden,
            "until": until.split('T').next(), "target": self.target, "handle": self.handle,
            "problem": problem.as_ref().map(Problem::detail),
            "passwords": sign_in.passwords, "providers": providers,
        });
        page(call, "sign-in/consent.html", content, self.target, problem)
    }
}

/// The page that asks for a code.
pub(in super::super) fn ask_for_code(call: &Call, problem: Option<Problem>) -> Result<Response, Problem> {
    let content = json!({
        "action": format!("{}/cli/device", call.app.settings.public_url.path()),
        "problem": problem.as_ref().map(Problem::detail),
    });
    page(call, "sign-in/code.html", content, None, problem)
}

/// A page that only says something. With a link, the text says where it leads.
pub(in super::super) fn message(
    call: &Call,
    heading: &str,
    text: &str,
    href: Option<&str>,
) -> Result<Response, Problem> {
    let content = json!({ "heading": heading, "text": text, "href": href });
    page(call, "sign-in/message.html", content, None, None)
}

/// The page that asks a new person for a handle. `secret` is where their sign-in waits.
pub(in super::super) fn ask_for_handle(
    call: &Call,
    secret: &str,
    name: &str,
    handle: &str,
    why: &str,
) -> Result<Response, Problem> {
    let action = format!("{}/api/v1/auth/handle", call.app.settings.public_url.path());
    let content =
        json!({ "action": action, "secret": secret, "name": name, "handle": handle, "problem": why });
    page(call, "sign-in/handle.html", content, None, None)
}

/// The page for a problem without a form to correct.
pub(in super::super) fn refusal(call: &Call, problem: Problem) -> Result<Response, Problem> {
    let content = json!({ "heading": "The login cannot go on", "text": problem.detail(), "href": null });
    page(call, "sign-in/message.html", content, None, Some(problem))
}

/// The fields of a form that one of our own pages sends.
pub(in super::super) async fn own_form(call: &mut Call) -> Result<FormFields, Problem> {
    require_own(&call.app.settings.public_url, &call.request.headers)?;
    form(&call.request.headers, &mut call.request.body, call.app.settings.http.json).await
}

fn page(
    call: &Call,
    template: &'static str,
    mut content: Value,
    target: Option<&str>,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let App { settings, .. } = &*call.app;
    let root = format!("{}/", settings.public_url.path());
    let site = &settings.publisher.tree.site;
    content["assets"] = format!("{root}{}", site.assets().folder()).into();
    content["root"] = root.into();
    let page = Bytes::from(site.fill(template, &content).map_err(Problem::internal)?);
    let mut response = match problem {
        Some(problem) => problem.into_page(&call.request.id, page, Coding::Fixed),
        None => {
            let mut response = Response::new(page.into());
            let html = HeaderValue::from_static(Format::Html.content_type());
            response.headers_mut().insert(CONTENT_TYPE, html);
            response
        }
    };
    set_form_policy(response.headers_mut(), target).map_err(Problem::internal)?;
    Ok(response)
}
