//! An issuer: its description, its keys, and whether a token is one of its.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use hyper::Request;
use hyper::header::{ACCEPT, HeaderName};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, Validation, decode};
use registry::time::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kept::{Kept, LIFETIME};
use super::outbound::{Outbound, check_address};
use super::signature::{self, ALGORITHMS};
use super::{Refusal, claims};

/// The time between two requests for keys because of an unknown one.
const MIN_REFETCH: Duration = Duration::from_secs(60);

/// The most keys of an issuer.
const MAX_KEYS: usize = 100;

/// Which issuer, and where its keys are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerSettings {
    /// Its address, exactly as tokens name it.
    pub address: String,
    /// A file with its keys (RFC 7517, section 5), for networks in which it cannot be asked for them.
    pub keys_file: Option<PathBuf>,
}

/// An issuer describes itself (OpenID Connect Discovery, section 3).
#[derive(Debug, Clone, Deserialize)]
pub struct Discovery {
    issuer: String,
    jwks_uri: String,
    /// The page of its sign-in.
    pub authorization_endpoint: Option<String>,
    /// Exchanges codes for tokens.
    pub token_endpoint: Option<String>,
    /// Ends the session there.
    pub end_session_endpoint: Option<String>,
    /// How clients may send their secret.
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether it says in its answers who it is (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// An issuer. Share it in an `Arc`: it keeps what it has read.
#[derive(Debug)]
pub struct Issuer {
    settings: IssuerSettings,
    outbound: Arc<dyn Outbound>,
    discovery: Kept<Arc<Discovery>>,
    keys: Kept<Arc<Vec<Jwk>>>,
}

/// The part of a header that decides about the key (RFC 7515, section 4.1).
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

impl Issuer {
    /// An issuer that has not been asked anything yet.
    ///
    /// Errors: a phrase that says what is wrong with its address.
    pub fn new(settings: IssuerSettings, outbound: Arc<dyn Outbound>) -> Result<Self, String> {
        let uri = check_address(&settings.address)?;
        if uri.query().is_some() {
            return Err(format!(
                "{:?} has a query, which the address of an issuer cannot have",
                settings.address
            ));
        }
        signature::install();
        Ok(Self { settings, outbound, discovery: Kept::new(), keys: Kept::new() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.settings.address
    }

    /// Sends it requests.
    pub fn outbound(&self) -> &dyn Outbound {
        &*self.outbound
    }

    /// How it describes itself, read at most once a day. Blocks.
    pub fn discovery(&self, now: Timestamp) -> Result<Arc<Discovery>, Refusal> {
        self.discovery.get(
            LIFETIME,
            now,
            || self.busy(),
            || {
                let base = self.address().trim_end_matches('/');
                let found: Discovery = self.get(&format!("{base}/.well-known/openid-configuration"))?;
                // Otherwise one issuer could speak for another (OpenID Connect Discovery, section 4.3).
                if found.issuer != self.address() {
                    return Err(self.nonsense("its description is of another issuer"));
                }
                let Discovery { authorization_endpoint, token_endpoint, end_session_endpoint, .. } = &found;
                let endpoints =
                    [authorization_endpoint, token_endpoint, end_session_endpoint].into_iter().flatten();
                for address in endpoints.chain([&found.jwks_uri]) {
                    check_address(address).map_err(|why| self.nonsense(why))?;
                }
                Ok(Arc::new(found))
            },
        )
    }

    /// Checks a token for `audience`, and reads its claims. Blocks if keys have to be read.
    pub fn verify<C: DeserializeOwned>(
        &self,
        token: &str,
        audience: &str,
        now: Timestamp,
    ) -> Result<C, Refusal> {
        let header = token.split('.').next().unwrap_or_default();
        let header = BASE64URL_NOPAD.decode(header.as_bytes()).map_err(|_| Refusal::Malformed)?;
        let header: Header = serde_json::from_slice(&header).map_err(|_| Refusal::Malformed)?;
        let algorithm = header.alg.parse().ok().filter(|known| ALGORITHMS.contains(known));
        let algorithm = algorithm.ok_or(Refusal::Algorithm)?;
        if header.crit.is_some() {
            return Err(Refusal::Critical);
        }
        let key = self.key(algorithm, header.kid.as_deref(), now)?;
        let mut validation = Validation::new(algorithm);
        validation.required_spec_claims.clear();
        // These are checked by our own clock, and with a sentence for each.
        (validation.validate_exp, validation.validate_aud) = (false, false);
        let key = DecodingKey::from_jwk(&key).map_err(|_| self.nonsense("its key is invalid"))?;
        let verified = decode::<Value>(token, &key, &validation).map_err(|_| Refusal::Signature)?.claims;
        claims::check(&verified, self.address(), audience, now)?;
        serde_json::from_value(verified).map_err(|why| Refusal::Claims(why.to_string()))
    }

    /// The key of a token. An unknown one is asked for once more, because issuers change their keys.
    fn key(&self, algorithm: Algorithm, id: Option<&str>, now: Timestamp) -> Result<Jwk, Refusal> {
        for lifetime in [LIFETIME, MIN_REFETCH] {
            let keys = self.keys.get(lifetime, now, || self.busy(), || self.read_keys(now))?;
            let mut fitting = keys.iter().filter(|key| {
                fits(key, algorithm) && id.is_none_or(|id| key.common.key_id.as_deref() == Some(id))
            });
            if let (Some(key), None) = (fitting.next(), fitting.next()) {
                return Ok(key.clone());
            }
        }
        Err(Refusal::UnknownKey { issuer: self.address().to_owned() })
    }

    fn read_keys(&self, now: Timestamp) -> Result<Arc<Vec<Jwk>>, Refusal> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let set: Set = match &self.settings.keys_file {
            Some(path) => {
                let text = self.outbound.read(path).map_err(|why| self.nonsense(why))?;
                serde_json::from_slice(&text)
                    .map_err(|_| self.nonsense("its file of keys is no set of keys"))?
            }
            None => self.get(&self.discovery(now)?.jwks_uri)?,
        };
        // Keys of a kind that is not known here are no mistake.
        let known = set.keys.into_iter().take(MAX_KEYS).filter_map(|key| serde_json::from_value(key).ok());
        Ok(Arc::new(known.collect()))
    }

    fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, Refusal> {
        let request = Request::get(address).header(ACCEPT, "application/json").body(Vec::new());
        self.send(request.map_err(|why| self.nonsense(why))?)
    }

    /// Posts a form to one of its endpoints, and reads the JSON of its answer.
    pub fn post_form<T: DeserializeOwned>(
        &self,
        address: &str,
        headers: &[(HeaderName, String)],
        form: String,
    ) -> Result<T, Refusal> {
        let mut request = Request::post(address)
            .header(ACCEPT, "application/json")
            .header(hyper::header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        self.send(request.body(form.into_bytes()).map_err(|why| self.nonsense(why))?)
    }

    fn send<T: DeserializeOwned>(&self, request: Request<Vec<u8>>) -> Result<T, Refusal> {
        let path = request.uri().path().to_owned();
        let answer = self.outbound.send(request);
        let answer = answer.map_err(|why| Refusal::Away { issuer: self.address().to_owned(), why })?;
        let status = answer.status();
        if status.is_server_error() {
            return Err(Refusal::Away {
                issuer: self.address().to_owned(),
                why: format!("{path}: {status}"),
            });
        }
        if !status.is_success() {
            let said: Option<Value> = serde_json::from_slice(answer.body()).ok();
            let code = said.as_ref().and_then(|said| said["error"].as_str()).unwrap_or_default();
            if code == "invalid_grant" {
                return Err(Refusal::Code);
            }
            let code: String = code.chars().filter(char::is_ascii_graphic).take(40).collect();
            return Err(self.nonsense(format!("{path}: {status} {code}").trim_end()));
        }
        serde_json::from_slice(answer.body())
            .map_err(|_| self.nonsense(format!("{path}: other JSON than expected")))
    }

    fn busy(&self) -> Refusal {
        Refusal::Away {
            issuer: self.address().to_owned(),
            why: "it has not answered another request yet".into(),
        }
    }

    /// The refusal of an answer of this issuer.
    pub fn nonsense(&self, why: impl ToString) -> Refusal {
        Refusal::Nonsense { issuer: self.address().to_owned(), why: why.to_string() }
    }
}

/// Whether a key is for signatures with an algorithm.
fn fits(key: &Jwk, algorithm: Algorithm) -> bool {
    let common = &key.common;
    let is_for_signatures = common.public_key_use.as_ref().is_none_or(|its| *its == PublicKeyUse::Signature);
    let is_for_it = common.key_algorithm.is_none_or(|own| own == KeyAlgorithm::from(algorithm));
    let has_type = match &key.algorithm {
        AlgorithmParameters::RSA(_) => algorithm.family() == AlgorithmFamily::Rsa,
        AlgorithmParameters::EllipticCurve(parameters) => match parameters.curve {
            EllipticCurve::P256 => algorithm == Algorithm::ES256,
            EllipticCurve::P384 => algorithm == Algorithm::ES384,
            _ => false,
        },
        AlgorithmParameters::OctetKeyPair(parameters) => {
            parameters.curve == EllipticCurve::Ed25519 && algorithm == Algorithm::EdDSA
        }
        _ => false,
    };
    is_for_signatures && is_for_it && has_type
}
