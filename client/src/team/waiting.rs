//! Versions that wait for review, for those who may see them.

use registry::api::private::{Account, ReviewRecord, ReviewStatus};
use registry::api::public::Page;
use registry::names::Namespace;
use registry::roles::{MemberRole, PlatformRole};

use super::{PageRequest, Reply, SignedIn};
use crate::registry_choice::RegistryChoice;
use crate::{ClientError, Requirement, SkillReference};

/// The most namespaces whose reviews are counted.
const MAX_NAMESPACES: usize = 50;

/// The error `why`, or a better one if what was not found waits for review and the person of the saved
/// login may see that: submitters see their own submissions, reviewers those of their namespaces. Nobody
/// else learns that there is a submission, because the registry refuses to tell them.
pub fn explain_waiting(chosen: &RegistryChoice, reference: &SkillReference, why: ClientError) -> ClientError {
    if !matches!(why, ClientError::NotFound(_)) {
        return why;
    }
    let found = SignedIn::if_known(chosen).and_then(|of| find(&of, reference));
    let Some((review, is_own)) = found else { return why };
    let ReviewRecord { id, namespace, version, .. } = &review;
    let name = SkillReference::argument(&review.coordinate());
    let me = if is_own { ", and `skillmirror me` what became of it" } else { "" };
    ClientError::NotFound(format!(
        "{name} {version} is not public at {} yet: it waits for review {id}. \
         `skillmirror review show {namespace} {id}` shows it{me}",
        chosen.address
    ))
}

/// The newest submission that fits, and whether it is the caller's own. A failure to ask is no answer: the
/// first error says enough.
fn find(of: &SignedIn, reference: &SkillReference) -> Option<(ReviewRecord<'static>, bool)> {
    let SkillReference { coordinate, requirement } = reference;
    let fits = |review: &ReviewRecord<'_>| {
        // It has no tags yet, and may be the latest.
        let is_wanted = requirement
            .as_ref()
            .is_none_or(|wanted| wanted.allows(&review.version).unwrap_or(*wanted == Requirement::Latest));
        review.status == ReviewStatus::Pending && review.coordinate() == *coordinate && is_wanted
    };
    let own: Option<Reply<Page<ReviewRecord<'_>>>> = of.list("/api/v1/me/reviews", PageRequest::first()).ok();
    let own = own.and_then(|own| own.record.items.into_iter().find(&fits));
    if let Some(own) = own {
        return Some((own, true));
    }
    let others = pending(of, &coordinate.namespace).ok()?;
    others.record.items.into_iter().find(fits).map(|review| (review, false))
}

/// How many submissions of others wait for a decision of this person, by namespace: in those that they are an
/// admin or owner of, and for moderators in `global`, too. At most 50 namespaces are asked.
///
/// Errors: the registry cannot be asked.
pub fn waiting_reviews(of: &SignedIn, me: &Account) -> Result<Vec<(Namespace, u64)>, ClientError> {
    let own = me.namespaces.iter().filter(|own| own.role >= MemberRole::Admin);
    let mut reviewed: Vec<Namespace> = own.map(|own| own.slug.clone()).collect();
    if me.whoami.role != PlatformRole::User {
        reviewed.retain(|namespace| !namespace.is_global());
        reviewed.insert(0, Namespace::global());
    }
    let mut waiting = Vec::new();
    for namespace in reviewed.into_iter().take(MAX_NAMESPACES) {
        let found = match pending(of, &namespace) {
            Ok(found) => found.record,
            // Their rights have changed meanwhile.
            Err(ClientError::Problem(_)) => continue,
            Err(why) => return Err(why),
        };
        let own = found.items.iter().filter(|review| review.submitted_by.handle == me.id).count();
        // Nobody decides about their own submission.
        let count = found.total.saturating_sub(own) as u64;
        if count > 0 {
            waiting.push((namespace, count));
        }
    }
    Ok(waiting)
}

/// The submissions to a namespace that wait for a decision.
fn pending(of: &SignedIn, namespace: &Namespace) -> Result<Reply<Page<ReviewRecord<'static>>>, ClientError> {
    of.list(&format!("/api/v1/namespaces/{namespace}/reviews?status=pending"), PageRequest::first())
}
