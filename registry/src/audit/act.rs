//! Changes in words.

use std::collections::HashMap;

use serde::Serialize;

use crate::names::{Coordinate, Handle, Version};
use crate::private::{PrivateChange, Verdict};
use crate::public::{Id, PublicChange, Published};

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
    fn of_skill(skill: Coordinate, what: String) -> Self {
        Self { skill: Some(skill), user: None, what }
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
        match change {
            PublicChange::NamespaceCreated(state) => {
                Act { skill: None, user: None, what: format!("created the namespace {}", state.slug) }
            }
            PublicChange::NamespaceUpdated(state) => {
                Act { skill: None, user: None, what: format!("changed the namespace {}", state.slug) }
            }
            PublicChange::Published(published) => {
                let c = published.coordinate();
                self.skills.insert(published.skill_id, c.clone());
                let what = format!("published {c} {} ({})", published.version, published.sha256);
                Act::of_skill(c, what)
            }
            PublicChange::Yanked(yanked) => {
                let c = yanked.skill.coordinate();
                let reason = because(yanked.reason.as_deref());
                Act::of_skill(c.clone(), format!("yanked {c} {}{reason}", yanked.version))
            }
            PublicChange::Unyanked(name) => {
                let c = name.skill.coordinate();
                Act::of_skill(c.clone(), format!("undid the yank of {c} {}", name.version))
            }
            PublicChange::TagSet(set) => {
                let c = set.skill.coordinate();
                Act::of_skill(c.clone(), format!("set the tag {} of {c} to {}", set.tag, set.version))
            }
            PublicChange::TagRemoved(name) => {
                let c = name.skill.coordinate();
                Act::of_skill(c.clone(), format!("removed the tag {} of {c}", name.tag))
            }
            PublicChange::SkillRemoved(name) => {
                let c = name.coordinate();
                Act::of_skill(c.clone(), format!("removed {c}"))
            }
            PublicChange::SkillRestored(name) => {
                let c = name.coordinate();
                Act::of_skill(c.clone(), format!("restored {c}"))
            }
            PublicChange::AuthorChanged(changed) => {
                let c = changed.skill.coordinate();
                let what = format!("made {} the author of {c}", changed.author.handle);
                Act { skill: Some(c), user: Some(changed.author.handle.clone()), what }
            }
            PublicChange::PersonRenamed(person) => {
                let what = format!("is shown as {:?}", person.display_name);
                Act::of_user(&person.handle, what)
            }
        }
    }

    /// Describes a private change of the row with this id.
    pub(super) fn private(&mut self, id: Id, change: &PrivateChange) -> Act {
        match change {
            PrivateChange::UserAdded { handle, role, .. } => {
                Act::of_user(handle, format!("added the account {handle} ({})", role.as_str()))
            }
            PrivateChange::UserDisabled { handle } => {
                Act::of_user(handle, format!("disabled the account {handle}"))
            }
            PrivateChange::DisplayNameSet { handle, display_name } => {
                Act::of_user(handle, format!("named the account {handle} {display_name:?}"))
            }
            PrivateChange::PasswordChanged { handle } => {
                Act::of_user(handle, format!("changed the password of {handle}"))
            }
            PrivateChange::TokenIssued { handle, name, scopes, .. } => {
                self.tokens.insert(id, (handle.clone(), name.clone()));
                let scopes: Vec<_> =
                    Vec::from(scopes.clone()).into_iter().map(crate::private::Scope::as_str).collect();
                Act::of_user(
                    handle,
                    format!("issued the token {id} {name:?} of {handle} ({})", scopes.join(", ")),
                )
            }
            PrivateChange::TokenRevoked { id } => match self.tokens.get(id) {
                Some((handle, name)) => {
                    Act::of_user(handle, format!("revoked the token {id} {name:?} of {handle}"))
                }
                None => Act { skill: None, user: None, what: format!("revoked the token {id}") },
            },
            PrivateChange::MemberAdded { namespace, handle, role } => {
                Act::of_user(handle, format!("added {handle} to {namespace} as {}", role.as_str()))
            }
            PrivateChange::MemberRoleSet { namespace, handle, role } => {
                Act::of_user(handle, format!("made {handle} {} of {namespace}", role.as_str()))
            }
            PrivateChange::MemberRemoved { namespace, handle } => {
                Act::of_user(handle, format!("removed {handle} from {namespace}"))
            }
            PrivateChange::Submitted(submission) => {
                let c = self.submitted(id, &submission.published);
                let version = &submission.published.version;
                Act::of_skill(c.clone(), format!("submitted {c} {version} for review {id}"))
            }
            PrivateChange::PromotionRequested(promotion) => {
                let c = self.submitted(id, &promotion.published);
                let reason = because(promotion.comment.as_deref());
                let version = &promotion.published.version;
                Act::of_skill(c.clone(), format!("asked to promote {c} {version} in review {id}{reason}"))
            }
            PrivateChange::SubmissionWithdrawn { review } => self.of_review(*review, "withdrew", None),
            PrivateChange::ReviewDecided { review, verdict, comment, .. } => {
                let verb = match verdict {
                    Verdict::Approved => "approved",
                    Verdict::Rejected => "rejected",
                };
                self.of_review(*review, verb, comment.as_deref())
            }
            PrivateChange::Starred { skill, .. } => self.of_skill(*skill, "starred"),
            PrivateChange::Unstarred { skill, .. } => self.of_skill(*skill, "removed the star from"),
            PrivateChange::Unrated { skill, handle } => Act {
                user: Some(handle.clone()),
                ..self.of_skill(*skill, &format!("ended {handle}'s rating of"))
            },
            PrivateChange::Rated { skill, score, .. } => {
                self.of_skill(*skill, &format!("gave {} of 5 to", u8::from(*score)))
            }
            PrivateChange::AuthorOffered { skill, to, .. } => Act {
                user: Some(to.clone()),
                ..self.of_skill(*skill, &format!("offered {to} the authorship of"))
            },
            PrivateChange::AuthorOfferEnded { skill } => {
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
