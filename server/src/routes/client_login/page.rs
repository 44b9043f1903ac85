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
use crate::reads::representation::Coding;
use crate::response_headers::browser_policy::set_form_policy;

/// The question whether a client may have a token.
pub(super) struct Consent<'a> {
    /// The address that the form is sent to, below the public URL.
    pub(super) action: &'static str,
    /// The name of the client.
    pub(super) label: &'a str,
    /// Who asks, in words.
    pub(super) asker: String,
    /// The code that the person entered.
    pub(super) code: Option<String>,
    pub(super) scopes: &'a Scopes,
    /// Fields that the form sends back.
    pub(super) hidden: Vec<(&'static str, &'a str)>,
    /// Where the browser goes afterwards, as a source of a Content-Security-Policy.
    pub(super) target: Option<&'a str>,
    /// The handle that the person entered before.
    pub(super) handle: &'a str,
}

impl Consent<'_> {
    /// The page. With a problem, the form is shown again because of it.
    pub(super) fn page(&self, call: &Call, problem: Option<Problem>) -> Result<Response, Problem> {
        let until = Timestamp::now().plus(call.app.settings.client_login_lifetime).to_string();
        let scopes = OFFERED.iter().filter(|(scope, _)| self.scopes.has(*scope));
        let scopes: Vec<_> =
            scopes.map(|(scope, meaning)| json!({ "name": scope.as_str(), "meaning": meaning })).collect();
        let hidden: Vec<_> =
            self.hidden.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let content = json!({
            "action": format!("{}{}", call.app.settings.public_url.path(), self.action),
            "label": self.label, "asker": self.asker, "code": self.code, "scopes": scopes, "hidden": hidden,
            "until": until.split('T').next(), "target": self.target, "handle": self.handle,
            "problem": problem.as_ref().map(Problem::detail),
        });
        page(call, "sign-in/consent.html", content, self.target, problem)
    }
}

/// The page that asks for a code.
pub(super) fn ask_for_code(call: &Call, problem: Option<Problem>) -> Result<Response, Problem> {
    let content = json!({
        "action": format!("{}/cli/device", call.app.settings.public_url.path()),
        "problem": problem.as_ref().map(Problem::detail),
    });
    page(call, "sign-in/code.html", content, None, problem)
}

/// A page that only says something.
pub(super) fn message(call: &Call, heading: &str, text: &str) -> Result<Response, Problem> {
    page(call, "sign-in/message.html", json!({ "heading": heading, "text": text }), None, None)
}

/// The page for a problem without a form to correct.
pub(super) fn refusal(call: &Call, problem: Problem) -> Result<Response, Problem> {
    let content = json!({ "heading": "The login cannot go on", "text": problem.detail() });
    page(call, "sign-in/message.html", content, None, Some(problem))
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
