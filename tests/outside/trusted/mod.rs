//! Trusted publishing: jobs of CI systems that publish without a stored secret, and what everybody sees of them.

mod attestation;
mod by_client;
mod exchange;
mod issuer;
mod provenance;
mod publishers;
mod refusals;

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Registry, Response, Skill, User};
pub use issuer::{GITHUB, Issuer, github, gitlab};

/// A registry whose two issuers have keys of a test, with the team `tools` of `ann`, who has a password.
pub struct Trusting {
    pub registry: Registry,
    pub ann: User,
    pub issuer: Issuer,
}

/// The audience of tokens. The address of a test's server is known only after its start.
pub const AUDIENCE: &str = "https://skills.example.org";

/// The settings of issuers whose keys are in a file.
pub fn settings(issuer: &Issuer) -> String {
    let keys = issuer.keys_file.path().display();
    format!(
        "[trusted.github]\nkeys_file = \"{keys}\"\naudience = \"{AUDIENCE}\"\n\
         [trusted.gitlab]\nkeys_file = \"{keys}\"\naudience = \"{AUDIENCE}\"\n\
         [trusted.forge]\nissuer = \"https://forge.example.org\"\nkind = \"claims\"\nkeys_file = \"{keys}\"\n\
         audience = \"{AUDIENCE}\"\n\
         claims = {{ repository = \"repo\", owner_id = \"org\", workflow = \"sub\", commit = \"rev\" }}\n"
    )
}

impl Trusting {
    pub fn start() -> Self {
        let issuer = Issuer::new();
        let registry = Registry::with_config(&settings(&issuer));
        Self::of(registry, issuer)
    }

    pub fn of(registry: Registry, issuer: Issuer) -> Self {
        registry.user_with_password("ann", PASSWORD);
        let token = registry.issue("ann", &["--name", "test"]);
        let ann = registry.wait_until_known(User { handle: "ann".to_owned(), token });
        registry.team("tools", &ann);
        Self { registry, ann, issuer }
    }

    /// Adds a publisher of `tools/hello` at GitHub, with these changes.
    pub fn trust(&self, changes: &Value) -> Response {
        let mut body = json!({
            "skill": "hello", "issuer": "github", "repository": "Acme/Skills", "ownerId": "42",
            "workflow": "publish.yml", "password": PASSWORD,
        });
        merge(&mut body, changes);
        self.registry.as_user(&self.ann).post_json("/api/v1/namespaces/tools/publishers", &body)
    }

    /// Exchanges a token of a job for one of `tools/hello`.
    pub fn exchange(&self, token: &str) -> Response {
        self.exchange_for(token, &json!({"namespace": "tools", "slug": "hello"}))
    }

    pub fn exchange_for(&self, token: &str, what: &Value) -> Response {
        let mut body = json!({ "token": token });
        merge(&mut body, what);
        self.registry.anonymous().post_json("/api/v1/trusted/token", &body)
    }

    /// A new token that publishes `tools/hello`, of a job with these claims.
    #[track_caller]
    pub fn job(&self, claims: &Value) -> User {
        let exchanged = self.exchange(&self.issuer.token(claims)).expect_json(200);
        User { handle: "ann".to_owned(), token: exchanged["token"].as_str().unwrap().to_owned() }
    }

    /// Publishes a version of `tools/hello` as a job with these claims.
    #[track_caller]
    pub fn publish(&self, version: &str, claims: &Value) {
        let job = self.job(claims);
        let skill = Skill::named("hello").text(&format!("Version {version}.\n"));
        self.registry.publish(skill).to("tools").version(version).by(&job).expect(201);
    }
}

/// Replaces fields of an object. Null removes one.
pub fn merge(object: &mut Value, changes: &Value) {
    let object = object.as_object_mut().unwrap();
    for (key, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(object.remove(key)),
            value => drop(object.insert(key.clone(), value.clone())),
        }
    }
}
