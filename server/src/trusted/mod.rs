//! Trusted publishing: a job of a CI system publishes with the token that its system gives it, and no stored secret.

mod claims;

use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use registry::Registry;
use registry::access::Denied;
use registry::api::private::JobToken;
use registry::local::LocalStore;
use registry::names::{Digest, Namespace, Slug};
use registry::ops::publishers::admit;
use registry::private::{Job, JobGrant, Secret};
use registry::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::identity::{Issuer, Refusal};
use crate::problem::Problem;

pub use claims::{ClaimNames, GITHUB, TokenKind, WORKFLOWS};

/// How long the token of a job is valid.
pub const JOB_TOKEN_TTL: Duration = Duration::from_secs(30 * 60);

/// Longer than the difference of clocks that a token is accepted with.
const LEEWAY: i64 = 120;

/// An issuer of tokens of jobs.
#[derive(Debug)]
pub struct TrustedIssuer {
    /// Its name in the settings.
    pub name: String,
    /// How it says which job a token is about.
    pub kind: TokenKind,
    /// The audience that tokens must have. None: the public URL of the registry.
    pub audience: Option<String>,
    /// Its keys. They are read when somebody has named a publisher, not before.
    pub issuer: Issuer,
}

/// The issuers whose jobs may publish.
#[derive(Debug, Default)]
pub struct TrustedIssuers(pub Vec<TrustedIssuer>);

impl TrustedIssuers {
    /// The issuer with this name in the settings, or with this address.
    pub fn find(&self, text: &str) -> Option<&TrustedIssuer> {
        self.0.iter().find(|known| known.name == text || known.issuer.address() == text)
    }

    /// The names of all, for messages.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|known| known.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// What a job asks for.
pub struct Exchange {
    /// The token of its CI system. Never print it.
    pub token: String,
    /// The namespace.
    pub namespace: Namespace,
    /// The skill. None: all skills of the namespace.
    pub slug: Option<Slug>,
}

/// The places that an exchange looks at.
pub struct Places<'a> {
    /// The issuers.
    pub issuers: &'a TrustedIssuers,
    /// The registry.
    pub registry: &'a Registry,
    /// The tokens that were exchanged.
    pub local: &'a Arc<LocalStore>,
    /// The public URL.
    pub public_url: &'a str,
}

/// Exchanges the token of a job for one of this registry. Blocks.
///
/// Errors: 400 for what is no token, 503 if its issuer has failed, and 403 with the reason for all others.
pub fn exchange(places: &Places<'_>, asked: &Exchange, now: Timestamp) -> Result<JobToken, Problem> {
    let named = unverified_issuer(&asked.token).ok_or_else(|| {
        Problem::invalid_field("token", "it is not a signed JWT: send the token of the job")
    })?;
    let trusted = places.issuers.0.iter().find(|known| known.issuer.address() == named);
    let trusted = trusted.ok_or_else(|| {
        refused(format!(
            "this registry does not know the issuer of the token: an operator can add it to the settings (known: {})",
            places.issuers.names()
        ))
    })?;
    let address = trusted.issuer.address();
    places.registry.try_catch_up()?;
    let is_used = places.registry.read(|catalog| catalog.private.publishers.has_issuer(address));
    if !is_used {
        // Nothing is asked of an issuer for a stranger.
        return Err(refused(format!("no trusted publisher of this registry is at {address}: add one first")));
    }
    let audience = trusted.audience.as_deref().unwrap_or(places.public_url);
    let claims: Map<String, Value> =
        trusted.issuer.verify(&asked.token, audience, now).map_err(of_refusal)?;
    let job = claims::job(&trusted.kind, address, &claims).map_err(refused)?;
    let id = claims.get("jti").and_then(Value::as_str).filter(|id| !id.is_empty());
    let id =
        id.ok_or_else(|| refused("the token has no id (`jti`), so it could be used twice".to_owned()))?;
    let id = Digest::of(format!("{address}\n{id}").as_bytes());
    let publisher = admitted(places.registry, &job, asked)?;
    let ends_at = claims.get("exp").and_then(Value::as_f64).unwrap_or_default();
    #[allow(clippy::cast_possible_truncation, reason = "the token was verified, so it is a time")]
    let ends_at = Timestamp::from_unix((ends_at as i64).saturating_add(LEEWAY)).unwrap_or(now);
    let secret = Secret::generate_for_job().map_err(Problem::internal)?;
    let (namespace, slug) = (asked.namespace.clone(), asked.slug.clone());
    let grant = JobGrant { publisher, namespace, slug, expires_at: now.plus(JOB_TOKEN_TTL), job };
    if !places.local.exchange_job_token(&id, ends_at, &secret.digest(), &grant)? {
        return Err(refused(
            "the token was used before: a job needs a new one for each publication".to_owned(),
        ));
    }
    let JobGrant { namespace, slug, expires_at, .. } = grant;
    Ok(JobToken { token: secret.reveal().to_owned(), namespace, slug, expires_at })
}

/// The publisher that admits the job. Another process may have added it a moment ago.
fn admitted(registry: &Registry, job: &Job, asked: &Exchange) -> Result<registry::public::Id, Problem> {
    let find = || {
        registry.read(|catalog| {
            admit(catalog, job, &asked.namespace, asked.slug.as_ref()).map(|publisher| publisher.id)
        })
    };
    if let Ok(id) = find() {
        return Ok(id);
    }
    registry.catch_up()?;
    Ok(find()?)
}

/// The issuer that a token names. Only good for finding the settings.
fn unverified_issuer(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        iss: String,
    }
    let mut parts = token.split('.');
    let (_, payload, _, None) = (parts.next()?, parts.next()?, parts.next()?, parts.next()) else {
        return None;
    };
    let payload = BASE64URL_NOPAD.decode(payload.as_bytes()).ok()?;
    serde_json::from_slice::<Named>(&payload).ok().map(|named| named.iss)
}

fn of_refusal(refusal: Refusal) -> Problem {
    match refusal.is_of_issuer() {
        true => Problem::from(refusal),
        false => refused(refusal.to_string()),
    }
}

fn refused(why: String) -> Problem {
    Denied(why).into()
}
