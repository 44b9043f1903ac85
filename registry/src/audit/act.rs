//! Changes in words.

use std::collections::HashMap;

use serde::Serialize;

use crate::names::{Coordinate, Handle, Version};
use crate::private::{Authority, IssuedToken, PrivateChange, Scope, Takedown, Verdict};
use crate::public::{
    AuthorChanged, Id, Person, PublicChange, Published, TagRemoved, TagSet, Unyanked, Yanked,
};

/// One change.
#[derive(Debug, Clone, Serialize)]
pub struct Act {
    /// The changed skill.
    pub skill: Option<Coordinate>,
    /// The user whose account or membership changed.
    pub user: Option<Handle>,
    /// The change as a sentence without its subject.
    pub what: String,
}

impl Act {
    fn of_skill(skill: Coordinate, what: impl FnOnce(&Coordinate) -> String) -> Self {
        Self { what: what(&skill), skill: Some(skill), user: None }
    }

    fn of_neither(what: String) -> Self {
        Self { skill: None, user: None, what }
    }

    fn of_user(user: &Handle, what: String) -> Self {
        Self { skill: None, user: Some(user.clone()), what }
    }
}

/// The names that ids stand for, collected row by row.
#[derive(Default)]
pub(super) struct Names {
    skills: HashMap<Id, Coordinate>,
    reviews: HashMap<Id, (Coordinate, Version)>,
    tokens: HashMap<Id, (Handle, String)>,
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

impl Names {
    fn submitted(&mut self, id: Id, published: &Published) -> Coordinate {
        let coordinate = published.coordinate();
        self.skills.entry(published.skill_id).or_insert_with(|| coordinate.clone());
        self.reviews.insert(id, (coordinate.clone(), published.version.clone()));
        coordinate
    }

    /// Describes a public change.
    pub(super) fn public(&mut self, change: &PublicChange) -> Act {
        use PublicChange as Change;
        match change {
            Change::NamespaceCreated(state) => {
                Act::of_neither(format!("created the namespace {}", state.slug))
            }
            Change::NamespaceUpdated(state) => {
                Act::of_neither(format!("changed the namespace {}", state.slug))
            }
            Change::Published(published) => {
                let Published { version, sha256, .. } = &**published;
                self.skills.insert(published.skill_id, published.coordinate());
                Act::of_skill(published.coordinate(), |c| format!("published {c} {version} ({sha256})"))
            }
            Change::Yanked(Yanked { skill, version, reason }) => {
                let reason = because(reason.as_deref());
                Act::of_skill(skill.coordinate(), |c| format!("yanked {c} {version}{reason}"))
            }
            Change::Unyanked(Unyanked { skill, version }) => {
                Act::of_skill(skill.coordinate(), |c| format!("undid the yank of {c} {version}"))
            }
            Change::TagSet(TagSet { skill, tag, version, .. }) => {
                Act::of_skill(skill.coordinate(), |c| format!("set the tag {tag} of {c} to {version}"))
            }
            Change::TagRemoved(TagRemoved { skill, tag }) => {
                Act::of_skill(skill.coordinate(), |c| format!("removed the tag {tag} of {c}"))
            }
            Change::SkillRemoved(name) => Act::of_skill(name.coordinate(), |c| format!("removed {c}")),
            Change::SkillRestored(name) => Act::of_skill(name.coordinate(), |c| format!("restored {c}")),
            Change::AuthorChanged(AuthorChanged { skill, author: Person { handle, .. } }) => Act {
                user: Some(handle.clone()),
                ..Act::of_skill(skill.coordinate(), |c| format!("made {handle} the author of {c}"))
            },
            Change::PersonRenamed(person) => {
                let what = format!("is shown as {:?}", person.display_name);
                Act::of_user(&person.handle, what)
            }
            Change::HistoryRestored(restored) => {
                Act::of_neither(format!("restored a backup of revision {}", restored.backup_revision))
            }
            Change::Redacted(_) => Act::of_neither("did something whose text was removed".into()),
            Change::RowRedacted(redacted) => {
                let why = because(Some(&redacted.reason));
                Act::of_neither(format!("removed the text of row {}{why}", redacted.row))
            }
        }
    }

    /// Describes a private change of the row with this id.
    pub(super) fn private(&mut self, id: Id, change: &PrivateChange) -> Act {
        use PrivateChange as Change;
        match change {
            Change::UserAdded { handle, role, .. } => {
                Act::of_user(handle, format!("added the account {handle} ({})", role.as_str()))
            }
            Change::UserDisabled { handle } => Act::of_user(handle, format!("disabled the account {handle}")),
            Change::UserEnabled { handle } => Act::of_user(handle, format!("enabled the account {handle}")),
            Change::DisplayNameSet { handle, display_name } => {
                Act::of_user(handle, format!("named the account {handle} {display_name:?}"))
            }
            Change::PasswordChanged { handle } => {
                Act::of_user(handle, format!("changed the password of {handle}"))
            }
            Change::TokenIssued(IssuedToken { handle, name, scopes, .. }) => {
                self.tokens.insert(id, (handle.clone(), name.clone()));
                let scopes: Vec<_> = Vec::from(scopes.clone()).into_iter().map(Scope::as_str).collect();
                Act::of_user(
                    handle,
                    format!("issued the token {id} {name:?} of {handle} ({})", scopes.join(", ")),
                )
            }
            Change::TokenRevoked { id } => match self.tokens.get(id) {
                Some((handle, name)) => {
                    Act::of_user(handle, format!("revoked the token {id} {name:?} of {handle}"))
                }
                None => Act::of_neither(format!("revoked the token {id}")),
            },
            Change::MemberAdded { namespace, handle, role } => {
                Act::of_user(handle, format!("added {handle} to {namespace} as {}", role.as_str()))
            }
            Change::MemberRoleSet { namespace, handle, role } => {
                Act::of_user(handle, format!("made {handle} {} of {namespace}", role.as_str()))
            }
            Change::MemberRemoved { namespace, handle } => {
                Act::of_user(handle, format!("removed {handle} from {namespace}"))
            }
            Change::Submitted(submission) => {
                let c = self.submitted(id, &submission.published);
                let version = &submission.published.version;
                Act::of_skill(c, |c| format!("submitted {c} {version} for review {id}"))
            }
            Change::PromotionRequested(promotion) => {
                let c = self.submitted(id, &promotion.published);
                let reason = because(promotion.comment.as_deref());
                let version = &promotion.published.version;
                Act::of_skill(c, |c| format!("asked to promote {c} {version} in review {id}{reason}"))
            }
            Change::SubmissionWithdrawn { review } => self.of_review(*review, "withdrew", None),
            Change::ReviewDecided { review, verdict, comment, .. } => {
                let verb = match verdict {
                    Verdict::Approved => "approved",
                    Verdict::Rejected => "rejected",
                };
                self.of_review(*review, verb, comment.as_deref())
            }
            Change::Starred { skill, .. } => self.of_skill(*skill, "starred"),
            Change::Unstarred { skill, .. } => self.of_skill(*skill, "removed the star from"),
            Change::Unrated { skill, handle } => Act {
                user: Some(handle.clone()),
                ..self.of_skill(*skill, &format!("ended {handle}'s rating of"))
            },
            Change::Rated { skill, score, .. } => {
                self.of_skill(*skill, &format!("gave {} of 5 to", u8::from(*score)))
            }
            Change::TakenDown { takedown: Takedown { skill, version }, by } => {
                let (whom, what) = match (by, version) {
                    (Authority::Staff, Some(_)) => ("staff", "undo the yank of a version of"),
                    (Authority::Staff, None) => ("staff", "restore"),
                    (Authority::Namespace, Some(_)) => {
                        ("the namespace's admins", "undo the yank of a version of")
                    }
                    (Authority::Namespace, None) => ("the namespace's owners", "restore"),
                };
                self.of_skill(*skill, &format!("left it to {whom} to {what}"))
            }
            Change::TakedownLifted(Takedown { skill, version: Some(_) }) => {
                self.of_skill(*skill, "lifted the takedown of a version of")
            }
            Change::TakedownLifted(Takedown { skill, version: None }) => {
                self.of_skill(*skill, "lifted the takedown of")
            }
            Change::AuthorOffered { skill, to, .. } => Act {
                user: Some(to.clone()),
                ..self.of_skill(*skill, &format!("offered {to} the authorship of"))
            },
            Change::OwnerInvited { namespace, to, .. } => {
                Act::of_user(to, format!("invited {to} to own {namespace}"))
            }
            Change::OwnerInvitationEnded { namespace, handle } => {
                Act::of_user(handle, format!("ended the invitation of {handle} to own {namespace}"))
            }
            Change::AuthorOfferEnded { skill } => {
                self.of_skill(*skill, "ended the offer of the authorship of")
            }
        }
    }

    fn of_review(&self, review: Id, verb: &str, comment: Option<&str>) -> Act {
        let known = self.reviews.get(&review);
        let of = known.map(|(c, version)| format!(" of {c} {version}")).unwrap_or_default();
        let what = format!("{verb} the review {review}{of}{}", because(comment));
        Act { skill: known.map(|(c, _)| c.clone()), user: None, what }
    }

    fn of_skill(&self, id: Id, verb: &str) -> Act {
        let skill = self.skills.get(&id).cloned();
        let name = skill.as_ref().map_or_else(|| format!("the skill {id}"), ToString::to_string);
        Act { skill, user: None, what: format!("{verb} {name}") }
    }
}
