//! The rights of a caller, one method each.

use super::{Actor, Denied, NamespaceCreation, Publishing};
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace};
use crate::private::{Authority, MemberRole, PlatformRole, Review, Takedown};
use crate::public::Skill;

/// The rights of one caller on one state of the registry.
pub struct Access<'a> {
    catalog: Catalog<'a>,
    pub(super) actor: &'a Actor,
}

impl<'a> Access<'a> {
    /// Looks up the rights of `actor`.
    pub fn of(catalog: Catalog<'a>, actor: &'a Actor) -> Self {
        Self { catalog, actor }
    }

    pub(super) fn role(&self, namespace: &Namespace) -> Option<MemberRole> {
        self.actor.handle.as_ref().and_then(|handle| self.catalog.role(namespace, handle))
    }

    pub(super) fn require(&self, granted: bool, why: impl FnOnce() -> String) -> Result<(), Denied> {
        if granted || self.actor.is_admin() { Ok(()) } else { Err(Denied(why())) }
    }

    /// Publishing in a namespace. Returns whether a review is needed.
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

    /// Whether the caller may publish versions of a published or pending skill. In `global`
    /// only its author may.
    pub fn publish_version_of(&self, namespace: &Namespace, author: &Handle) -> bool {
        !namespace.is_global() || self.actor.is(author) || self.actor.is_admin()
    }

    /// Whether the caller has the rights of the skill's author. In a team only members
    /// have them.
    fn is_author(&self, skill: &Skill) -> bool {
        let namespace = &skill.coordinate.namespace;
        self.actor.is(&skill.author) && (namespace.is_global() || self.role(namespace).is_some())
    }

    /// Moving tags of a skill.
    pub fn tag(&self, skill: &Skill) -> Result<(), Denied> {
        self.author_or_admin(
            skill,
            "tags are moved by the skill's author or the namespace's admins and owners",
        )
    }

    fn author_or_admin(&self, skill: &Skill, why: &str) -> Result<(), Denied> {
        let is_admin = self.role(&skill.coordinate.namespace) >= Some(MemberRole::Admin);
        self.require(self.is_author(skill) || is_admin, || why.into())
    }

    /// Yanking versions of a skill, and undoing that.
    pub fn yank(&self, skill: &Skill) -> Result<(), Denied> {
        self.author_or_admin(
            skill,
            "versions are yanked by the skill's author or the namespace's admins and owners",
        )
    }

    /// Setting and removing bundles of a namespace.
    pub fn manage_bundles(&self, namespace: &Namespace) -> Result<(), Denied> {
        let is_admin = !namespace.is_global() && self.role(namespace) >= Some(MemberRole::Admin);
        self.require(is_admin, || "bundles are set by the namespace's admins and owners".into())
    }

    /// Removing and restoring a skill, and giving it to another author.
    pub fn dispose(&self, skill: &Skill) -> Result<(), Denied> {
        let is_owner = self.role(&skill.coordinate.namespace) >= Some(MemberRole::Owner);
        self.require(self.is_author(skill) || is_owner, || {
            "that is for the skill's author, the namespace's owners and platform admins".into()
        })
    }

    /// The authority with which the caller takes something down. None for the author, and
    /// for those who cannot take it down.
    pub fn takedown_authority(&self, skill: &Skill, takedown: Takedown) -> Option<Authority> {
        if self.is_author(skill) {
            None
        } else if self.has_takedown_role(skill, takedown) {
            Some(Authority::Namespace)
        } else {
            self.actor.is_admin().then_some(Authority::Staff)
        }
    }

    /// Whether the caller's role in the namespace allows to yank every version, or to remove
    /// every skill.
    fn has_takedown_role(&self, skill: &Skill, takedown: Takedown) -> bool {
        let needed = if takedown.version.is_some() { MemberRole::Admin } else { MemberRole::Owner };
        self.role(&skill.coordinate.namespace) >= Some(needed)
    }

    /// Undoing a takedown.
    pub fn lift_takedown(&self, skill: &Skill, takedown: Takedown, by: Authority) -> Result<(), Denied> {
        let granted = by == Authority::Namespace && self.has_takedown_role(skill, takedown);
        self.require(granted, || match (by, takedown.version) {
            (Authority::Staff, _) => {
                "the registry's staff took it down: only platform admins can undo that".into()
            }
            (Authority::Namespace, Some(_)) => {
                "an admin or owner of the namespace yanked it: only its admins and owners can undo that"
                    .into()
            }
            (Authority::Namespace, None) => {
                "an owner of the namespace removed it: only its owners can undo that".into()
            }
        })
    }

    /// Asking for a promotion to `global`.
    pub fn promote(&self, skill: &Skill) -> Result<(), Denied> {
        self.author_or_admin(
            skill,
            "a skill is promoted by its author or the namespace's admins and owners: ask one of them",
        )
    }

    /// Rating a skill. Not even platform admins rate their own skills.
    pub fn rate(&self, skill: &Skill) -> Result<(), Denied> {
        match self.actor.is(&skill.author) {
            true => Err(Denied("authors do not rate their own skills".into())),
            false => Ok(()),
        }
    }

    /// Reading the list of all accounts.
    pub fn read_users(&self) -> Result<(), Denied> {
        self.require(false, || "the list of accounts is for platform admins".into())
    }

    /// Reading the audit log.
    pub fn read_audit_log(&self) -> Result<(), Denied> {
        self.require(false, || "the audit log is for platform admins".into())
    }

    /// Reading the reviews of a namespace.
    pub fn read_reviews(&self, namespace: &Namespace) -> Result<(), Denied> {
        let is_staff = self.actor.role == PlatformRole::Moderator;
        self.require(is_staff || self.role(namespace) >= Some(MemberRole::Admin), || {
            let who = if namespace.is_global() { "" } else { "the namespace's admins and owners, and " };
            format!("the reviews of the namespace `{namespace}` are for {who}platform moderators")
        })
    }

    /// Reading one review. A missing review is refused like somebody else's, so that ids
    /// cannot be probed.
    pub fn read_review(&self, namespace: &Namespace, review: Option<&Review>) -> Result<(), Denied> {
        match review {
            Some(review) if self.actor.is(&review.submitted_by) => Ok(()),
            _ => self.read_reviews(namespace),
        }
    }

    /// Deciding a review.
    pub fn decide(&self, namespace: &Namespace, review: Option<&Review>) -> Result<(), Denied> {
        self.read_reviews(namespace)?;
        let is_own = review.is_some_and(|review| self.actor.is(&review.submitted_by));
        self.require(!is_own, || "nobody decides on what they have submitted: ask another reviewer".into())
    }

    /// Publishing content that the registry's staff took down elsewhere.
    pub fn publish_taken_down(&self) -> Result<(), Denied> {
        self.require(self.actor.role == PlatformRole::Moderator, || {
            "the registry's staff took down the same content: only platform moderators can approve it".into()
        })
    }

    /// Withdrawing a submission. Reviewers reject it instead, platform admins too.
    pub fn withdraw(&self, namespace: &Namespace, review: Option<&Review>) -> Result<(), Denied> {
        if review.is_some_and(|review| self.actor.is(&review.submitted_by)) {
            return Ok(());
        }
        self.read_reviews(namespace)?;
        match review {
            Some(_) => Err(Denied("a submission is withdrawn by its submitter: reject it instead".into())),
            None => Ok(()),
        }
    }

    /// Creating a namespace.
    pub fn create_namespace(&self, creation: NamespaceCreation) -> Result<(), Denied> {
        self.require(creation == NamespaceCreation::Open, || {
            "in this registry namespaces are made by platform admins: ask one".into()
        })
    }

    /// Creating a private namespace. Only admins may learn which there are.
    pub fn create_private_namespace(&self) -> Result<(), Denied> {
        self.require(false, || "private namespaces are made by platform admins: ask one".into())
    }

    /// Creating a namespace whose name looks like `known`: `@name`, or a reserved name.
    pub fn create_look_alike(&self, name: &Namespace, known: &str) -> Result<(), Denied> {
        self.require(false, || {
            format!(
                "the namespace `{name}` looks like {known}: choose another name, or ask a platform admin to create it"
            )
        })
    }

    /// Changing a namespace.
    pub fn update_namespace(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Admin), || {
            format!("the namespace `{namespace}` is managed by its admins and owners")
        })
    }

    /// Changing the status of a namespace.
    pub fn set_status(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Owner), || {
            format!("the status of the namespace `{namespace}` is set by its owners")
        })
    }

    /// Adding and removing trusted publishers of a namespace or of one skill, and reading them. `global` has no admins,
    /// so there authors do it.
    pub fn manage_publishers(&self, namespace: &Namespace, skill: Option<&Skill>) -> Result<(), Denied> {
        let is_admin = self.role(namespace) >= Some(MemberRole::Admin);
        let is_author = namespace.is_global() && skill.is_some_and(|skill| self.is_author(skill));
        self.require(is_admin || is_author, || match namespace.is_global() {
            true => "trusted publishers of a skill in `global` are managed by its author".into(),
            false => format!(
                "trusted publishers of the namespace `{namespace}` are managed by its admins and owners"
            ),
        })
    }

    /// Reading the members of a namespace.
    pub fn read_members(&self, namespace: &Namespace) -> Result<(), Denied> {
        let staff = self.actor.role == PlatformRole::Moderator;
        self.require(staff || self.role(namespace).is_some(), || {
            format!("the members of the namespace `{namespace}` are shown to its members alone")
        })
    }

    /// Adding or removing a member with this role.
    pub fn manage_member(&self, namespace: &Namespace, role: MemberRole) -> Result<(), Denied> {
        let needed = if role == MemberRole::Member { MemberRole::Admin } else { MemberRole::Owner };
        self.require(self.role(namespace) >= Some(needed), || {
            let who = if needed == MemberRole::Admin { "admins and owners" } else { "owners" };
            format!("members with the role `{}` are managed by the {who} of `{namespace}`", role.as_str())
        })
    }

    /// Removing a member with this role. All members may remove themselves.
    pub fn remove_member(&self, namespace: &Namespace, who: &Handle, role: MemberRole) -> Result<(), Denied> {
        if self.actor.is(who) { Ok(()) } else { self.manage_member(namespace, role) }
    }

    /// Changing the role of a member.
    pub fn set_member_role(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(self.role(namespace) >= Some(MemberRole::Owner), || {
            format!("roles in the namespace `{namespace}` are given by its owners")
        })
    }

    /// Making a person an owner without an invitation.
    pub fn appoint_owner(&self, namespace: &Namespace) -> Result<(), Denied> {
        self.require(false, || format!("owners of `{namespace}` are invited, and have to accept"))
    }

    /// Having more skills, versions and namespaces than the limits for each person allow.
    pub fn exceed_quotas(&self) -> bool {
        self.actor.is_admin()
    }

    /// Adding and disabling accounts, and listing, issuing and revoking tokens of others.
    pub fn manage_users(&self) -> Result<(), Denied> {
        self.require(false, || "accounts are managed by platform admins".into())
    }
}
