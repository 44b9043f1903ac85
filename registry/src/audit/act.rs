//! Changes in words, and as fields.

use std::collections::HashMap;

use super::Act;
use super::phrases::{because, publishes, runs};
use crate::catalog::Catalog;
use crate::names::Coordinate;
use crate::private::{Authority, IssuedToken, Job, PrivateChange, Scope, Takedown, Verdict};
use crate::public::{
    AdvisoryWithdrawn, AuthorChanged, Id, Person, PublicChange, Published, TagRemoved, TagSet, Unyanked,
    Yanked,
};

/// Looks up the names that ids stand for.
pub(super) struct Names<'a> {
    pub(super) catalog: Catalog<'a>,
    /// The revoked tokens, which are no longer in the catalog.
    pub(super) revoked: &'a HashMap<Id, IssuedToken>,
}

impl Names<'_> {
    /// Describes the submission of a version in the row with this id. `what` gets the skill and version.
    fn submitted(
        &self,
        action: &'static str,
        id: Id,
        published: &Published,
        what: impl FnOnce(&str) -> String,
    ) -> Act {
        let (coordinate, version) = (published.coordinate(), published.version.clone());
        let what = what(&format!("{coordinate} {version}"));
        Act::of_skill(action, coordinate, |_| what)
            .with(|act| (act.version, act.review) = (Some(version), Some(id)))
    }

    /// Describes a public change.
    pub(super) fn public(&self, change: &PublicChange) -> Act {
        use PublicChange as Change;
        match change {
            Change::NamespaceCreated(state) => {
                let what = format!("created the namespace {}", state.slug);
                Act::of("namespace_created", what).with(|act| act.namespace = Some(state.slug.clone()))
            }
            Change::NamespaceUpdated(state) => {
                let what = format!("changed the namespace {}", state.slug);
                Act::of("namespace_updated", what).with(|act| act.namespace = Some(state.slug.clone()))
            }
            Change::Published(published) => {
                let Published { version, sha256, .. } = &**published;
                let coordinate = published.coordinate();
                Act::of_version("published", &(&coordinate).into(), version, |c| {
                    format!("published {c} {version} ({sha256})")
                })
            }
            Change::Yanked(Yanked { skill, version, reason }) => {
                let reason = reason.as_deref();
                let what = |c: &Coordinate| format!("yanked {c} {version}{}", because(reason));
                Act::of_version("yanked", skill, version, what).because(reason)
            }
            Change::Unyanked(Unyanked { skill, version }) => {
                Act::of_version("unyanked", skill, version, |c| format!("undid the yank of {c} {version}"))
            }
            Change::Scanned(scanned) => {
                let said = scanned.verdict.summary();
                Act::of_version("scanned", &scanned.skill, &scanned.version, |c| {
                    format!("recorded that {said} in {c} {}", scanned.version)
                })
            }
            Change::TagSet(TagSet { skill, tag, version, .. }) => {
                let what = |c: &Coordinate| format!("set the tag {tag} of {c} to {version}");
                Act::of_version("tag_set", skill, version, what).with(|act| act.tag = Some(tag.clone()))
            }
            Change::TagRemoved(TagRemoved { skill, tag }) => {
                let what = |c: &Coordinate| format!("removed the tag {tag} of {c}");
                Act::of_skill("tag_removed", skill.coordinate(), what).with(|act| act.tag = Some(tag.clone()))
            }
            Change::SkillRemoved(name) => {
                Act::of_skill("skill_removed", name.coordinate(), |c| format!("removed {c}"))
            }
            Change::SkillRestored(name) => {
                Act::of_skill("skill_restored", name.coordinate(), |c| format!("restored {c}"))
            }
            Change::AdvisoryPublished(of) => {
                let what = |c: &Coordinate| {
                    format!("published an advisory about {c} ({}): {}", of.level.as_str(), of.title)
                };
                Act::of_skill("advisory_published", of.skill.coordinate(), what)
            }
            Change::AdvisoryWithdrawn(AdvisoryWithdrawn { skill, advisory, reason }) => {
                let reason = reason.as_deref();
                let what = |c: &Coordinate| format!("withdrew {advisory} about {c}{}", because(reason));
                Act::of_skill("advisory_withdrawn", skill.coordinate(), what).because(reason)
            }
            Change::AuthorChanged(AuthorChanged { skill, author: Person { handle, .. } }) => {
                let what = |c: &Coordinate| format!("made {handle} the author of {c}");
                Act::of_skill("author_changed", skill.coordinate(), what)
                    .with(|act| act.user = Some(handle.clone()))
            }
            Change::BundleSet(bundle) => {
                let what = format!("set the bundle {} ({} skills)", bundle.name, bundle.members.len());
                Act::of("bundle_set", what).with(|act| act.namespace = Some(bundle.name.namespace.clone()))
            }
            Change::BundleRemoved(name) => Act::of("bundle_removed", format!("removed the bundle {name}"))
                .with(|act| act.namespace = Some(name.namespace.clone())),
            Change::PersonRenamed(person) => {
                let what = format!("is shown as {:?}", person.display_name);
                Act::of_user("person_renamed", &person.handle, what)
            }
            Change::HistoryRestored(restored) => {
                let what = format!("restored a backup of revision {}", restored.backup_revision);
                Act::of("history_restored", what)
            }
            Change::Redacted(_) => Act::of("redacted", "did something whose text was removed".into()),
            Change::RowRedacted(redacted) => {
                let reason = Some(redacted.reason.as_str());
                let what = format!("removed the text of row {}{}", redacted.row, because(reason));
                Act::of("row_redacted", what).because(reason)
            }
        }
    }

    /// Describes a private change of the row with this id.
    pub(super) fn private(&self, id: Id, change: &PrivateChange) -> Act {
        use PrivateChange as Change;
        match change {
            Change::UserAdded { handle, role, .. } => {
                let what = format!("added the account {handle} ({})", role.as_str());
                Act::of_user("user_added", handle, what)
            }
            Change::UserDisabled { handle } => {
                Act::of_user("user_disabled", handle, format!("disabled the account {handle}"))
            }
            Change::PlatformRoleSet { handle, role } => {
                let what = format!("gave the account {handle} the role {}", role.as_str());
                Act::of_user("platform_role_set", handle, what)
            }
            Change::IdentityLinked { identity, handle } => {
                let what = format!("linked the account {handle} to one of {}", identity.issuer);
                Act::of_user("identity_linked", handle, what)
            }
            Change::IdentityUnlinked { identity, handle } => {
                let what = format!("unlinked the account {handle} from one of {}", identity.issuer);
                Act::of_user("identity_unlinked", handle, what)
            }
            Change::UserEnabled { handle } => {
                Act::of_user("user_enabled", handle, format!("enabled the account {handle}"))
            }
            Change::DisplayNameSet { handle, display_name } => {
                let what = format!("named the account {handle} {display_name:?}");
                Act::of_user("display_name_set", handle, what)
            }
            Change::PasswordChanged { handle } => {
                Act::of_user("password_changed", handle, format!("changed the password of {handle}"))
            }
            Change::TokenIssued(IssuedToken { handle, name, scopes, .. }) => {
                let scopes: Vec<_> = Vec::from(scopes.clone()).into_iter().map(Scope::as_str).collect();
                let what = format!("issued the token {id} {name:?} of {handle} ({})", scopes.join(", "));
                Act::of_user("token_issued", handle, what).with(|act| act.token = Some(id))
            }
            Change::TokenRevoked { id } => {
                let what = format!("revoked the token {id}");
                let act = match self.revoked.get(id) {
                    Some(IssuedToken { handle, name, .. }) => {
                        Act::of_user("token_revoked", handle, format!("{what} {name:?} of {handle}"))
                    }
                    None => Act::of("token_revoked", what),
                };
                act.with(|act| act.token = Some(*id))
            }
            Change::MemberAdded { namespace, handle, role } => {
                let what = format!("added {handle} to {namespace} as {}", role.as_str());
                Act::of_member("member_added", namespace, handle, what).with(|act| act.role = Some(*role))
            }
            Change::MemberRoleSet { namespace, handle, role } => {
                let what = format!("made {handle} {} of {namespace}", role.as_str());
                Act::of_member("member_role_set", namespace, handle, what).with(|act| act.role = Some(*role))
            }
            Change::MemberRemoved { namespace, handle } => {
                let what = format!("removed {handle} from {namespace}");
                Act::of_member("member_removed", namespace, handle, what)
            }
            Change::Submitted(submission) => {
                let what = |version: &str| format!("submitted {version} for review {id}");
                self.submitted("submitted", id, &submission.published, what)
            }
            Change::PromotionRequested(promotion) => {
                let reason = promotion.comment.as_deref();
                let what =
                    |version: &str| format!("asked to promote {version} in review {id}{}", because(reason));
                self.submitted("promotion_requested", id, &promotion.published, what).because(reason)
            }
            Change::SubmissionScanned { review, verdict } => {
                let verb = format!("recorded that {} in", verdict.summary());
                self.of_review("submission_scanned", *review, &verb, None)
            }
            Change::SubmissionWithdrawn { review } => {
                self.of_review("submission_withdrawn", *review, "withdrew", None)
            }
            Change::ReviewDecided { review, verdict, comment, .. } => {
                let (action, verb) = match verdict {
                    Verdict::Approved => ("review_approved", "approved"),
                    Verdict::Rejected => ("review_rejected", "rejected"),
                };
                self.of_review(action, *review, verb, comment.as_deref())
            }
            Change::Starred { skill, .. } => self.of_skill("starred", *skill, "starred"),
            Change::Unstarred { skill, .. } => self.of_skill("unstarred", *skill, "removed the star from"),
            Change::Unrated { skill, handle } => self
                .of_skill("unrated", *skill, &format!("ended {handle}'s rating of"))
                .with(|act| act.user = Some(handle.clone())),
            Change::Rated { skill, score, .. } => self
                .of_skill("rated", *skill, &format!("gave {} of 5 to", u8::from(*score)))
                .with(|act| act.score = Some(*score)),
            Change::TakenDown { takedown, by } => {
                let (whom, what) = match (by, takedown.version) {
                    (Authority::Staff, Some(_)) => ("staff", "undo the yank of a version of"),
                    (Authority::Staff, None) => ("staff", "restore"),
                    (Authority::Namespace, Some(_)) => {
                        ("the namespace's admins", "undo the yank of a version of")
                    }
                    (Authority::Namespace, None) => ("the namespace's owners", "restore"),
                };
                self.of_takedown("taken_down", takedown, &format!("left it to {whom} to {what}"))
            }
            Change::TakedownLifted(takedown) => {
                let of = if takedown.version.is_some() { " a version of" } else { "" };
                self.of_takedown("takedown_lifted", takedown, &format!("lifted the takedown of{of}"))
            }
            Change::AuthorOffered { skill, to, .. } => self
                .of_skill("author_offered", *skill, &format!("offered {to} the authorship of"))
                .with(|act| act.user = Some(to.clone())),
            Change::OwnerInvited { namespace, to, .. } => {
                Act::of_member("owner_invited", namespace, to, format!("invited {to} to own {namespace}"))
            }
            Change::OwnerInvitationEnded { namespace, handle } => {
                let what = format!("ended the invitation of {handle} to own {namespace}");
                Act::of_member("owner_invitation_ended", namespace, handle, what)
            }
            Change::PrivateNamespaceCreated { namespace, owner } => {
                let what = format!("created the private namespace {namespace} for {owner}");
                Act::of_member("private_namespace_created", namespace, owner, what)
            }
            Change::PublisherAdded { terms, .. } => {
                let what =
                    format!("added the trusted publisher {id} to {}: {}", publishes(terms), runs(terms));
                Act::of("publisher_added", what).with(|act| {
                    act.namespace = Some(terms.namespace.clone());
                    act.skill = terms.slug.clone().map(|slug| Coordinate::new(terms.namespace.clone(), slug));
                })
            }
            Change::PublisherRemoved { publisher } => {
                Act::of("publisher_removed", format!("removed the trusted publisher {publisher}"))
            }
            Change::PublishedByJob { publisher, job } => {
                let Job { issuer, host, repository, workflow, commit, run, .. } = &**job;
                let run = run.as_deref().unwrap_or("?");
                let what = format!(
                    "acted by run {run} of {workflow} in {host}/{repository} at {commit} ({issuer}, trusted publisher \
                     {publisher})"
                );
                Act::of("published_by_job", what)
            }
            Change::AuthorOfferEnded { skill } => {
                self.of_skill("author_offer_ended", *skill, "ended the offer of the authorship of")
            }
        }
    }

    fn of_review(&self, action: &'static str, review: Id, verb: &str, comment: Option<&str>) -> Act {
        let known = self.catalog.private.reviews.get(review);
        let known = known.map(|known| (known.coordinate.clone(), known.version.clone()));
        let of = known.as_ref().map(|(c, version)| format!(" of {c} {version}")).unwrap_or_default();
        let act = Act::of(action, format!("{verb} the review {review}{of}{}", because(comment)));
        let (skill, version) = known.unzip();
        act.with(|act| (act.skill, act.version, act.review) = (skill, version, Some(review))).because(comment)
    }

    fn of_takedown(&self, action: &'static str, takedown: &Takedown, verb: &str) -> Act {
        let act = self.of_skill(action, takedown.skill, verb);
        let public = self.catalog.public;
        let skill = act.skill.as_ref().and_then(|name| public.skill(name).or_else(|| public.removed(name)));
        let mut versions = skill.into_iter().flat_map(|skill| &skill.versions);
        let version = versions.find(|entry| takedown.version == Some(entry.id));
        act.with(|act| act.version = version.map(|entry| entry.version.clone()))
    }

    fn of_skill(&self, action: &'static str, id: Id, verb: &str) -> Act {
        let skill = self.catalog.public.name_of(id).cloned();
        let name = skill.as_ref().map_or_else(|| format!("the skill {id}"), ToString::to_string);
        Act::of(action, format!("{verb} {name}")).with(|act| act.skill = skill)
    }
}
