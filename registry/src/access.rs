//! Who may do what: the one place that decides rights.

use crate::catalog::Catalog;
use crate::names::{Digest, Handle, Namespace};
use crate::private::{MemberRole, PlatformRole, Scope, Scopes};
use crate::public::{Id, Skill};
use crate::time::Timestamp;

/// What a caller presents.
#[derive(Debug, Clone)]
pub enum Credential {
    /// The person at the machine itself, who owns the data folder; acts for
    /// someone where an operation needs a person.
    Operator {
        /// For whom.
        acting_as: Option<Handle>,
    },
    /// A bearer token, by its digest.
    Token(Digest),
    /// A session that goes on, as the local store knows it.
    Session {
        /// Whose.
        handle: Handle,
        /// What it is called in the audit.
        id: String,
    },
}

/// Who acts, with what.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The person; None for the operator acting for nobody.
    pub handle: Option<Handle>,
    /// What they may do everywhere.
    pub role: PlatformRole,
    /// What the credential may be used for.
    pub scopes: Scopes,
    /// The token in use.
    pub credential: Option<Id>,
    /// The session in use.
    pub session: Option<String>,
}

/// Why a credential is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No token has that text; it may have been revoked.
    #[error("the token is unknown or was revoked: make a new one")]
    Unknown,
    /// Its time is over.
    #[error("the token has expired: make a new one")]
    Expired,
    /// Its owner's account was switched off.
    #[error("the account of this token is disabled: ask an admin")]
    Disabled,
    /// The operator named someone who has no account.
    #[error("there is no user of that handle: add one with `skillmirror user add`")]
    NoSuchUser,
}

/// Finds out who acts.
pub fn authenticate(catalog: Catalog<'_>, credential: &Credential, now: Timestamp) -> Result<Actor, Refused> {
    match credential {
        Credential::Operator { acting_as } => {
            if acting_as.as_ref().is_some_and(|handle| catalog.private.user(handle).is_none()) {
                return Err(Refused::NoSuchUser);
            }
            let (role, scopes) = (PlatformRole::Admin, Scopes::all());
            Ok(Actor { handle: acting_as.clone(), role, scopes, credential: None, session: None })
        }
        Credential::Token(digest) => {
            let token = catalog.private.token(digest).ok_or(Refused::Unknown)?;
            let user = catalog.private.user(&token.handle).ok_or(Refused::Unknown)?;
            if user.disabled {
                return Err(Refused::Disabled);
            }
            if token.is_expired(now) {
                return Err(Refused::Expired);
            }
            Ok(Actor {
                handle: Some(user.handle.clone()),
                role: user.role,
                scopes: token.scopes.clone(),
                credential: Some(token.id),
                session: None,
            })
        }
        Credential::Session { handle, id } => {
            let user = catalog.private.user(handle).ok_or(Refused::Unknown)?;
            if user.disabled {
                return Err(Refused::Disabled);
            }
            Ok(Actor {
                handle: Some(user.handle.clone()),
                role: user.role,
                scopes: Scopes::all(),
                credential: None,
                session: Some(id.clone()),
            })
        }
    }
}

impl Actor {
    /// Whether the credential may be used for this; the sentence says what it
    /// lacks.
    pub fn needs(&self, scope: Scope) -> Result<(), Denied> {
        if self.scopes.has(scope) {
            return Ok(());
        }
        Err(Denied(format!("this token lacks the scope `{}`: use one that has it", scope.as_str())))
    }

    fn is_admin(&self) -> bool {
        self.role == PlatformRole::Admin
    }

    fn is(&self, handle: &Handle) -> bool {
        self.handle.as_ref() == Some(handle)
    }
}

/// A right that is not there, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Denied(pub String);

/// How a publication goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publishing {
    /// It becomes public at once.
    Direct,
    /// It waits for approval.
    Reviewed,
}

/// Whether making namespaces is for everyone (`namespaces.creation`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Creation {
    /// For everyone.
    Open,
    /// For platform admins.
    Admins,
}

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

    /// Moving tags of a skill.
    pub fn tag(&self, skill: &Skill) -> Result<(), Denied> {
        let namespace = &skill.coordinate.namespace;
        let role = self.role(namespace);
        // An author keeps the author's rights in a team only while a member.
        let as_author = self.actor.is(&skill.author) && (namespace.is_global() || role.is_some());
        self.require(as_author || role >= Some(MemberRole::Admin), || {
            "tags are moved by the skill's author or the namespace's admins and owners".into()
        })
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
