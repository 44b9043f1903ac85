//! An issuer of the tests: its keys, and claims in the shape that the documents of GitHub and GitLab give.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{AUDIENCE, merge};

pub const GITHUB: &str = "https://token.actions.githubusercontent.com";
pub const GITLAB: &str = "https://gitlab.com";

/// The commit of all jobs.
pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

static NUMBER: AtomicU64 = AtomicU64::new(1);

/// A key, and the file with its public half.
pub struct Issuer {
    key: SigningKey,
    pub keys_file: NamedTempFile,
}

pub fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
}

fn part(value: &Value) -> String {
    BASE64URL_NOPAD.encode(value.to_string().as_bytes())
}

impl Issuer {
    pub fn new() -> Self {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&NUMBER.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        let issuer = Self { key: SigningKey::from_bytes(&seed), keys_file: NamedTempFile::new().unwrap() };
        std::fs::write(issuer.keys_file.path(), issuer.keys().to_string()).unwrap();
        issuer
    }

    /// The keys as an issuer publishes them.
    pub fn keys(&self) -> Value {
        let x = BASE64URL_NOPAD.encode(self.key.verifying_key().as_bytes());
        json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "use": "sig", "alg": "EdDSA", "x": x}]})
    }

    /// A signed token with these claims.
    pub fn token(&self, claims: &Value) -> String {
        self.token_with(&json!({"alg": "EdDSA", "kid": "one", "typ": "JWT"}), claims)
    }

    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        let text = format!("{}.{}", part(header), part(claims));
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
    }
}

fn times() -> Value {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    json!({
        "jti": format!("id-{number}"), "aud": AUDIENCE, "iat": now(), "nbf": now() - 5, "exp": now() + 300,
    })
}

/// The claims of a job of GitHub Actions, with these changes.
pub fn github(changes: &Value) -> Value {
    let mut claims = json!({
        "iss": GITHUB,
        "sub": "repo:acme/skills:ref:refs/tags/v1.0.0",
        "ref": "refs/tags/v1.0.0",
        "sha": COMMIT,
        "repository": "acme/skills",
        "repository_owner": "acme",
        "run_id": "4242",
        "run_number": "10",
        "run_attempt": "2",
        "repository_visibility": "public",
        "repository_id": "74",
        "repository_owner_id": "42",
        "actor_id": "12",
        "actor": "ann",
        "workflow": "Publish",
        "head_ref": "",
        "base_ref": "",
        "event_name": "push",
        "ref_type": "tag",
        "workflow_ref": "acme/skills/.github/workflows/publish.yml@refs/tags/v1.0.0",
        "job_workflow_ref": "acme/skills/.github/workflows/publish.yml@refs/tags/v1.0.0",
        "runner_environment": "github-hosted",
    });
    merge(&mut claims, &times());
    merge(&mut claims, changes);
    claims
}

/// The claims of a job of GitLab CI, with these changes.
pub fn gitlab(changes: &Value) -> Value {
    let mut claims = json!({
        "iss": GITLAB,
        "sub": "project_path:acme/sub/skills:ref_type:tag:ref:v1.0.0",
        "namespace_id": "77",
        "namespace_path": "acme/sub",
        "project_id": "22",
        "project_path": "acme/sub/skills",
        "user_id": "42",
        "user_login": "ann",
        "pipeline_id": "1212",
        "pipeline_source": "push",
        "job_id": "1313",
        "ref": "v1.0.0",
        "ref_type": "tag",
        "ref_path": "refs/tags/v1.0.0",
        "ref_protected": "true",
        "runner_environment": "gitlab-hosted",
        "sha": COMMIT,
        "project_visibility": "private",
        "ci_config_ref_uri": "gitlab.com/acme/sub/skills//ci/publish.yml@refs/tags/v1.0.0",
        "ci_config_sha": COMMIT,
    });
    merge(&mut claims, &times());
    merge(&mut claims, changes);
    claims
}
