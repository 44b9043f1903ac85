//! Logging in clients: in a browser of the same machine, and with a code.

mod browser;
pub(crate) mod device;
mod device_page;

use crate::harness::{Client, PASSWORD, Registry, Response, User};

/// Sends a form as a browser does that shows a page of the registry.
fn post_form(registry: &Registry, path: &str, fields: &[(&str, &str)]) -> Response {
    form(&registry.anonymous().with("origin", registry.base()), path, fields)
}

pub(crate) fn form(client: &Client, path: &str, fields: &[(&str, &str)]) -> Response {
    let body: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let client = client.with("content-type", "application/x-www-form-urlencoded");
    client.request("POST", path, Some(body.join("&").into_bytes()))
}

fn encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// The value of a parameter in the fragment of an address.
fn fragment<'a>(address: &'a str, name: &str) -> Option<&'a str> {
    let (_, fragment) = address.split_once('#')?;
    fragment.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The answers of a person who allows a login.
pub(crate) fn allowed_by(handle: &str) -> [(&str, &str); 3] {
    [("answer", "allow"), ("handle", handle), ("password", PASSWORD)]
}

/// A client with this token.
fn with_token(registry: &Registry, token: &str) -> Client {
    registry.as_user(&User { handle: String::new(), token: token.to_owned() })
}
