//! An offer of a skill, and an invitation to own a namespace, can be accepted for thirty days.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use registry::access::{Credential, NamespaceCreation};
use registry::journal::{Journal, MemoryJournal, Row};
use registry::names::{Coordinate, Namespace};
use registry::ops::invitations::{self, AcceptInvitation, Invite};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::publish::NamespaceConflict;
use registry::ops::set_up::{SetUp, set_up};
use registry::ops::tokens::{self, IssueToken};
use registry::ops::transfers::{self, AcceptOffer, MakeOffer};
use registry::ops::users::{self, AddUser};
use registry::ops::{CommitContext, OpError};
use registry::package::{Limits, Package, ReadOptions, Strictness};
use registry::private::{MemberRole, PlatformRole, Secret};
use registry::publishing::{PublishInput, PublishMode};
use registry::time::Timestamp;
use registry::{Caller, CommitError, Registry};

fn acting_as(handle: &str) -> Caller {
    Caller { credential: Credential::Operator { acting_as: Some(handle.parse().unwrap()) }, request: None }
}

/// A registry with the users ann and bob.
fn with_users() -> Registry {
    with_users_in(&MemoryJournal::new())
}

fn with_users_in(journal: &MemoryJournal) -> Registry {
    let registry = Registry::open(Arc::new(journal.clone())).unwrap();
    let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
    let secret = Secret::generate().unwrap();
    let input = SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
    registry.commit(&operator, |context| set_up(context, &input)).unwrap();
    for handle in ["ann", "bob"] {
        let user = AddUser { handle: handle.parse().unwrap(), display_name: None, role: PlatformRole::User };
        registry.commit(&operator, |context| users::add(context, &user)).unwrap();
    }
    registry
}

/// A registry with `hello` of ann's in `global`.
fn with_skill() -> Registry {
    let registry = with_users();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("SKILL.md", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"---\nname: hello\ndescription: Greets people.\n---\n\nSay hello.\n").unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let limits = Limits::default();
    let package = Package::from_zip(
        &bytes,
        &ReadOptions {
            source_name: None,
            strictness: Strictness::Strict,
            limits: &limits,
            allowed_files: &[],
        },
    );
    let incoming = PublishInput {
        package: &package.unwrap(),
        namespace: None,
        requested_name: None,
        on_namespace_conflict: NamespaceConflict::Refuse,
        version: None,
        changelog: String::new(),
        tags: Vec::new(),
        source_published_at: None,
        attestation: None,
        wait_level: None,
        source: None,
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.publish(&acting_as("ann"), incoming, PublishMode::Commit).unwrap();
    registry
}

#[track_caller]
fn assert_expired<T: std::fmt::Debug>(result: Result<T, CommitError>) {
    match result {
        Err(CommitError::Op(OpError::Conflict(why))) => assert!(why.contains("expired"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn offer_accepted_after_thirty_days_is_refused() {
    let registry = with_skill();
    let coordinate: Coordinate = "hello".parse().unwrap();
    let made = Timestamp::now();
    let later = |seconds: u64| made.plus(Duration::from_secs(seconds));
    let input = MakeOffer { coordinate: coordinate.clone(), to: "bob".parse().unwrap(), message: None };
    let offer = registry.commit(&acting_as("ann"), |context| {
        transfers::offer(CommitContext { now: made, ..context }, &input)
    });
    let days = 30 * 86_400;
    assert_eq!(offer.unwrap().reply.expires_at, later(days));
    let quotas = registry::quotas::Quotas::UNLIMITED;
    let accepted = AcceptOffer { coordinate: coordinate.clone(), quotas };
    let accept = |now: Timestamp| {
        registry.commit(&acting_as("bob"), |context| {
            transfers::accept(CommitContext { now, ..context }, &accepted)
        })
    };
    assert_expired(accept(later(days)));
    accept(later(days - 1)).unwrap();
    let author = registry.read(|catalog| catalog.public.skill(&coordinate).unwrap().author.to_string());
    assert_eq!(author, "bob");
}

#[test]
fn invitation_accepted_after_thirty_days_is_refused() {
    let registry = with_users();
    let team: Namespace = "team".parse().unwrap();
    let create = CreateNamespace {
        slug: team.clone(),
        display_name: None,
        description: String::new(),
        review_required: false,
        creation: NamespaceCreation::Open,
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.commit(&acting_as("ann"), |context| namespaces::create(context, &create)).unwrap();
    let invite = Invite { namespace: team.clone(), handle: "bob".parse().unwrap() };
    let made = Timestamp::now();
    let later = |seconds: u64| made.plus(Duration::from_secs(seconds));
    let send = |now: Timestamp| {
        registry
            .commit(&acting_as("ann"), |context| {
                invitations::invite(CommitContext { now, ..context }, &invite)
            })
            .unwrap()
            .reply
            .expires_at
    };
    let quotas = registry::quotas::Quotas::UNLIMITED;
    let accepted = AcceptInvitation { invite: invite.clone(), quotas };
    let accept = |now: Timestamp| {
        registry.commit(&acting_as("bob"), |context| {
            invitations::accept(CommitContext { now, ..context }, &accepted)
        })
    };
    let days = 30 * 86_400;
    assert_eq!(send(made), later(days));
    assert_expired(accept(later(days)));
    // Another invitation begins a new time.
    assert_eq!(send(later(days)), later(2 * days));
    accept(later(2 * days - 1)).unwrap();
    let role = registry.read(|catalog| catalog.role(&team, &invite.handle));
    assert_eq!(role, Some(MemberRole::Owner));
}

/// A clock that was a year ahead for one write: later rows have its time, but nothing waits for a year to expire.
#[test]
fn expiry_is_compared_with_the_clock_and_not_with_the_last_row() {
    let journal = MemoryJournal::new();
    let registry = with_users_in(&journal);
    let rows = journal.since(0, 100).unwrap();
    let last = rows.last().unwrap();
    let mut private: serde_json::Value = serde_json::from_str(&last.private).unwrap();
    private["changes"] = serde_json::json!([]);
    let ahead = Timestamp::now().plus(Duration::from_secs(365 * 86_400));
    let row = Row { revision: last.revision + 1, at: ahead, private: private.to_string(), public: None };
    journal.append(&row).unwrap();
    registry.catch_up().unwrap();
    let soon = Timestamp::now().plus(Duration::from_secs(3600));
    let secret = Secret::generate().unwrap();
    let input = IssueToken {
        handle: None,
        name: "soon".into(),
        scopes: None,
        expires_at: Some(soon),
        digest: secret.digest(),
        prefix: secret.prefix(),
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.commit(&acting_as("ann"), |context| tokens::issue(context, &input)).unwrap();
    assert!(journal.since(row.revision, 1).unwrap()[0].at >= ahead, "the time of rows never goes back");
    let past = IssueToken { name: "past".into(), expires_at: Some(Timestamp::now()), ..input };
    let refused = registry.commit(&acting_as("ann"), |context| tokens::issue(context, &past));
    assert!(matches!(refused, Err(CommitError::Op(OpError::Invalid { .. }))), "{refused:?}");
    // The token is accepted for writes, too.
    let caller = Caller { credential: Credential::Token(secret.digest()), request: None };
    let team = CreateNamespace {
        slug: "team".parse().unwrap(),
        display_name: None,
        description: String::new(),
        review_required: false,
        creation: NamespaceCreation::Open,
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.commit(&caller, |context| namespaces::create(context, &team)).unwrap();
    let invite = Invite { namespace: team.slug, handle: "bob".parse().unwrap() };
    let invited =
        registry.commit(&acting_as("ann"), |context| invitations::invite(context, &invite)).unwrap().reply;
    assert!(invited.expires_at < ahead, "an invitation ends in thirty days: {}", invited.expires_at);
}
