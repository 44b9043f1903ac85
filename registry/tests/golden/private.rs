//! The private halves of rows.

use registry::api::private::PublisherTerms;
use registry::journal::Row;
use registry::names::Digest;
use registry::private::{
    Audit, Authority, DecodedPrivate, Identity, IssuedToken, MemberRole, PlatformRole, PrivateChange,
    Promotion, Scope, Scopes, Score, Submission, Takedown, Verdict, decode, encode,
};
use registry::public::{Id, Published};

use super::{REVISION, at, built, followed, golden, job, published, scan, stored};

fn private(name: &str, change: PrivateChange) {
    let audit = Audit {
        actor: Some("ann".parse().unwrap()),
        credential: Some(Id(7)),
        session: None,
        request: Some("abcdefgh".into()),
    };
    private_by(audit, name, change);
}

/// A row of an old schema number, which is only read.
fn private_before(name: &str, change: PrivateChange) {
    let row = Row { revision: REVISION, at: at(), private: stored(name), public: None };
    assert_eq!(decode(&row).unwrap().changes, [change]);
}

pub fn with_body_words(published: Published) -> Published {
    Published { body_words: vec!["greeting".into(), "größe".into()], ..published }
}

fn without_headings() -> Published {
    Published { headings: Vec::new(), ..published().0 }
}

fn private_by(audit: Audit, name: &str, change: PrivateChange) {
    let changes = vec![change];
    let json = encode(&audit, &changes).unwrap();
    golden(name, &json);
    let row = Row { revision: REVISION, at: at(), private: json, public: None };
    assert_eq!(decode(&row).unwrap(), DecodedPrivate { audit, changes });
}

#[test]
fn private_rows_match_the_golden_files() {
    let (namespace, handle) = ("team".parse().unwrap(), "ann".parse().unwrap());
    private(
        "private-user_added-v1",
        PrivateChange::UserAdded { handle, display_name: "Ann".into(), role: PlatformRole::Moderator },
    );
    let handle = || "ann".parse().unwrap();
    private("private-user_disabled-v1", PrivateChange::UserDisabled { handle: handle() });
    private("private-user_enabled-v1", PrivateChange::UserEnabled { handle: handle() });
    private(
        "private-token_issued-v1",
        PrivateChange::TokenIssued(IssuedToken {
            handle: handle(),
            name: "laptop".into(),
            prefix: serde_json::from_str("\"smt_abcdef\"").unwrap(),
            digest: Digest::of(b"token"),
            scopes: Scopes::from(vec![Scope::Publish, Scope::Read]),
            expires_at: Some(at()),
        }),
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
    let submitted = |published| {
        let contents = contents.clone();
        PrivateChange::Submitted(Box::new(Submission { published, contents }))
    };
    private_before("private-submitted-v1", submitted(without_headings()));
    private("private-submitted-v2", submitted(published.clone()));
    private("private-submitted-v2-with_body_words", submitted(with_body_words(published)));
    private("private-submitted-v3", submitted(built().0));
    let verdict = Box::new(scan());
    private("private-submission_scanned-v1", PrivateChange::SubmissionScanned { review: Id(12), verdict });
    private("private-submitted-v3-from_source", submitted(followed().0));
    private("private-submission_withdrawn-v1", PrivateChange::SubmissionWithdrawn { review: Id(12) });
}

#[test]
fn private_rows_about_skills_and_accounts_match_the_golden_files() {
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
    let promotion = |published| {
        let (requested_by, comment) = (handle(), Some("For all.".into()));
        let of = Promotion { source_skill: skill, source_revision: 31, requested_by, comment, published };
        PrivateChange::PromotionRequested(Box::new(of))
    };
    private_before("private-promotion_requested-v1", promotion(without_headings()));
    private("private-promotion_requested-v2", promotion(published().0));
    private("private-promotion_requested-v3", promotion(built().0));
    let comment = Some("Well done.".into());
    let decided = PrivateChange::ReviewDecided { review, verdict: Verdict::Approved, by: handle(), comment };
    private("private-review_decided-v1", decided);
    let (from, to, expires_at) = (handle(), "bob".parse().unwrap(), at());
    let offered = PrivateChange::AuthorOffered { skill, from, to, message: None, expires_at };
    private("private-author_offered-v1", offered);
    let (from, to, expires_at) = (handle(), "bob".parse().unwrap(), at());
    let message = Some("It is yours.".into());
    let offered = PrivateChange::AuthorOffered { skill, from, to, message, expires_at };
    private("private-author_offered-v1-with_message", offered);
    let rejected =
        PrivateChange::ReviewDecided { review, verdict: Verdict::Rejected, by: handle(), comment: None };
    private("private-review_decided-v1-rejected", rejected);
    private("private-unrated-v1", PrivateChange::Unrated { skill, handle: handle() });
    let takedown = |version| Takedown { skill, version };
    let (version, by) = (takedown(Some(Id(31))), Authority::Staff);
    private_before("private-taken_down-v1", PrivateChange::TakenDown { takedown: version, by });
    private_before("private-taken_down-v1-skill", PrivateChange::TakenDown { takedown: takedown(None), by });
    private("private-taken_down-v2", PrivateChange::TakenDown { takedown: version, by });
    let by = Authority::Namespace;
    private("private-taken_down-v2-skill", PrivateChange::TakenDown { takedown: takedown(None), by });
    private("private-takedown_lifted-v1", PrivateChange::TakedownLifted(takedown(Some(Id(31)))));
    private("private-author_offer_ended-v1", PrivateChange::AuthorOfferEnded { skill });
    let namespace = || "acme".parse().unwrap();
    let (from, to, expires_at) = (handle(), "bob".parse().unwrap(), at());
    let invited = PrivateChange::OwnerInvited { namespace: namespace(), from, to, expires_at };
    private("private-owner_invited-v1", invited);
    let ended = PrivateChange::OwnerInvitationEnded { namespace: namespace(), handle: handle() };
    private("private-owner_invitation_ended-v1", ended);
    let terms = PublisherTerms {
        namespace: namespace(),
        slug: Some("hello".parse().unwrap()),
        issuer: "https://gitlab.example.org".into(),
        repository: "acme/skills".into(),
        owner_id: "77".into(),
        workflow: ".gitlab-ci.yml".into(),
        environment: Some("release".into()),
        show_private: true,
    };
    let added = PrivateChange::PublisherAdded { terms: Box::new(terms), by: handle() };
    private("private-publisher_added-v1", added);
    private("private-publisher_removed-v1", PrivateChange::PublisherRemoved { publisher: Id(12) });
    let by_job = PrivateChange::PublishedByJob { publisher: Id(12), job: Box::new(job()) };
    private("private-published_by_job-v1", by_job);
    let created = PrivateChange::PrivateNamespaceCreated { namespace: namespace(), owner: handle() };
    private("private-private_namespace_created-v1", created);
}

#[test]
fn sign_ins() {
    let identity = || Identity { issuer: "https://login.example.org".into(), subject: "248289".into() };
    let handle = || "bob".parse().unwrap();
    private(
        "private-identity_linked-v1",
        PrivateChange::IdentityLinked { identity: identity(), handle: handle() },
    );
    private(
        "private-identity_unlinked-v1",
        PrivateChange::IdentityUnlinked { identity: identity(), handle: handle() },
    );
    let role = PlatformRole::Admin;
    private("private-platform_role_set-v1", PrivateChange::PlatformRoleSet { handle: handle(), role });
}
