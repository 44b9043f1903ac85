//! The accounts of the main registry, as a private namespace uses them.

use std::sync::Arc;

use registry::access::{Access, Actor, AuthError, Credential};
use registry::local::LocalStore;
use registry::names::{Handle, Namespace};
use registry::ops::users::{self, AddUser};
use registry::private::{MemberRole, PlatformRole};
use registry::time::Timestamp;
use registry::{Caller, Registry};

use crate::problem::Problem;

/// The accounts that a private namespace shares with its main registry.
#[derive(Clone)]
pub struct Accounts {
    /// The namespace.
    pub(crate) namespace: Namespace,
    /// The main registry.
    pub(crate) registry: Arc<Registry>,
    /// Its local data, which has the sessions.
    pub(crate) local: Arc<LocalStore>,
}

impl Accounts {
    /// Whether a person may ask the registry `here` of the private namespace: as a member, or as somebody who
    /// is invited and answers that.
    pub(crate) fn admits(&self, here: &Registry, handle: &Handle, answers_invitation: bool) -> bool {
        here.read(|catalog| {
            let is_invited = || catalog.private.invitations.of(&self.namespace, handle).is_some();
            catalog.role(&self.namespace, handle).is_some() || answers_invitation && is_invited()
        })
    }

    /// Refuses a person whose account, session, token or membership has ended since the request began.
    pub(crate) fn require_valid(&self, here: &Registry, actor: &Actor) -> Result<(), Problem> {
        let now = Timestamp::now();
        let session = self.registry.read(|catalog| {
            let handle = actor.handle.as_ref().ok_or(AuthError::Unknown)?;
            let user = catalog.private.user(handle).ok_or(AuthError::Unknown)?;
            if user.disabled {
                return Err(AuthError::Disabled);
            }
            let Some(id) = actor.credential else { return Ok(actor.session.clone()) };
            let token = catalog.private.token_by_id(id).ok_or(AuthError::Unknown)?;
            if token.is_expired(now) {
                return Err(AuthError::Expired);
            }
            Ok(token.session.clone())
        })?;
        if !actor.handle.as_ref().is_some_and(|handle| self.admits(here, handle, true)) {
            return Err(Problem::nothing_here());
        }
        match session.map(|id| self.local.is_session_active(&id, now)).transpose()? {
            None | Some(true) => Ok(()),
            Some(false) => Err(Problem::invalid_token()),
        }
    }

    /// Tells the registry `here` of the private namespace what the main registry knows of accounts, before its members
    /// change: who is disabled, and the account `new`, if there is one and `manager` manages the members. The operation
    /// refuses all others.
    pub(crate) fn introduce(
        &self,
        here: &Registry,
        by: &Caller,
        manager: &Actor,
        new: Option<&Handle>,
    ) -> Result<(), Problem> {
        let is_manager = here.read(|catalog| {
            Access::of(catalog, manager).manage_member(&self.namespace, MemberRole::Member).is_ok()
        });
        let is_leaving = new.is_none();
        if !is_manager && !is_leaving {
            return Ok(());
        }
        let operator =
            Caller { credential: Credential::Operator { acting_as: None }, request: by.request.clone() };
        let known: Vec<(Handle, bool)> = here.read(|catalog| {
            catalog.private.users().map(|user| (user.handle.clone(), user.disabled)).collect()
        });
        let changed: Vec<(&Handle, bool)> = self.registry.read(|catalog| {
            let is_disabled = |handle| catalog.private.user(handle).is_none_or(|user| user.disabled);
            let now = known.iter().map(|(handle, before)| (handle, *before, is_disabled(handle)));
            now.filter(|(_, before, now)| before != now).map(|(handle, _, now)| (handle, now)).collect()
        });
        for (handle, is_disabled) in changed {
            match is_disabled {
                true => here.commit(&operator, |context| users::disable(context, handle))?,
                false => here.commit(&operator, |context| users::enable(context, handle))?,
            };
        }
        let new = new.filter(|new| !known.iter().any(|(handle, _)| handle == *new));
        let account = self.registry.read(|catalog| {
            let user = catalog.private.user(new?).filter(|user| !user.disabled)?;
            Some((user.handle.clone(), user.display_name.clone()))
        });
        let Some((handle, display_name)) = account else { return Ok(()) };
        let input = AddUser { handle, display_name: Some(display_name), role: PlatformRole::User };
        match here.commit(&operator, |context| users::add(context, &input)) {
            Ok(_) => Ok(()),
            // Another request was first.
            Err(_) if here.read(|catalog| catalog.private.user(&input.handle).is_some()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
