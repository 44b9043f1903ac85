//! A provider of identities that lies as a test wants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use data_encoding::{BASE64, BASE64URL_NOPAD};
use ed25519_dalek::{Signer, SigningKey};
use registry::time::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::decoded;
use crate::harness::{FakeHost, ReceivedRequest, Reply};

/// A running provider.
pub struct Provider {
    host: FakeHost,
    state: Arc<Mutex<State>>,
}

/// What it says.
pub struct State {
    /// The key that signs, and its name.
    pub key: (SigningKey, String),
    /// Claims instead of the true ones. Null leaves one out.
    pub claims: Value,
    /// What its description says otherwise.
    pub description: Value,
    /// Makes a token of claims, instead of signing them.
    pub forge: Option<fn(&SigningKey, &Value) -> String>,
    /// Answers instead of it at this path.
    pub instead: Option<(&'static str, Reply)>,
    /// The challenge and the nonce of each code that it has given.
    codes: HashMap<String, (String, String)>,
}

impl Provider {
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            key: key(7),
            claims: json!({}),
            description: json!({}),
            forge: None,
            instead: None,
            codes: HashMap::new(),
        }));
        let its = Arc::clone(&state);
        let host = FakeHost::answering(move |asked| its.lock().unwrap().answer(asked));
        Self { host, state }
    }

    /// The section of the settings, with the name `name` and further lines.
    pub fn section(&self, name: &str, further: &str) -> String {
        let issuer = &self.host.base;
        format!("[sign_in.providers.{name}]\nissuer = \"{issuer}\"\nclient_id = \"us\"\n{further}\n")
    }

    pub fn issuer(&self) -> &str {
        &self.host.base
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// What it was asked, as `METHOD path`.
    pub fn asked(&self) -> Vec<String> {
        self.host.asked().iter().map(|asked| format!("{} {}", asked.method, asked.path)).collect()
    }

    /// Whether a client has sent its secret in a header.
    pub fn has_had_basic(&self) -> bool {
        self.host.asked().iter().any(|asked| asked.header("authorization").is_some())
    }

    /// A person signs in there: the code that it gives to the browser.
    pub fn code(&self, query: &HashMap<String, String>) -> String {
        let mut state = self.state();
        let code = format!("code-{}", state.codes.len());
        let known = (query["code_challenge"].clone(), query["nonce"].clone());
        state.codes.insert(code.clone(), known);
        code
    }
}

/// A key, and its name.
pub fn key(seed: u8) -> (SigningKey, String) {
    (SigningKey::from_bytes(&[seed; 32]), format!("key-{seed}"))
}

fn encode(value: &Value) -> String {
    BASE64URL_NOPAD.encode(value.to_string().as_bytes())
}

/// Header and claims, and the signature that `sign` makes of them.
pub fn token(header: &Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let text = format!("{}.{}", encode(header), encode(claims));
    format!("{text}.{}", BASE64URL_NOPAD.encode(&sign(text.as_bytes())))
}

/// HMAC with SHA-256 (RFC 2104).
pub fn hmac(secret: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    block[..secret.len()].copy_from_slice(secret);
    let hash = |pad: u8, rest: &[u8]| {
        let start: Vec<u8> = block.iter().map(|byte| byte ^ pad).collect();
        Sha256::digest([&start, rest].concat()).to_vec()
    };
    hash(0x5c, &hash(0x36, message))
}

impl State {
    fn answer(&mut self, asked: &ReceivedRequest) -> Reply {
        if let Some((_, reply)) = self.instead.as_ref().filter(|(path, _)| asked.path == *path) {
            return reply.clone();
        }
        let base = format!("http://{}", asked.header("host").unwrap());
        match asked.path.as_str() {
            "/.well-known/openid-configuration" => {
                let mut all = json!({
                    "issuer": base, "jwks_uri": format!("{base}/keys"), "token_endpoint": format!("{base}/token"),
                    "authorization_endpoint": format!("{base}/authorize"),
                    "end_session_endpoint": format!("{base}/end?a=b"),
                });
                merge(&mut all, &self.description);
                Reply::json(&all)
            }
            "/keys" => {
                let (key, id) = &self.key;
                let x = BASE64URL_NOPAD.encode(key.verifying_key().as_bytes());
                Reply::json(&json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": x, "kid": id }] }))
            }
            "/token" => self.exchange(&base, asked),
            _ => Reply::status(404),
        }
    }

    /// A code is good for one exchange, with the verifier of its challenge.
    fn exchange(&mut self, base: &str, asked: &ReceivedRequest) -> Reply {
        let form = decoded(str::from_utf8(&asked.body).unwrap());
        let refused = |error: &str| Reply::json(&json!({ "error": error })).with_status(400);
        if let Some(secret) = asked.header("authorization")
            && secret != format!("Basic {}", BASE64.encode(b"us:s%20ecret"))
        {
            return refused("invalid_client");
        }
        let Some((challenge, nonce)) = self.codes.remove(&form["code"]) else {
            return refused("invalid_grant");
        };
        if BASE64URL_NOPAD.encode(&Sha256::digest(form["code_verifier"].as_bytes())) != challenge {
            return refused("invalid_grant");
        }
        let now = Timestamp::now().as_unix();
        let mut claims = json!({
            "iss": base, "aud": "us", "sub": "1", "iat": now, "exp": now + 300, "nonce": nonce, "auth_time": now,
            "preferred_username": "Ann.Smith", "name": "Ann Smith",
        });
        merge(&mut claims, &self.claims);
        let (key, id) = &self.key;
        let signed =
            |claims| token(&json!({ "alg": "EdDSA", "kid": id }), claims, |text| key.sign(text).to_vec());
        let id_token = self.forge.map_or_else(|| signed(&claims), |forge| forge(key, &claims));
        Reply::json(&json!({ "id_token": id_token, "access_token": "access", "token_type": "Bearer" }))
    }
}

fn merge(all: &mut Value, others: &Value) {
    let all = all.as_object_mut().unwrap();
    for (name, value) in others.as_object().unwrap() {
        match value {
            Value::Null => all.remove(name),
            value => all.insert(name.clone(), value.clone()),
        };
    }
}
