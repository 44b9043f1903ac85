//! The private catalog: accounts, tokens, members, reviews, stars and offers.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Audit, Decided, DecodedPrivate, Identities, IdentityLink, Invitation, Invitations, MemberRole, Offer,
    Offers, PlatformRole, PrivateChange, Publisher, Publishers, Review, ReviewKind, ReviewStatus, Reviews,
    StarsAndRatings, Takedowns, Token,
};
use crate::journal::Revision;
use crate::names::{Digest, Handle, Namespace};
use crate::public::{Id, Person, VerdictEntry};
use crate::time::Timestamp;

/// An account.
#[derive(Debug, Clone)]
pub struct User {
    /// The handle.
    pub handle: Handle,
    /// The display name.
    pub display_name: String,
    /// The role in the whole registry.
    pub role: PlatformRole,
    /// Whether the account is disabled.
    pub disabled: bool,
    /// The time of its creation.
    pub created_at: Timestamp,
}

impl User {
    /// How the public sees the user.
    pub fn person(&self) -> Person {
        Person { handle: self.handle.clone(), display_name: self.display_name.clone() }
    }
}

/// The membership of a user in a namespace.
#[derive(Debug, Clone, Copy)]
pub struct Membership {
    /// The role.
    pub role: MemberRole,
    /// The time when the user became a member.
    pub created_at: Timestamp,
}

/// The state after a prefix of the private rows. Only [`PrivateCatalog::apply`]
/// changes it.
#[derive(Default)]
pub struct PrivateCatalog {
    users: BTreeMap<Handle, User>,
    tokens: HashMap<Digest, Token>,
    token_digests: HashMap<Id, Digest>,
    tokens_of: HashMap<Handle, Vec<Id>>,
    members: HashMap<Namespace, BTreeMap<Handle, Membership>>,
    namespaces_of: HashMap<Handle, std::collections::BTreeSet<Namespace>>,
    private_namespaces: BTreeMap<Namespace, Handle>,
    /// All reviews.
    pub reviews: Reviews,
    /// Stars and ratings.
    pub stars_and_ratings: StarsAndRatings,
    /// What somebody above its author has taken down.
    pub takedowns: Takedowns,
    /// The skills that are offered to another author.
    pub offers: Offers,
    /// The people who are invited to own a namespace.
    pub invitations: Invitations,
    /// The jobs that may publish.
    pub publishers: Publishers,
    /// The accounts elsewhere that people sign in with.
    pub identities: Identities,
}

impl PrivateCatalog {
    /// Applies the private half of the next row.
    pub fn apply(&mut self, revision: Revision, at: Timestamp, row: DecodedPrivate) {
        for change in row.changes {
            self.apply_change(revision, at, &row.audit, change);
        }
    }

    fn apply_change(&mut self, revision: Revision, at: Timestamp, by: &Audit, change: PrivateChange) {
        match change {
            PrivateChange::UserAdded { handle, display_name, role } => {
                let user =
                    User { handle: handle.clone(), display_name, role, disabled: false, created_at: at };
                self.users.insert(handle, user);
            }
            PrivateChange::UserDisabled { handle } => self.set_disabled(&handle, true),
            PrivateChange::UserEnabled { handle } => self.set_disabled(&handle, false),
            PrivateChange::TokenIssued(issued) => {
                let mut token =
                    Token { id: Id(revision), created_at: at, issued, parent: None, session: None };
                self.inherit(&mut token, by);
                self.add_token(token);
            }
            PrivateChange::TokenRevoked { id } => self.revoke(id),
            PrivateChange::MemberAdded { namespace, handle, role } => {
                let membership = Membership { role, created_at: at };
                self.namespaces_of.entry(handle.clone()).or_default().insert(namespace.clone());
                self.members.entry(namespace).or_default().insert(handle, membership);
            }
            PrivateChange::MemberRoleSet { namespace, handle, role } => {
                let members = self.members.get_mut(&namespace);
                if let Some(membership) = members.and_then(|members| members.get_mut(&handle)) {
                    membership.role = role;
                }
            }
            PrivateChange::MemberRemoved { namespace, handle } => {
                self.members.entry(namespace.clone()).or_default().remove(&handle);
                self.namespaces_of.entry(handle).or_default().remove(&namespace);
            }
            PrivateChange::DisplayNameSet { handle, display_name } => {
                if let Some(user) = self.users.get_mut(&handle) {
                    user.display_name = display_name;
                }
            }
            PrivateChange::PasswordChanged { handle } => self.end_sessions(&handle, by),
            PrivateChange::Submitted(submission) => {
                let review = Review::new(Id(revision), at, ReviewKind::Publish, submission.published);
                self.reviews.open(review);
            }
            PrivateChange::PromotionRequested(promotion) => {
                self.reviews.open(Review::of_promotion(Id(revision), at, *promotion));
            }
            PrivateChange::SubmissionScanned { review, verdict } => {
                self.reviews.judge(review, VerdictEntry { summary: verdict.summary(), at, revision });
            }
            PrivateChange::SubmissionWithdrawn { review } => {
                self.reviews.close(review, ReviewStatus::Withdrawn, at)
            }
            PrivateChange::ReviewDecided { review, verdict, by, comment } => {
                self.reviews.decide(review, verdict, Decided { by, at }, comment);
            }
            PrivateChange::Starred { skill, handle } => {
                self.stars_and_ratings.star(revision, at, skill, handle)
            }
            PrivateChange::Unstarred { skill, handle } => self.stars_and_ratings.unstar(skill, &handle),
            PrivateChange::Unrated { skill, handle } => self.stars_and_ratings.unrate(skill, &handle),
            PrivateChange::Rated { skill, handle, score } => {
                self.stars_and_ratings.rate(skill, handle, score)
            }
            PrivateChange::TakenDown { takedown, by } => self.takedowns.add(takedown, by),
            PrivateChange::TakedownLifted(takedown) => self.takedowns.lift(takedown),
            PrivateChange::AuthorOffered { skill, from, to, message, expires_at } => {
                let id = Id(revision);
                self.offers.make(Offer { id, skill, from, to, message, created_at: at, expires_at });
            }
            PrivateChange::AuthorOfferEnded { skill } => self.offers.end(skill),
            PrivateChange::OwnerInvited { namespace, from, to, expires_at } => {
                let id = Id(revision);
                self.invitations.make(Invitation { id, namespace, from, to, created_at: at, expires_at });
            }
            PrivateChange::OwnerInvitationEnded { namespace, handle } => {
                self.invitations.end(namespace, handle)
            }
            PrivateChange::PublisherAdded { terms, by } => {
                let publisher = Publisher { id: Id(revision), terms: *terms, added_by: by, created_at: at };
                self.publishers.add(publisher);
            }
            PrivateChange::PublisherRemoved { publisher } => self.publishers.remove(publisher),
            // For the audit.
            PrivateChange::PublishedByJob { .. } => {}
            PrivateChange::PrivateNamespaceCreated { namespace, owner } => {
                self.private_namespaces.insert(namespace, owner);
            }
            PrivateChange::PlatformRoleSet { handle, role } => {
                if let Some(user) = self.users.get_mut(&handle) {
                    user.role = role;
                }
            }
            PrivateChange::IdentityLinked { identity, handle } => {
                self.identities.link(IdentityLink { id: Id(revision), identity, handle, created_at: at });
            }
            PrivateChange::IdentityUnlinked { identity, .. } => self.identities.unlink(&identity),
        }
    }

    fn set_disabled(&mut self, handle: &Handle, disabled: bool) {
        if let Some(user) = self.users.get_mut(handle) {
            user.disabled = disabled;
        }
    }

    /// Binds a token to the credential of its owner that it was made with.
    fn inherit(&self, token: &mut Token, by: &Audit) {
        if by.actor.as_ref() != Some(&token.issued.handle) {
            return;
        }
        token.session.clone_from(&by.session);
        if let Some(parent) = by.credential.and_then(|id| self.token_by_id(id)) {
            token.parent = Some(parent.id);
            token.session.clone_from(&parent.session);
            let ends = token.issued.expires_at.into_iter().chain(parent.issued.expires_at);
            token.issued.expires_at = ends.min();
        }
    }

    fn add_token(&mut self, token: Token) {
        self.token_digests.insert(token.id, token.issued.digest);
        self.tokens_of.entry(token.issued.handle.clone()).or_default().push(token.id);
        self.tokens.insert(token.issued.digest, token);
    }

    /// Removes the tokens that a user made in sessions, except in the one of `by`. A token
    /// that `by` names is no longer bound to its session: its owner knew the password.
    fn end_sessions(&mut self, handle: &Handle, by: &Audit) {
        if let Some(used) = by.credential {
            let family: Vec<Id> = self.with_descendants(used).collect();
            for id in family {
                let digest = self.token_digests.get(&id);
                let Some(token) = digest.and_then(|digest| self.tokens.get_mut(digest)) else { continue };
                if token.session.take().is_some() && id == used {
                    token.parent = None;
                }
            }
        }
        let ended = |token: &&Token| token.session.is_some() && token.session != by.session;
        let ended: Vec<Id> = self.tokens_of(handle).filter(ended).map(|token| token.id).collect();
        ended.into_iter().for_each(|id| self.revoke(id));
    }

    /// Removes a token and its descendants.
    fn revoke(&mut self, id: Id) {
        let Some(handle) = self.token_by_id(id).map(|token| token.issued.handle.clone()) else { return };
        let revoked: HashSet<Id> = self.with_descendants(id).collect();
        for id in &revoked {
            self.token_digests.remove(id).and_then(|digest| self.tokens.remove(&digest));
        }
        if let Some(ids) = self.tokens_of.get_mut(&handle) {
            ids.retain(|id| !revoked.contains(id));
        }
    }

    /// The token with this id and those made with it, directly or not.
    pub fn with_descendants(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut family = HashSet::from([id]);
        let handle = self.token_by_id(id).map(|token| &token.issued.handle);
        // A child has a greater id than its parent, so one pass in order finds all.
        for token in handle.into_iter().flat_map(|handle| self.tokens_of(handle)) {
            if token.parent.is_some_and(|parent| family.contains(&parent)) {
                family.insert(token.id);
            }
        }
        family.into_iter()
    }

    /// The account with this handle.
    pub fn user(&self, handle: &Handle) -> Option<&User> {
        self.users.get(handle)
    }

    /// All accounts by handle.
    pub fn users(&self) -> impl ExactSizeIterator<Item = &User> {
        self.users.values()
    }

    /// The token with this digest, unless it was revoked.
    pub fn token(&self, digest: &Digest) -> Option<&Token> {
        self.tokens.get(digest)
    }

    /// The token with this id, unless it was revoked.
    pub fn token_by_id(&self, id: Id) -> Option<&Token> {
        self.token_digests.get(&id).and_then(|digest| self.tokens.get(digest))
    }

    /// The tokens of a user, oldest first.
    pub fn tokens_of(&self, handle: &Handle) -> impl Iterator<Item = &Token> {
        self.tokens_of.get(handle).into_iter().flatten().filter_map(|id| self.token_by_id(*id))
    }

    /// The membership of a user in a namespace.
    pub fn membership(&self, namespace: &Namespace, handle: &Handle) -> Option<Membership> {
        self.members.get(namespace).and_then(|members| members.get(handle)).copied()
    }

    /// The members of a namespace, by handle.
    pub fn members(&self, namespace: &Namespace) -> impl Iterator<Item = (&Handle, &Membership)> {
        self.members.get(namespace).into_iter().flatten()
    }

    /// The private namespaces and the first owner of each.
    pub fn private_namespaces(&self) -> impl ExactSizeIterator<Item = (&Namespace, &Handle)> {
        self.private_namespaces.iter()
    }

    /// The first owner of a private namespace. None if there is no such namespace.
    pub fn first_owner_of_private(&self, namespace: &Namespace) -> Option<&Handle> {
        self.private_namespaces.get(namespace)
    }

    /// The namespaces of a user, by name.
    pub fn namespaces_of(&self, handle: &Handle) -> impl Iterator<Item = &Namespace> {
        self.namespaces_of.get(handle).into_iter().flatten()
    }
}
