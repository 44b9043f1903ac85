//! A small registry for tests: one version is public, and one waits for review.

use crate::access::Credential;
use crate::api::private::PublishReply;
use crate::journal::Storage;
use crate::names::{Digest, Handle};
use crate::ops::publish::NamespaceConflict;
use crate::ops::set_up::{SetUp, set_up};
use crate::ops::tokens::{self, IssueToken};
use crate::ops::users::{self, AddUser};
use crate::package::{Limits, LooseFile, Package, ReadOptions, Strictness};
use crate::private::{PlatformRole, Scopes, Secret};
use crate::publishing::{PublishInput, PublishMode};
use crate::registry::{Caller, Registry};

fn operator() -> Caller {
    Caller { credential: Credential::Operator { acting_as: None }, request: None }
}

/// A new token of a user. The operator would have more rights.
fn someone(registry: &Registry, handle: &str) -> Caller {
    let secret = Secret::generate().unwrap();
    let token = IssueToken {
        handle: Some(handle.parse().unwrap()),
        name: registry.catch_up().unwrap().to_string(),
        scopes: Some(Scopes::all()),
        expires_at: None,
        digest: secret.digest(),
        prefix: secret.prefix(),
        quotas: crate::quotas::Quotas::UNLIMITED,
    };
    registry.commit(&operator(), |context| tokens::issue(context, &token)).unwrap();
    Caller { credential: Credential::Token(secret.digest()), request: None }
}

pub fn package(text: &str) -> Package {
    let content = format!("---\nname: hello\ndescription: {text}\n---\n").into_bytes();
    let file = LooseFile { path: "SKILL.md".into(), executable: false, content };
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &Limits::default(),
        allowed_files: &[],
    };
    Package::from_files(vec![file], &options).unwrap()
}

pub fn blob(text: &str) -> Digest {
    Digest::of(&package(text).archive().unwrap())
}

/// Publishes a skill in `global`, where everyone but `admin` needs a review.
pub fn publish(registry: &Registry, by: &str, slug: &str, version: &str, text: &str) -> PublishReply {
    let package = package(text);
    let incoming = PublishInput {
        package: &package,
        namespace: Some("global".parse().unwrap()),
        requested_name: Some(crate::package::RequestedName { namespace: None, slug: slug.parse().unwrap() }),
        on_namespace_conflict: NamespaceConflict::Refuse,
        version: Some((version.parse().unwrap(), version.to_owned())),
        changelog: String::new(),
        tags: Vec::new(),
        source_published_at: None,
        attestation: None,
        wait_level: None,
        source: None,
        quotas: crate::quotas::Quotas::UNLIMITED,
    };
    registry.publish(&someone(registry, by), incoming, PublishMode::Commit).unwrap().reply
}

/// A registry with `admin` and `ann`. `hello` 1.0.0 is public ("Says hello."),
/// and ann's `bye` 1.0.0 waits for review ("Says bye.").
pub fn begin(storage: impl Into<Storage>) -> Registry {
    let registry = Registry::open(storage).unwrap();
    let secret = Secret::generate().unwrap();
    let admin: Handle = "admin".parse().unwrap();
    let input = SetUp { admin, digest: secret.digest(), prefix: secret.prefix() };
    registry.commit(&operator(), |context| set_up(context, &input)).unwrap();
    let ann = AddUser { handle: "ann".parse().unwrap(), display_name: None, role: PlatformRole::User };
    registry.commit(&operator(), |context| users::add(context, &ann)).unwrap();
    publish(&registry, "admin", "hello", "1.0.0", "Says hello.");
    publish(&registry, "ann", "bye", "1.0.0", "Says bye.");
    registry
}
