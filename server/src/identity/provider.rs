//! Signing in with a provider: the authorisation code flow of OpenID Connect, with PKCE.

use std::collections::BTreeMap;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use hyper::header::{AUTHORIZATION, HeaderName};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use registry::names::Namespace;
use registry::private::{Identity, MemberRole};
use registry::time::Timestamp;
use ring::digest::{SHA256, SHA384, SHA512, digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Issuer, Refusal};

/// All but the unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How old a sign-in may be that was asked to be a new one, in seconds: clocks may differ.
const FRESH: i64 = 60;

/// The longest name of an account at a provider (OpenID Connect Core, section 2).
const MAX_SUBJECT: usize = 255;

/// What an operator says of a provider.
#[derive(Clone, Default)]
pub struct ProviderSettings {
    /// Its name in addresses: lower-case letters, digits and `-`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Our name there.
    pub client_id: String,
    /// Our secret there, if we have one.
    pub client_secret: Option<String>,
    /// What we ask for, `openid` among it.
    pub scopes: Vec<String>,
    /// The claim from which a handle is made.
    pub handle_claim: String,
    /// The claim with the groups of a person.
    pub groups_claim: String,
    /// The groups that may sign in. Without any, everybody may whom the provider knows.
    pub allowed_groups: Vec<String>,
    /// The groups of platform admins. Without any, the provider does not decide it.
    pub admins: Vec<String>,
    /// The roles that groups give.
    pub roles: BTreeMap<String, Vec<(Namespace, MemberRole)>>,
}

/// A provider.
pub struct Provider {
    /// What the operator says of it.
    pub settings: ProviderSettings,
    issuer: Issuer,
}

/// What a sign-in needs to go on when the provider answers.
#[derive(Debug, Serialize, Deserialize)]
pub struct Begun {
    nonce: String,
    verifier: String,
    /// The time, if the person has to prove again who they are.
    fresh_since: Option<i64>,
}

/// A person, as the provider describes them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Person {
    /// The account there.
    pub identity: Identity,
    /// A name from which a handle is made.
    pub handle: Option<String>,
    /// The name to show.
    pub name: Option<String>,
    /// The groups. None if the provider names none at all.
    pub groups: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct IdToken {
    sub: String,
    nonce: Option<String>,
    at_hash: Option<String>,
    auth_time: Option<i64>,
    name: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl std::fmt::Debug for Provider {
    /// Shows no secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("name", &self.settings.name).finish_non_exhaustive()
    }
}

impl Provider {
    /// A provider that has not been asked anything yet.
    pub fn new(settings: ProviderSettings, issuer: Issuer) -> Self {
        Self { settings, issuer }
    }

    /// Begins a sign-in: the address that a browser has to open, and what is needed when it comes back. With
    /// `is_fresh`, the provider asks who it is even if it knows the browser. `random` makes secrets. Blocks.
    pub fn begin(
        &self,
        back: &str,
        state: &str,
        is_fresh: bool,
        now: Timestamp,
        random: impl Fn() -> std::io::Result<String>,
    ) -> Result<(String, Begun), Refusal> {
        let discovery = self.issuer.discovery(now)?;
        let page = discovery.authorization_endpoint.as_deref();
        let page = page.ok_or_else(|| self.issuer.nonsense("it has no page for signing in"))?;
        let secret = || random().map_err(|why| self.issuer.nonsense(why));
        let fresh_since = is_fresh.then_some(now.as_unix());
        let begun = Begun { nonce: secret()?, verifier: secret()?, fresh_since };
        let challenge = BASE64URL_NOPAD.encode(digest(&SHA256, begun.verifier.as_bytes()).as_ref());
        let scopes = self.settings.scopes.join(" ");
        let mut query = vec![
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", back),
            ("scope", &scopes),
            ("state", state),
            ("nonce", &begun.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        if is_fresh {
            query.extend([("prompt", "login"), ("max_age", "0")]);
        }
        Ok((with_query(page, &query), begun))
    }

    /// Exchanges the code of a browser that has come back, and reads who it is. `from` is who the answer says it is
    /// from. Blocks.
    pub fn finish(
        &self,
        begun: &Begun,
        code: &str,
        from: Option<&str>,
        back: &str,
        now: Timestamp,
    ) -> Result<Person, Refusal> {
        #[derive(Deserialize)]
        struct Answer {
            id_token: String,
            access_token: Option<String>,
        }
        let discovery = self.issuer.discovery(now)?;
        // Otherwise a provider could pass on the code of another one (RFC 9207).
        let is_from = |from: &str| from == self.issuer.address();
        let is_missing = from.is_none() && discovery.authorization_response_iss_parameter_supported;
        if is_missing || from.is_some_and(|from| !is_from(from)) {
            return Err(Refusal::MixedUp { issuer: self.issuer.address().to_owned() });
        }
        let endpoint = discovery.token_endpoint.as_deref();
        let endpoint = endpoint.ok_or_else(|| self.issuer.nonsense("it exchanges no codes"))?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", back),
            ("code_verifier", &begun.verifier),
        ];
        let methods = discovery.token_endpoint_auth_methods_supported.as_ref();
        // Basic is what a provider has that names nothing (OpenID Connect Discovery, section 3).
        let is_basic = methods.is_none_or(|all| all.iter().any(|method| method == "client_secret_basic"));
        let ProviderSettings { client_id, client_secret, .. } = &self.settings;
        let headers: Vec<(HeaderName, String)> = match client_secret {
            Some(secret) if is_basic => {
                let pair = format!("{}:{}", encode(client_id), encode(secret));
                vec![(AUTHORIZATION, format!("Basic {}", BASE64.encode(pair.as_bytes())))]
            }
            secret => {
                form.push(("client_id", client_id));
                form.extend(secret.as_deref().map(|secret| ("client_secret", secret)));
                Vec::new()
            }
        };
        let answer: Answer = self.issuer.post_form(endpoint, &headers, query_of(&form))?;
        let token: IdToken = self.issuer.verify(&answer.id_token, client_id, now)?;
        self.check(begun, &token, answer.access_token.as_deref())?;
        self.admit(self.person(token))
    }

    /// Checks what is particular of this sign-in (OpenID Connect Core, section 3.1.3.7).
    fn check(&self, begun: &Begun, token: &IdToken, access: Option<&str>) -> Result<(), Refusal> {
        if token.nonce.as_ref() != Some(&begun.nonce) {
            return Err(Refusal::Nonce);
        }
        let is_subject = !token.sub.is_empty() && token.sub.len() <= MAX_SUBJECT && token.sub.is_ascii();
        if !is_subject {
            return Err(Refusal::Claim("sub"));
        }
        // A provider that does not know the time has at least been asked for a new sign-in.
        if let (Some(since), Some(at)) = (begun.fresh_since, token.auth_time)
            && at < since - FRESH
        {
            return Err(Refusal::Stale);
        }
        let (Some(hash), Some(access)) = (&token.at_hash, access) else { return Ok(()) };
        // The left half of a digest, by whose length its kind is known.
        let is_half = [&SHA256, &SHA384, &SHA512].iter().any(|kind| {
            let whole = digest(kind, access.as_bytes());
            *hash == BASE64URL_NOPAD.encode(&whole.as_ref()[..whole.as_ref().len() / 2])
        });
        if is_half { Ok(()) } else { Err(Refusal::Claim("at_hash")) }
    }

    fn person(&self, token: IdToken) -> Person {
        let IdToken { sub, name, mut others, .. } = token;
        let issuer = self.issuer.address().to_owned();
        let text = |value: Value| value.as_str().map(str::to_owned);
        let handle = others.remove(&self.settings.handle_claim).and_then(text);
        let groups = others.remove(&self.settings.groups_claim).map(|value| match value {
            Value::Array(all) => all.into_iter().filter_map(text).collect(),
            one => text(one).into_iter().collect(),
        });
        Person { identity: Identity { issuer, subject: sub }, handle, name, groups }
    }

    /// Refuses a person who is in no group that may sign in.
    fn admit(&self, person: Person) -> Result<Person, Refusal> {
        let allowed = &self.settings.allowed_groups;
        let is_allowed = |group: &String| allowed.contains(group);
        match allowed.is_empty() || person.groups.iter().flatten().any(is_allowed) {
            true => Ok(person),
            false => Err(Refusal::Group { provider: self.settings.title.clone() }),
        }
    }

    /// The address at which a browser also signs out there, if there is one. `back` is where it goes then. Blocks.
    pub fn sign_out_address(&self, back: &str, now: Timestamp) -> Option<String> {
        let discovery = self.issuer.discovery(now).ok()?;
        let query = [("client_id", &*self.settings.client_id), ("post_logout_redirect_uri", back)];
        discovery.end_session_endpoint.as_deref().map(|page| with_query(page, &query))
    }

    /// The address of the issuer.
    pub fn issuer(&self) -> &str {
        self.issuer.address()
    }
}

fn with_query(page: &str, query: &[(&str, &str)]) -> String {
    let separator = if page.contains('?') { '&' } else { '?' };
    format!("{page}{separator}{}", query_of(query))
}

fn query_of(query: &[(&str, &str)]) -> String {
    query.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect::<Vec<_>>().join("&")
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}
