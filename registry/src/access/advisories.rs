//! The rights about advisories.

use super::{Access, Denied};
use crate::names::Namespace;
use crate::private::{MemberRole, PlatformRole};
use crate::public::AdvisoryIssuer;

impl Access<'_> {
    /// Publishing advisories about skills of a namespace. Returns in whose name. An author alone yanks instead: an
    /// advisory also warns people who have the version, so somebody else should have read it.
    pub fn advise(&self, namespace: &Namespace) -> Result<AdvisoryIssuer, Denied> {
        if self.role(namespace) >= Some(MemberRole::Admin) {
            return Ok(AdvisoryIssuer::Namespace);
        }
        let is_staff = self.actor.role == PlatformRole::Moderator;
        self.require(is_staff, || match namespace.is_global() {
            true => "advisories about skills in `global` are published by the registry's staff".into(),
            false => format!(
                "advisories about skills of `{namespace}` are published by its admins and owners, and by the \
                 registry's staff"
            ),
        })?;
        Ok(AdvisoryIssuer::Registry)
    }

    /// Withdrawing an advisory. Staff withdraws every one.
    pub fn withdraw_advisory(&self, namespace: &Namespace, issuer: AdvisoryIssuer) -> Result<(), Denied> {
        if self.actor.role == PlatformRole::Moderator {
            return Ok(());
        }
        self.advise(namespace)?;
        self.require(issuer == AdvisoryIssuer::Namespace, || {
            "the registry's staff published this advisory: only they can withdraw it".into()
        })
    }
}
