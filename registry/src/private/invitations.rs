//! Invitations to own a namespace.

use std::collections::BTreeMap;

use crate::names::{Handle, Namespace};
use crate::public::Id;
use crate::time::Timestamp;

/// An open invitation to become an owner of a namespace.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The id: the revision of the row that created it.
    pub id: Id,
    /// The namespace.
    pub namespace: Namespace,
    /// The person who invited.
    pub from: Handle,
    /// The person who may accept it.
    pub to: Handle,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The end of the time in which it can be accepted.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// Whether it has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

/// All open invitations, at most one for each namespace and person.
#[derive(Default)]
pub struct Invitations(BTreeMap<(Namespace, Handle), Invitation>);

impl Invitations {
    pub(super) fn make(&mut self, invitation: Invitation) {
        self.0.insert((invitation.namespace.clone(), invitation.to.clone()), invitation);
    }

    pub(super) fn end(&mut self, namespace: Namespace, handle: Handle) {
        self.0.remove(&(namespace, handle));
    }

    /// The open invitation of a person, expired or not.
    pub fn of(&self, namespace: &Namespace, handle: &Handle) -> Option<&Invitation> {
        self.0.get(&(namespace.clone(), handle.clone()))
    }

    /// The invitations that a user made or received, newest first.
    pub fn with(&self, handle: &Handle) -> Vec<&Invitation> {
        let is_concerned = |invitation: &&Invitation| invitation.from == *handle || invitation.to == *handle;
        let mut invitations: Vec<_> = self.0.values().filter(is_concerned).collect();
        invitations.sort_unstable_by_key(|invitation| std::cmp::Reverse(invitation.id));
        invitations
    }
}
