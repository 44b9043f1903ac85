//! Publishes from a job of a CI system without a stored secret: exchanges the token that the system gives the job for
//! one of the registry.

use registry::api::private::JobToken;
use registry::names::{Coordinate, Namespace, Slug};
use registry::package::{Manifest, RequestedName};
use serde::Deserialize;
use serde_json::json;
use url::Url;

use crate::http::{Http, JSON_LIMIT, Upload};
use crate::login::not_a_server;
use crate::registry_address::is_loopback;
use crate::source::RawDocument;
use crate::{ClientError, RegistryAddress, Token};

/// The variables in which GitHub Actions says where a job gets its token, and with which credential.
const GITHUB_URL: &str = "ACTIONS_ID_TOKEN_REQUEST_URL";
const GITHUB_TOKEN: &str = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";

/// The variable in which GitLab CI and others put the token of a job, as its configuration says.
const ID_TOKEN: &str = "SKILLMIRROR_ID_TOKEN";

/// The token of a job, or where the job gets it.
pub enum Job {
    /// GitHub Actions.
    Github {
        /// The address that gives tokens.
        url: Url,
        /// The credential for this address.
        credential: Token,
    },
    /// The token itself.
    Given(Token),
}

impl Job {
    /// The job that the environment describes. None outside of a job that may have a token.
    ///
    /// Errors: a variable has an unusable value.
    pub fn of_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, ClientError> {
        let get = |name: &str| variable(name).filter(|text| !text.is_empty());
        let invalid = |name: &str, why: &str| ClientError::Environment(format!("{name} {why}"));
        let token = |name: &str, text: String| {
            text.parse().map_err(|_| invalid(name, "is no token: it must be one word"))
        };
        if let Some(text) = get(ID_TOKEN) {
            return Ok(Some(Self::Given(token(ID_TOKEN, text)?)));
        }
        let (Some(url), Some(credential)) = (get(GITHUB_URL), get(GITHUB_TOKEN)) else { return Ok(None) };
        let url = Url::parse(&url).map_err(|_| invalid(GITHUB_URL, "is no address"))?;
        if url.scheme() != "https" && !(url.scheme() == "http" && is_loopback(&url)) {
            return Err(invalid(
                GITHUB_URL,
                "is not an address with https, so its credential is not sent there",
            ));
        }
        Ok(Some(Self::Github { url, credential: token(GITHUB_TOKEN, credential)? }))
    }

    /// The CI system, for messages.
    pub fn system(&self) -> &'static str {
        match self {
            Self::Github { .. } => "GitHub Actions",
            Self::Given(_) => ID_TOKEN,
        }
    }

    /// Why a command that needs the token of a job cannot go on.
    pub fn missing() -> ClientError {
        let why = "this is no job with a token: give it `permissions: id-token: write` at GitHub, or \
                   SKILLMIRROR_ID_TOKEN by `id_tokens` at GitLab";
        ClientError::Unsupported(why.into())
    }

    /// Exchanges the token of the job for one that publishes a skill of `namespace` at `registry`, and nothing else.
    /// Without `slug`, it publishes all of them.
    pub fn exchange(
        &self,
        http: &Http,
        registry: &RegistryAddress,
        namespace: &Namespace,
        slug: Option<&Slug>,
    ) -> Result<Token, ClientError> {
        let lack = "takes no tokens of jobs";
        let url = registry.url_of("/api/v1/trusted/token").ok_or_else(|| not_a_server(registry, lack))?;
        if registry.is_unencrypted() {
            let why =
                format!("{registry} is not encrypted, so the token of this job is not sent there: use https");
            return Err(ClientError::Unsupported(why));
        }
        let token = self.token(http, registry)?;
        let body = json!({ "token": token.reveal(), "namespace": namespace, "slug": slug }).to_string();
        let upload = Upload { content_type: "application/json", body: body.as_bytes() };
        let answer = http.post_unauthorized(&url, &upload)?;
        match answer.status {
            200..=299 => {
                let exchanged: JobToken = RawDocument::from(answer).parse(registry)?;
                exchanged.token.parse()
            }
            status => Err(match (status, answer.refusal()) {
                (404 | 405 | 501, ClientError::Status { .. }) => not_a_server(registry, lack),
                (_, why) => why,
            }),
        }
    }

    /// The token of the job, made for this registry alone: its address is the audience.
    fn token(&self, http: &Http, registry: &RegistryAddress) -> Result<Token, ClientError> {
        #[derive(Deserialize)]
        struct Answer {
            value: Token,
        }
        let (url, credential) = match self {
            Self::Given(token) => return Ok(token.clone()),
            Self::Github { url, credential } => (url, credential),
        };
        let mut url = url.clone();
        url.query_pairs_mut().append_pair("audience", &registry.to_string());
        let answer = http.get(&url, Some(credential), JSON_LIMIT, &mut |_, _| {})?;
        let refused =
            |why: &str| ClientError::Unsupported(format!("{} gave this job no token: {why}", self.system()));
        if answer.url.origin() != url.origin() {
            return Err(refused("it redirects to another host"));
        }
        if answer.status != 200 {
            let status = answer.status;
            return Err(refused(&format!(
                "it answered with status {status}; give the job `permissions: id-token: write`"
            )));
        }
        let read: Answer = serde_json::from_slice(&answer.body)
            .map_err(|_| refused("its answer is not the expected JSON"))?;
        Ok(read.value)
    }
}

/// The skill that a package will be published as, by the rules of registries.
///
/// Errors: neither the package nor the options name it.
pub fn skill_of(
    manifest: &Manifest,
    namespace: Option<&Namespace>,
    named: Option<&Coordinate>,
) -> Result<Coordinate, ClientError> {
    let named: Option<RequestedName> = named.and_then(|named| named.to_string().parse().ok());
    let own = manifest.requested_name.as_ref();
    let of = |name: Option<&RequestedName>| name.and_then(|name| name.namespace.clone());
    let slug: Option<Slug> = named.as_ref().or(own).map(|name| name.slug.clone());
    let slug = slug.or_else(|| manifest.slug_from_source.clone());
    let slug = slug
        .ok_or_else(|| ClientError::Unsupported("the skill has no name: give it one with --slug".into()))?;
    let namespace = namespace.cloned().or_else(|| of(named.as_ref())).or_else(|| of(own));
    Ok(Coordinate::new(namespace.unwrap_or_else(Namespace::global), slug))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(variables: &[(&str, &str)]) -> Result<Option<Job>, ClientError> {
        Job::of_environment(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn credential_of_a_job_goes_to_no_unencrypted_address() {
        assert!(job(&[]).unwrap().is_none());
        assert!(job(&[(GITHUB_URL, "https://a.example/x")]).unwrap().is_none());
        let at = |url| job(&[(GITHUB_URL, url), (GITHUB_TOKEN, "secret")]);
        for url in ["https://a.example/x?y=1", "http://127.0.0.1:1/x"] {
            assert!(matches!(at(url).unwrap(), Some(Job::Github { .. })), "{url}");
        }
        for url in ["http://a.example/x", "ftp://a.example", "x"] {
            let why = at(url).err().map(|why| why.to_string()).unwrap_or_default();
            assert!(why.contains(GITHUB_URL) && !why.contains("secret"), "{url}: {why}");
        }
        let given = job(&[(ID_TOKEN, "a.b.c"), (GITHUB_URL, "x"), (GITHUB_TOKEN, "y")]).unwrap();
        assert!(matches!(given, Some(Job::Given(_))));
        let why = job(&[(ID_TOKEN, "a b")]).err().map(|why| why.to_string()).unwrap_or_default();
        assert!(why.contains(ID_TOKEN) && !why.contains("a b"), "{why}");
    }
}
