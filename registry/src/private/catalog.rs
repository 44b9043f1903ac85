//! The private catalog: accounts, tokens, members, reviews, stars and offers.

use std::collections::{BTreeMap, HashMap};

use super::{
    Decided, DecodedPrivate, MemberRole, Offer, Offers, PlatformRole, PrivateChange, Review, ReviewKind,
    ReviewStatus, Reviews, Social, Token,
};
use crate::journal::Revision;
use crate::names::{Digest, Handle, Namespace};
use crate::public::{Id, Person};
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
    /// All reviews.
    pub reviews: Reviews,
    /// Stars and ratings.
    pub social: Social,
    /// The skills that are offered to another author.
    pub offers: Offers,
}

impl PrivateCatalog {
    /// Applies the private half of the next row.
    pub fn apply(&mut self, revision: Revision, at: Timestamp, row: DecodedPrivate) {
        for change in row.changes {
            self.apply_change(revision, at, change);
        }
    }

    fn apply_change(&mut self, revision: Revision, at: Timestamp, change: PrivateChange) {
        match change {
            PrivateChange::UserAdded { handle, display_name, role } => {
                let user =
                    User { handle: handle.clone(), display_name, role, disabled: false, created_at: at };
                self.users.insert(handle, user);
            }
            PrivateChange::UserDisabled { handle } => {
                if let Some(user) = self.users.get_mut(&handle) {
                    user.disabled = true;
                }
            }
            PrivateChange::TokenIssued { handle, name, prefix, digest, scopes, expires_at } => {
                let id = Id(revision);
                self.token_digests.insert(id, digest);
                self.tokens_of.entry(handle.clone()).or_default().push(id);
                let token = Token { id, handle, name, prefix, digest, scopes, created_at: at, expires_at };
                self.tokens.insert(digest, token);
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
            PrivateChange::PasswordChanged { .. } => {}
            PrivateChange::Submitted(submission) => {
                let review = Review::new(Id(revision), at, ReviewKind::Publish, submission.published);
                self.reviews.open(review);
            }
            PrivateChange::PromotionRequested(promotion) => {
                self.reviews.open(Review::of_promotion(Id(revision), at, *promotion));
            }
            PrivateChange::SubmissionWithdrawn { review } => {
                self.reviews.close(review, ReviewStatus::Withdrawn)
            }
            PrivateChange::ReviewDecided { review, verdict, by, comment } => {
                self.reviews.decide(review, verdict, Decided { by, at }, comment);
            }
            PrivateChange::Starred { skill, handle } => self.social.star(revision, at, skill, handle),
            PrivateChange::Unstarred { skill, handle } => self.social.unstar(skill, &handle),
            PrivateChange::Unrated { skill, handle } => self.social.unrate(skill, &handle),
            PrivateChange::Rated { skill, handle, score } => self.social.rate(skill, handle, score),
            PrivateChange::AuthorOffered { skill, from, to, message, expires_at } => {
                let id = Id(revision);
                self.offers.make(Offer { id, skill, from, to, message, created_at: at, expires_at });
            }
            PrivateChange::AuthorOfferEnded { skill } => self.offers.end(skill),
        }
    }

    fn revoke(&mut self, id: Id) {
        let token = self.token_digests.remove(&id).and_then(|digest| self.tokens.remove(&digest));
        if let Some(ids) = token.and_then(|token| self.tokens_of.get_mut(&token.handle)) {
            ids.retain(|other| *other != id);
        }
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

    /// The namespaces of a user, by name.
    pub fn namespaces_of(&self, handle: &Handle) -> impl Iterator<Item = &Namespace> {
        self.namespaces_of.get(handle).into_iter().flatten()
    }
}
