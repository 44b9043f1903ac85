//! Rows of every schema number ever written are kept in `registry/golden` and
//! must be read for ever. A change of a shape needs a new number: then the file
//! of the old one stays, and a new one is added here.
//!
//! `UPDATE_GOLDEN=1` writes missing files; it never replaces one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

use std::path::PathBuf;

use registry::journal::{PublicRow, Row};
use registry::names::Digest;
use registry::package::{FileRecord, Finding, Fingerprints};
use registry::private::{
    self, Audit, DecodedPrivate, MemberRole, PlatformRole, PrivateChange, Promotion, Scope, Scopes, Score,
    Submission, Verdict,
};
use registry::public::{
    self, AuthorChanged, Contents, DecodedRow, Id, NamespaceKind, NamespaceState, NamespaceStatus, Origin,
    Person, PublicChange, PublicRecord, Published, SkillName, TagRemoved, TagSet, Unyanked, Yanked,
};
use registry::time::Timestamp;

const REVISION: u64 = 41;

fn at() -> Timestamp {
    "2026-01-31T12:00:00Z".parse().unwrap()
}

fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.json"))
}

fn golden(name: &str, json: &str) {
    let path = kept(name);
    if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, format!("{json}\n")).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    assert_eq!(
        json,
        kept.trim_end(),
        "{name} is written otherwise than before: it needs a new schema number"
    );
}

fn public(name: &str, record: &PublicRecord, change: &PublicChange) {
    let json = public::encode(REVISION, at(), record).unwrap();
    golden(name, &json);
    let row = PublicRow { revision: REVISION, json };
    let decoded = DecodedRow::decode(&row).unwrap();
    assert_eq!(decoded, DecodedRow { revision: REVISION, at: at(), change: change.clone() });
}

fn named(name: &str, change: PublicChange) {
    let record = match change.clone() {
        PublicChange::Yanked(body) => body.into(),
        PublicChange::Unyanked(body) => body.into(),
        PublicChange::TagSet(body) => body.into(),
        PublicChange::TagRemoved(body) => body.into(),
        PublicChange::SkillRemoved(body) => PublicRecord::skill_removed(body),
        PublicChange::SkillRestored(body) => PublicRecord::skill_restored(body),
        PublicChange::AuthorChanged(body) => body.into(),
        PublicChange::PersonRenamed(body) => body.into(),
        PublicChange::NamespaceCreated(body) => PublicRecord::namespace_created(body),
        PublicChange::NamespaceUpdated(body) => PublicRecord::namespace_updated(body),
        PublicChange::Published(_) => unreachable!("it has contents"),
    };
    public(name, &record, &change);
}

fn private(name: &str, change: PrivateChange) {
    let audit = Audit {
        actor: Some("ann".parse().unwrap()),
        credential: Some(Id(7)),
        session: None,
        request: Some("abcdefgh".into()),
    };
    private_by(audit, name, change);
}

fn private_by(audit: Audit, name: &str, change: PrivateChange) {
    let changes = vec![change];
    let json = private::encode(&audit, &changes).unwrap();
    golden(name, &json);
    let row = Row { revision: REVISION, at: at(), private: json, public: None };
    assert_eq!(private::decode(&row).unwrap(), DecodedPrivate { audit, changes });
}

fn namespace() -> NamespaceState {
    NamespaceState {
        slug: "team".parse().unwrap(),
        display_name: "The Team".into(),
        description: "Tools “for all”.".into(),
        kind: NamespaceKind::Team,
        status: NamespaceStatus::Frozen,
        review_required: true,
    }
}

fn published() -> (Published, Contents) {
    let person =
        |handle: &str, name: &str| Person { handle: handle.parse().unwrap(), display_name: name.into() };
    let digest = |text: &str| Digest::of(text.as_bytes());
    let published = Published {
        skill_id: Id(40),
        version_id: Id(41),
        namespace: "team".parse().unwrap(),
        slug: "hello".parse().unwrap(),
        version: "1.2.0-rc.1".parse().unwrap(),
        author: person("ann", "Ann"),
        published_by: person("bob", "Bob É."),
        name: "Hello".into(),
        description: "Says hello.".into(),
        keywords: vec!["greeting".into(), "挨拶".into()],
        license: Some("MIT".into()),
        homepage: Some("https://example.org/hello".into()),
        changelog: "First.\n".into(),
        tags: vec!["beta".parse().unwrap()],
        promoted_from: Some(Origin {
            namespace: "other".parse().unwrap(),
            slug: "hello".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
        }),
        source_published_at: Some("2025-12-24T00:00:00Z".parse().unwrap()),
        file_count: 1,
        unpacked_size: 120,
        package_size: 260,
        sha256: digest("package"),
        content_digest: digest("content"),
        fingerprints: Fingerprints { text: digest("text"), extended: digest("extended"), all: digest("all") },
    };
    let metadata =
        serde_json::json!({ "name": "hello", "description": "Says hello.", "metadata": { "a": [1, null] } });
    let contents = Contents {
        metadata: metadata.as_object().unwrap().clone(),
        warnings: vec![Finding {
            path: Some("SKILL.md".into()),
            line: Some(3),
            code: "front_matter_repaired".into(),
            message: "was repaired".into(),
        }],
        files: vec![FileRecord {
            path: "SKILL.md".into(),
            size: 120,
            sha256: digest("file"),
            content_type: "text/markdown".into(),
            executable: false,
        }],
    };
    (published, contents)
}

#[test]
fn public_rows() {
    let state = namespace();
    public(
        "public-namespace_created-v1",
        &PublicRecord::namespace_created(state.clone()),
        &PublicChange::NamespaceCreated(state.clone()),
    );
    public(
        "public-namespace_updated-v1",
        &PublicRecord::namespace_updated(state.clone()),
        &PublicChange::NamespaceUpdated(state),
    );
    let (facts, contents) = published();
    public(
        "public-published-v1",
        &PublicRecord::published(Box::new(facts.clone()), Box::new(contents.clone())),
        &PublicChange::Published(Box::new(facts)),
    );
    let kept = std::fs::read_to_string(kept("public-published-v1")).unwrap();
    let row = PublicRow { revision: REVISION, json: kept.trim_end().into() };
    assert_eq!(Contents::decode(&row).unwrap(), contents);
}

#[test]
fn public_rows_about_skills_and_people() {
    let skill = || SkillName { namespace: "team".parse().unwrap(), slug: "hello".parse().unwrap() };
    let version = || "1.2.0".parse().unwrap();
    let tag = || "beta".parse().unwrap();
    let person = || Person { handle: "bob".parse().unwrap(), display_name: "Bob É.".into() };
    let reason = Some("It deletes “everything”.".into());
    named("public-yanked-v1", PublicChange::Yanked(Yanked { skill: skill(), version: version(), reason }));
    named("public-unyanked-v1", PublicChange::Unyanked(Unyanked { skill: skill(), version: version() }));
    let set = TagSet { skill: skill(), tag: tag(), version: version(), updated_by: person() };
    named("public-tag_set-v1", PublicChange::TagSet(set));
    named("public-tag_removed-v1", PublicChange::TagRemoved(TagRemoved { skill: skill(), tag: tag() }));
    named("public-skill_removed-v1", PublicChange::SkillRemoved(skill()));
    named("public-skill_restored-v1", PublicChange::SkillRestored(skill()));
    let changed = AuthorChanged { skill: skill(), author: person() };
    named("public-author_changed-v1", PublicChange::AuthorChanged(changed));
    named("public-person_renamed-v1", PublicChange::PersonRenamed(person()));
}

#[test]
fn private_rows() {
    let (namespace, handle) = ("team".parse().unwrap(), "ann".parse().unwrap());
    private(
        "private-user_added-v1",
        PrivateChange::UserAdded { handle, display_name: "Ann".into(), role: PlatformRole::Moderator },
    );
    let handle = || "ann".parse().unwrap();
    private("private-user_disabled-v1", PrivateChange::UserDisabled { handle: handle() });
    private(
        "private-token_issued-v1",
        PrivateChange::TokenIssued {
            handle: handle(),
            name: "laptop".into(),
            prefix: serde_json::from_str("\"smt_abcdef\"").unwrap(),
            digest: Digest::of(b"token"),
            scopes: Scopes::from(vec![Scope::Publish, Scope::Read]),
            expires_at: Some(at()),
        },
    );
    private("private-token_revoked-v1", PrivateChange::TokenRevoked { id: Id(9) });
    let (ns, role) = (namespace, MemberRole::Owner);
    let ns = || registry::names::Namespace::clone(&ns);
    private(
        "private-member_added-v1",
        PrivateChange::MemberAdded { namespace: ns(), handle: handle(), role },
    );
    private(
        "private-member_role_set-v1",
        PrivateChange::MemberRoleSet { namespace: ns(), handle: handle(), role },
    );
    private("private-member_removed-v1", PrivateChange::MemberRemoved { namespace: ns(), handle: handle() });
    let (published, contents) = published();
    private("private-submitted-v1", PrivateChange::Submitted(Box::new(Submission { published, contents })));
    private("private-submission_withdrawn-v1", PrivateChange::SubmissionWithdrawn { review: Id(12) });
}

#[test]
fn private_rows_about_skills_and_accounts() {
    let handle = || registry::names::Handle::clone(&"ann".parse().unwrap());
    let (skill, review) = (Id(30), Id(12));
    let renamed = PrivateChange::DisplayNameSet { handle: handle(), display_name: "Ann O’Nym".into() };
    private("private-display_name_set-v1", renamed);
    let by_session = Audit { actor: Some(handle()), session: Some("k3v9".into()), ..Audit::default() };
    private_by(
        by_session,
        "private-password_changed-v1",
        PrivateChange::PasswordChanged { handle: handle() },
    );
    private("private-starred-v1", PrivateChange::Starred { skill, handle: handle() });
    private("private-unstarred-v1", PrivateChange::Unstarred { skill, handle: handle() });
    let score = Score::try_from(4).unwrap();
    private("private-rated-v1", PrivateChange::Rated { skill, handle: handle(), score });
    let promotion = Promotion {
        source_skill: skill,
        source_revision: 31,
        requested_by: handle(),
        comment: Some("For all.".into()),
        published: published().0,
    };
    private("private-promotion_requested-v1", PrivateChange::PromotionRequested(Box::new(promotion)));
    let comment = Some("Well done.".into());
    let decided = PrivateChange::ReviewDecided { review, verdict: Verdict::Approved, by: handle(), comment };
    private("private-review_decided-v1", decided);
    let (from, to, expires_at) = (handle(), "bob".parse().unwrap(), at());
    let offered = PrivateChange::AuthorOffered { skill, from, to, message: None, expires_at };
    private("private-author_offered-v1", offered);
    private("private-author_offer_ended-v1", PrivateChange::AuthorOfferEnded { skill });
}

#[test]
fn unknown_kinds_and_numbers_name_their_revision() {
    for json in [
        r#"{"revision":41,"at":"2026-01-31T12:00:00Z","kind":"exploded","v":1}"#,
        r#"{"revision":41,"at":"2026-01-31T12:00:00Z","kind":"published","v":2}"#,
        r#"{"revision":40,"at":"2026-01-31T12:00:00Z","kind":"published","v":1}"#,
        r#"{"revision":41"#,
    ] {
        let why = DecodedRow::decode(&PublicRow { revision: 41, json: json.into() }).unwrap_err().to_string();
        assert!(why.contains("revision 41"), "{why}");
    }
    for changes in [r#"[{"v":2,"kind":"user_disabled","handle":"ann"}]"#, r#"[{"v":1,"kind":"exploded"}]"#] {
        let private = format!(r#"{{"actor":null,"credential":null,"request":null,"changes":{changes}}}"#);
        let row = Row { revision: 41, at: at(), private, public: None };
        assert!(private::decode(&row).unwrap_err().to_string().contains("revision 41"));
    }
}
