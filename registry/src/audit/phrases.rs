//! Parts of sentences about changes.

use crate::api::private::PublisherTerms;

/// The reason, after what was done.
pub(super) fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

/// What a publisher may publish.
pub(super) fn publishes(terms: &PublisherTerms) -> String {
    match &terms.slug {
        Some(slug) => format!("{}/{slug}", terms.namespace),
        None => terms.namespace.to_string(),
    }
}

/// The jobs of a publisher.
pub(super) fn runs(terms: &PublisherTerms) -> String {
    let PublisherTerms { issuer, repository, owner_id, workflow, environment, .. } = terms;
    let environment =
        environment.as_ref().map(|name| format!(" in the environment {name:?}")).unwrap_or_default();
    format!("{workflow} of {repository} (owner {owner_id}) at {issuer}{environment}")
}
