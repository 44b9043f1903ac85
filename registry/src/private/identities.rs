//! The accounts elsewhere that people sign in with.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::names::Handle;
use crate::public::Id;
use crate::time::Timestamp;

/// An account at an issuer of identities.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The address of the issuer.
    pub issuer: String,
    /// The issuer's name for the account, which it never gives to another one.
    pub subject: String,
}

/// An identity that belongs to an account of this registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityLink {
    /// The revision of its row.
    pub id: Id,
    /// The identity.
    pub identity: Identity,
    /// The account.
    pub handle: Handle,
    /// The time of its row.
    pub created_at: Timestamp,
}

/// All links. An identity belongs to one account.
#[derive(Default)]
pub struct Identities {
    links: HashMap<Identity, IdentityLink>,
    of: HashMap<Handle, Vec<Identity>>,
}

impl Identities {
    pub(super) fn link(&mut self, link: IdentityLink) {
        self.of.entry(link.handle.clone()).or_default().push(link.identity.clone());
        self.links.insert(link.identity.clone(), link);
    }

    pub(super) fn unlink(&mut self, identity: &Identity) {
        let Some(link) = self.links.remove(identity) else { return };
        if let Some(all) = self.of.get_mut(&link.handle) {
            all.retain(|each| each != identity);
        }
    }

    /// The link of an identity.
    pub fn find(&self, identity: &Identity) -> Option<&IdentityLink> {
        self.links.get(identity)
    }

    /// The links of an account, oldest first.
    pub fn of(&self, handle: &Handle) -> impl Iterator<Item = &IdentityLink> {
        self.of.get(handle).into_iter().flatten().filter_map(|identity| self.links.get(identity))
    }
}
