//! Adding and removing trusted publishers, and admitting their jobs.

use super::{CommitContext, Decision, OpError, conflict, invalid, require_active};
use crate::access::{Access, Actor, Denied};
use crate::api::private::{PublisherRecord, PublisherTerms};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Namespace, Slug};
use crate::private::{Job, PlatformRole, PrivateChange, Publisher};
use crate::public::{Id, Skill, is_word};

/// The most trusted publishers of a namespace and its skills.
const MAX_OF_NAMESPACE: usize = 200;

/// A publisher to remove.
#[derive(Debug, Clone)]
pub struct RemovePublisher {
    /// The namespace.
    pub namespace: Namespace,
    /// The publisher.
    pub id: Id,
}

/// The skill that terms name, if it exists.
fn skill<'a>(catalog: Catalog<'a>, namespace: &Namespace, slug: Option<&Slug>) -> Option<&'a Skill> {
    catalog.public.skill(&Coordinate::new(namespace.clone(), slug?.clone()))
}

/// Adds a trusted publisher. Its jobs publish in the name of the caller.
pub fn add(context: CommitContext<'_>, terms: &PublisherTerms) -> Result<Decision<PublisherRecord>, OpError> {
    let PublisherTerms { namespace, slug, .. } = terms;
    super::namespace(context.catalog, namespace)?;
    context.access().manage_publishers(namespace, skill(context.catalog, namespace, slug.as_ref()))?;
    require_active(context.catalog, namespace)?;
    let words = [
        ("repository", Some(&terms.repository)),
        ("ownerId", Some(&terms.owner_id)),
        ("workflow", Some(&terms.workflow)),
        ("environment", terms.environment.as_ref()),
    ];
    for (field, text) in words {
        // Environments may have spaces.
        let is_usable =
            |text: &String| is_word(text) || field == "environment" && is_word(&text.replace(' ', "_"));
        if text.is_some_and(|text| !is_usable(text)) {
            return invalid(
                field,
                "it must have 1 to 512 visible ASCII characters, without quotes and brackets",
            );
        }
    }
    if !terms.repository.contains('/') {
        return invalid("repository", "it must name the owner and the repository, as in `acme/skills`");
    }
    let known = || context.catalog.private.publishers.of(namespace);
    if let Some(same) = known().find(|known| known.terms == *terms) {
        return conflict(format!("the trusted publisher {} says the same already", same.id));
    }
    if known().count() >= MAX_OF_NAMESPACE {
        return conflict(format!(
            "`{namespace}` has {MAX_OF_NAMESPACE} trusted publishers: remove some first"
        ));
    }
    let (id, by) = (Id(context.revision), context.caller()?.clone());
    let reply = PublisherRecord { id, terms: terms.clone(), added_by: by.clone(), created_at: context.at };
    Ok(Decision::private(PrivateChange::PublisherAdded { terms: Box::new(terms.clone()), by }, reply))
}

/// Removes a trusted publisher. The tokens of its jobs end.
pub fn remove(context: CommitContext<'_>, input: &RemovePublisher) -> Result<Decision<()>, OpError> {
    let RemovePublisher { namespace, id } = input;
    super::namespace(context.catalog, namespace)?;
    let known =
        context.catalog.private.publishers.get(*id).filter(|known| known.terms.namespace == *namespace);
    let of = known.and_then(|known| skill(context.catalog, namespace, known.terms.slug.as_ref()));
    context.access().manage_publishers(namespace, of)?;
    if known.is_none() {
        return Err(OpError::NotFound(format!("`{namespace}` has no trusted publisher {id}: list them")));
    }
    Ok(Decision::private(PrivateChange::PublisherRemoved { publisher: *id }, ()))
}

/// Finds the publisher that admits a job to publish a skill, or without `slug` all skills of a namespace.
pub fn admit<'a>(
    catalog: Catalog<'a>,
    job: &Job,
    namespace: &'a Namespace,
    slug: Option<&Slug>,
) -> Result<&'a Publisher, Denied> {
    let what = match slug {
        Some(slug) => Coordinate::new(namespace.clone(), slug.clone()).scoped(),
        None => format!("the whole namespace `{namespace}`"),
    };
    let refused = |why: String| Denied(format!("this job may not publish {what}: {why}"));
    let publisher = catalog.private.publishers.admit(job, namespace, slug).map_err(refused)?;
    let person = catalog.private.user(&publisher.added_by).map(Actor::absent);
    let person = person.map(|person| Actor { role: PlatformRole::User, ..person });
    match person.is_some_and(|person| Access::of(catalog, &person).publish(namespace).is_ok()) {
        true => Ok(publisher),
        false => {
            let by = &publisher.added_by;
            Err(refused(format!("`{by}`, who added its trusted publisher, may not publish there any longer")))
        }
    }
}
