//! Signing in with a provider.

mod accounts;
mod client_login;
mod lies;
mod links;
mod provider;
mod roles;
mod session_list;
mod settings;

use std::collections::HashMap;

use serde_json::Value;

use crate::harness::{Browser, Client, Registry, Response};
use provider::Provider;

/// A registry with one provider, `company`, with further settings of it.
fn registry_with(provider: &Provider, further: &str) -> Registry {
    Registry::with_config(&provider.section("company", further))
}

/// A browser on its way to a provider.
struct OnItsWay {
    /// A client with the cookie of the browser.
    browser: Client,
    /// What the address of the provider says.
    query: HashMap<String, String>,
    /// The cookie of the browser.
    cookie: String,
}

/// The parameters of an address.
fn query_of(address: &str) -> HashMap<String, String> {
    decoded(address.split_once('?').map_or("", |(_, query)| query))
}

/// The values of a form, by name.
fn decoded(form: &str) -> HashMap<String, String> {
    let value = |text: &str| {
        let (first, rest) = text.split_once('%').map_or((text, None), |(first, rest)| (first, Some(rest)));
        let coded = rest.into_iter().flat_map(|rest| rest.split('%'));
        coded.fold(first.to_owned(), |all, part| {
            let byte = u8::from_str_radix(&part[..2], 16).unwrap();
            all + &char::from(byte).to_string() + &part[2..]
        })
    };
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, text)| (name.to_owned(), value(text))).collect()
}

/// The cookie that a response sets, by the start of its name.
fn cookie(response: &Response, name: &str) -> Option<String> {
    let all = response.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    all.map(|value| value.split(';').next().unwrap().to_owned()).find(|pair| pair.starts_with(name))
}

/// Begins a sign-in in a new browser.
#[track_caller]
fn begin(registry: &Registry, path: &str) -> OnItsWay {
    let led = registry.anonymous().get(path).expect(303);
    let cookie = cookie(&led, "skillmirror_sign_in=").unwrap();
    let browser = registry.anonymous().with("cookie", &cookie);
    OnItsWay { browser, query: query_of(led.require_header("location")), cookie }
}

impl OnItsWay {
    /// Comes back with a code of the provider.
    fn come_back(&self, provider: &Provider) -> Response {
        let (state, code) = (&self.query["state"], provider.code(&self.query));
        self.browser.get(&format!("/api/v1/auth/callback/company?state={state}&code={code}"))
    }
}

/// Signs in from the start to the answer of the callback.
#[track_caller]
fn sign_in(registry: &Registry, provider: &Provider) -> Response {
    begin(registry, "/api/v1/auth/sign-in/company").come_back(provider)
}

/// The browser of a person who has signed in.
#[track_caller]
fn signed_in(registry: &Registry, provider: &Provider) -> Browser {
    let response = sign_in(registry, provider).expect(303);
    registry.browser(cookie(&response, "skillmirror_session=").unwrap())
}

/// The account of a browser.
#[track_caller]
fn me(browser: &Browser) -> Value {
    browser.own.get("/api/v1/auth/me").expect_json(200)
}
