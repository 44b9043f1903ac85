//! Makes the records of [`crate::api::private`] of the catalog.

use std::borrow::Cow;

use super::{Invitation, Membership, Offer, Review, Submission, Token, User};
use crate::api::private::{
    Account, InvitationRecord, Member, OwnNamespace, ReviewDetail, ReviewRecord, ReviewTag, TokenRecord,
    TransferRecord, Unanswered, UserRecord, Whoami,
};
use crate::api::public::{ScanFinding, VerdictRecord};
use crate::catalog::Catalog;
use crate::package::Finding;
use crate::public::{Contents, OWN_SCANNER, Published, ScanVerdict};
use crate::time::Timestamp;

impl From<&User> for Whoami {
    fn from(user: &User) -> Self {
        Self { handle: user.handle.clone(), display_name: user.display_name.clone(), role: user.role }
    }
}

impl From<&User> for UserRecord {
    fn from(user: &User) -> Self {
        Self { whoami: Whoami::from(user), disabled: user.disabled, created_at: user.created_at }
    }
}

impl Account {
    /// The record of an account and the token in use, without private namespaces.
    pub fn new(user: &User, namespaces: Vec<OwnNamespace>, token: Option<TokenRecord>) -> Self {
        let private_namespaces = Vec::new();
        Self { id: user.handle.clone(), whoami: user.into(), namespaces, private_namespaces, token }
    }
}

impl TokenRecord {
    /// The record of a token. The time of its last use is not in the catalog.
    pub fn new(token: &Token, last_used_at: Option<Timestamp>) -> Self {
        Self {
            id: token.id,
            name: token.issued.name.clone(),
            prefix: token.issued.prefix.clone(),
            scopes: token.issued.scopes.clone(),
            created_at: token.created_at,
            expires_at: token.issued.expires_at,
            last_used_at,
        }
    }
}

impl Member {
    /// The record of a member.
    pub fn new(user: &User, membership: Membership) -> Self {
        Self {
            user_id: user.handle.clone(),
            handle: user.handle.clone(),
            display_name: user.display_name.clone(),
            role: membership.role,
            created_at: membership.created_at,
        }
    }
}

impl InvitationRecord {
    /// The record of an invitation.
    pub fn new(catalog: Catalog<'_>, invitation: &Invitation) -> Self {
        Self {
            id: invitation.id,
            namespace: invitation.namespace.clone(),
            from: catalog.person(&invitation.from),
            to: catalog.person(&invitation.to),
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
        }
    }
}

impl TransferRecord {
    /// The record of an offer, or None while its skill is removed.
    pub fn new(catalog: Catalog<'_>, offer: &Offer) -> Option<Self> {
        let coordinate = &catalog.public.skill_by_id(offer.skill)?.coordinate;
        Some(Self {
            id: offer.id,
            namespace: coordinate.namespace.clone(),
            slug: coordinate.slug.clone(),
            from: catalog.person(&offer.from),
            to: catalog.person(&offer.to),
            message: offer.message.clone(),
            created_at: offer.created_at,
            expires_at: offer.expires_at,
        })
    }
}

impl<'a> ReviewRecord<'a> {
    /// The record of a review. `skillId` of a promotion is the id of its source.
    pub fn new(catalog: Catalog<'a>, review: &'a Review) -> Self {
        let (source_skill, source) = review.source.as_ref().map(|(id, origin)| (*id, origin)).unzip();
        Self {
            id: review.id,
            kind: review.kind,
            status: review.status,
            namespace: Cow::Borrowed(&review.coordinate.namespace),
            slug: Cow::Borrowed(&review.coordinate.slug),
            version: Cow::Borrowed(&review.version),
            skill_id: source_skill.unwrap_or(review.skill_id),
            sha256: review.sha256,
            source: source.map(Cow::Borrowed),
            submitted_by: catalog.person(&review.submitted_by),
            submitted_at: review.submitted_at,
            decided_by: review.decided.as_ref().map(|decided| catalog.person(&decided.by)),
            decided_at: review.decided.as_ref().map(|decided| decided.at),
            comment: review.comment.as_deref().map(Cow::Borrowed),
            disabled_accounts: catalog.disabled_accounts(review).into_iter().map(Cow::Borrowed).collect(),
            verdicts: review.verdicts.iter().map(VerdictRecord::from).collect(),
        }
    }
}

impl<'a> ReviewDetail<'a> {
    /// The record of a review and of its submission, with all warnings.
    ///
    /// `scans` are what scanners said, and `unanswered` those that did not.
    pub fn new(
        catalog: Catalog<'a>,
        review: &'a Review,
        submission: &'a Submission,
        scans: &[ScanVerdict],
        unanswered: Vec<Unanswered>,
    ) -> Self {
        let Submission { published: Published { changelog, tags, provenance, .. }, contents } = submission;
        let skill = catalog.public.skill(&review.coordinate);
        let current = |name| skill.and_then(|skill| skill.tags.get(name)).map(|tag| tag.version.clone());
        let tag = |name| ReviewTag { name: Cow::Borrowed(name), current_version: current(name) };
        let Contents { metadata, warnings, files, .. } = contents;
        let of_scan = |scanner: &str, finding: &Finding| ScanFinding {
            scanner: scanner.into(),
            finding: finding.clone(),
        };
        let own = contents.findings_of(OWN_SCANNER).map(|finding| of_scan(OWN_SCANNER, finding));
        let scans = scans.iter().chain(&contents.scans);
        let findings = own.chain(
            scans.flat_map(|scan| scan.findings.iter().map(|finding| of_scan(&scan.scanner, finding))),
        );
        let source = review.source.as_ref().and_then(|(id, _)| catalog.public.name_of(*id));
        let looks_like = catalog.look_alikes(&review.coordinate, source);
        Self {
            review: ReviewRecord::new(catalog, review),
            changelog: changelog.into(),
            provenance: provenance.as_deref().map(Cow::Borrowed),
            tags: tags.iter().map(tag).collect(),
            files: files.into(),
            metadata: Cow::Borrowed(metadata),
            warnings: warnings.into(),
            findings: findings.collect(),
            unanswered,
            looks_like,
        }
    }
}
