//! An issuer whose keys and answers the tests choose.

mod signer;
mod tokens;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::{Request, Response};
use parking_lot::Mutex;
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::*;
use signer::Signer;

const ADDRESS: &str = "https://login.example.org/company";
const KEYS: &str = "https://login.example.org/company/keys";

/// Makes the answer of an address.
type Answer = dyn Fn(&str) -> Result<Response<Vec<u8>>, String> + Send;

/// Answers with what `answer` makes of an address, and counts how often.
struct Host {
    answer: Mutex<Box<Answer>>,
    asked: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Host")
    }
}

impl Outbound for Host {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, String> {
        let address = request.uri().to_string();
        self.asked.lock().push(address.clone());
        (self.answer.lock())(&address)
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(file).map_err(|why| why.to_string())
    }
}

fn reply(value: &Value) -> Result<Response<Vec<u8>>, String> {
    Ok(Response::new(value.to_string().into_bytes()))
}

fn description() -> Value {
    json!({ "issuer": ADDRESS, "jwks_uri": KEYS })
}

/// A host that serves this description and these keys.
fn host(description: Value, keys: Value) -> Arc<Host> {
    let host = Host { answer: Mutex::new(Box::new(|_| unreachable!())), asked: Mutex::default() };
    let host = Arc::new(host);
    serve(&host, description, keys);
    host
}

fn serve(host: &Host, description: Value, keys: Value) {
    *host.answer.lock() = Box::new(move |address| match address {
        KEYS => reply(&keys),
        _ => reply(&description),
    });
}

fn issuer(host: &Arc<Host>) -> Issuer {
    let settings = IssuerSettings { address: ADDRESS.into(), keys_file: None };
    Issuer::new(settings, Arc::clone(host) as Arc<dyn Outbound>).unwrap()
}

fn keys(signers: &[&Signer]) -> Value {
    json!({ "keys": signers.iter().map(|signer| signer.jwk()).collect::<Vec<_>>() })
}

fn now() -> Timestamp {
    Timestamp::from_unix(1_800_000_000).unwrap()
}

/// Claims that are valid now.
fn claims() -> Value {
    let now = now().as_unix();
    json!({ "iss": ADDRESS, "aud": "us", "sub": "1", "iat": now, "exp": now + 300 })
}

fn verify(issuer: &Issuer, token: &str) -> Result<Value, Refusal> {
    issuer.verify(token, "us", now())
}

#[test]
fn description_of_another_issuer_is_refused() {
    for (key, value) in [
        ("issuer", "https://evil.example.org"),
        ("issuer", "https://login.example.org/company/"),
        ("jwks_uri", "http://login.example.org/keys"),
        ("token_endpoint", "http://10.0.0.1/token"),
        ("authorization_endpoint", "javascript:alert(1)"),
    ] {
        let mut wrong = description();
        wrong[key] = value.into();
        let why = issuer(&host(wrong, json!({}))).discovery(now()).unwrap_err();
        assert!(matches!(why, Refusal::Nonsense { .. }), "{key}: {why}");
    }
}

#[test]
fn address_that_others_can_read_is_refused() {
    let outbound = host(description(), json!({}));
    for address in
        ["http://login.example.org", "login.example.org", "https://a@b.example", "https://a.example/?b", ""]
    {
        let settings = IssuerSettings { address: address.into(), keys_file: None };
        Issuer::new(settings, Arc::clone(&outbound) as Arc<dyn Outbound>).unwrap_err();
    }
    for address in ["http://127.0.0.1:9000/a", "http://localhost", "http://[::1]:1", "https://a.example"] {
        check_address(address).unwrap();
    }
}

#[test]
fn issuer_that_is_away_is_asked_again_after_a_while() {
    let signer = Signer::ed25519("a");
    let host = host(description(), keys(&[&signer]));
    let issuer = issuer(&host);
    *host.answer.lock() = Box::new(|_| Err("no route".into()));
    let token = signer.sign(&claims());
    for _ in 0..3 {
        let why = verify(&issuer, &token).unwrap_err();
        assert!(matches!(why, Refusal::Away { .. }) && why.is_of_issuer(), "{why}");
    }
    assert_eq!(host.asked.lock().len(), 1);
    serve(&host, description(), keys(&[&signer]));
    let later = now().plus(Duration::from_secs(6));
    issuer.verify::<Value>(&token, "us", later).unwrap();
}

#[test]
fn answers_that_are_no_keys_are_refused() {
    let token = Signer::ed25519("a").sign(&claims());
    for (status, is_away) in [(302, false), (404, false), (500, true), (200, false)] {
        let host = host(description(), json!({}));
        *host.answer.lock() = Box::new(move |address| match address {
            KEYS => Ok(Response::builder().status(status).body(b"{}".to_vec()).unwrap()),
            _ => reply(&description()),
        });
        let why = verify(&issuer(&host), &token).unwrap_err();
        assert!(why.is_of_issuer());
        assert_eq!(matches!(why, Refusal::Away { .. }), is_away, "{status}: {why}");
    }
}
