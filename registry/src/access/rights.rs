//! Rights, one sentence each.

use super::{Actor, Creation, Denied, Publishing};
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace};
use crate::private::{MemberRole, PlatformRole, Review};
use crate::public::Skill;

/// The rights of one caller on one state of the registry.
pub struct Access<'a> {
    catalog: Catalog<'a>,
    actor: &'a Actor,
}

impl<'a> Access<'a> {
    /// The rights of `actor`.
    pub fn of(catalog: Catalog<'a>, actor: &'a Actor) -> Self {
        Self { catalog, actor }
    }

    fn role(&self, namespace: &Namespace) -> Option<MemberRole> {
        self.actor.handle.as_ref().and_then(|handle| self.catalog.role(namespace, handle))
    }

    fn require(&self, granted: bool, why: impl FnOnce() -> String) -> Result<(), Denied> {
        if granted || self.actor.is_admin() { Ok(()) } else { Err(Denied(why())) }
    }

    /// Publishing into a namespace, and whether it needs review.
    pub fn publish(&self, namespace: &Namespace) -> Result<Publishing, Denied> {
        if self.actor.is_admin() {
            return Ok(Publishing::Direct);
        }
        if namespace.is_global() {
            return Ok(Publishing::Reviewed);
        }
        let reviewed = self.catalog.namespace(namespace).is_some_and(|entry| entry.state.review_required);
        match self.role(namespace) {
            Some(MemberRole::Member) if reviewed => Ok(Publishing::Reviewed),
            Some(_) => Ok(Publishing::Direct),
            None => Err(Denied(format!(
                "you are not a member of the namespace `{namespace}`: ask one of its owners to add you"
            ))),
        }
    }

    /// Publishing a new version of a skill that exists or is pending: in
    /// `global` the name is its author's.
    pub fn publish_version_of(&self, namespace: &Namespace, author: &Handle) -> bool {
        !namespace.is_global() || self.actor.is(author) || self.actor.is_admin()
    }

    /// Whether the caller is the skill's author, and may act as such: in a team
    /// only while a member.
    fn is_author(&self, skill: &Skill) -> bool {
        let namespace = &skill.coordinate.namespace;
        self.actor.is(&skill.author) && (namespace.is_global() || self.role(namespace).is_some())
    }

    /// Moving tags of a skill.
    pub fn tag(&self, skill: &Skill) -> Result<(), Denied> {
        self.require(self.is_author(skill) || self.is_admin_of(skill), || {
            "tags are moved by the skill's author or the namespace's admins and owners".into()
        })
    }

    fn is_admin_of(&self, skill: &Skill) -> bool {
        self.role(&skill.coordinate.namespace) >= Some(MemberRole::Admin)
    }

    /// Yanking a version of a skill, and undoing that.
    pub fn yank(&self, skill: &Skill) -> Result<(), Denied> {
        self.require(self.is_author(skill) || self.is_admin_of(skill), || {
            "versions are yanked by the skill's author or the namespace's admins and owners".into()
        })
    }

    /// Removing a skill, restoring it, and giving it to another author.
    pub fn dispose(&self, skill: &Skill) -> Result<(), Denied> {
        let is_owner = self.role(&skill.coordinate.namespace) >= Some(MemberRole::Owner);
        self.require(self.is_author(skill) || is_owner, || {
            "that is for the skill's author, the namespace's owners and platform admins".into()
        })
    }

    /// Asking for a copy of a version in `global`.
    pub fn promote(&self, skill: &Skill) -> Result<(), Denied> {
        self.require(self.is_author(skill) || self.is_admin_of(skill), || {
            "a skill is promoted by its author or the namespace's admins and owners".into()
        })
    }

    /// Rating a skill: platform admins do not rate their own either.
    pub fn rate(&self, skill: &Skill) -> Result<(), Denied> {
        match self.actor.is(&skill.author) {
            true => Err(Denied("authors do not rate their own skills".into())),
            false => Ok(()),
        }
    }

    /// Seeing what waits for review in a namespace, and what did.
    pub fn read_reviews(&self, namespace: &Namespace) -> Result<(), Denied> {
        let is_staff = self.actor.role == PlatformRole::Moderator;
        self.require(is_staff || self.role(namespace) >= Some(MemberRole::Admin), || {
            let who = if namespace.is_global() { "" } else { "the namespace's admins and owners, and " };
            format!("the reviews of the namespace `{namespace}` are for {who}platform moderators")
        })
    }

    /// Seeing one review. Where there is none of that id, the answer is the
    /// same as for one of someone else's.
    pub fn read_review(&self, namespace: &Namespace, review: Option<&Review>) -> Result<(), Denied> {
        match review {
            Some(review) if self.actor.is(&review.submitted_by) => Ok(()),
            _ => self.read_reviews(namespace),
        }
    }

    /// Approving and rejecting.
    pub fn decide(&self, namespace: &Namespace, review: Option<&Review>) -> Result<(), Denied> {
        self.read_reviews(namespace)?;
        let is_own = review.is_some_and(|review| self.actor.is(&review.submitted_by));
        self.require(!is_own, || "nobody decides on what they have submitted: ask another reviewer".into())
    }

    /// Making a namespace.
    pub fn create_namespace(&self, creation: Creation) -> Result<(), Denied> {
        self.require(creation == Creation::Open, || {
            "in this registry namespaces are made by platform admins: ask one".into()
        })
    }

    /// Changing how a namespace describes itself.
    pub fn update_namespace(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Admin), || {
            format!("the namespace `{namespace}` is managed by its admins and owners")
        })
    }

    /// Freezing, archiving and thawing a namespace.
    pub fn set_status(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Owner), || {
            format!("the status of the namespace `{namespace}` is set by its owners")
        })
    }

    /// Seeing who the members are.
    pub fn read_members(&self, namespace: &Namespace) -> Result<(), Denied> {
        let staff = self.actor.role == PlatformRole::Moderator;
        self.require(staff || self.role(namespace).is_some(), || {
            format!("the members of the namespace `{namespace}` are shown to its members alone")
        })
    }

    /// Taking someone in with a role, or (for removal) letting someone of that
    /// role go.
    pub fn manage_member(&self, namespace: &Namespace, role: MemberRole) -> Result<(), Denied> {
        let needed = if role == MemberRole::Member { MemberRole::Admin } else { MemberRole::Owner };
        self.require(self.role(namespace) >= Some(needed), || {
            let who = if needed == MemberRole::Admin { "admins and owners" } else { "owners" };
            format!("members with the role `{}` are managed by the {who} of `{namespace}`", role.as_str())
        })
    }

    /// Letting someone of that role go; anyone may leave.
    pub fn remove_member(&self, namespace: &Namespace, who: &Handle, role: MemberRole) -> Result<(), Denied> {
        if self.actor.is(who) { Ok(()) } else { self.manage_member(namespace, role) }
    }

    /// Changing a member's role.
    pub fn set_member_role(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Owner), || {
            format!("roles in the namespace `{namespace}` are given by its owners")
        })
    }

    /// Adding and disabling accounts, and issuing tokens for others.
    pub fn manage_users(&self) -> Result<(), Denied> {
        self.require(false, || "accounts are managed by platform admins".into())
    }
}
