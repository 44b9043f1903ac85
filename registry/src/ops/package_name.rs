//! The skill that a package is published as.

use super::{OpError, invalid};
use crate::names::{Coordinate, Namespace};
use crate::package::{Finding, Package, RequestedName, finding_codes};

/// How to handle a package whose front matter names another namespace than the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamespaceConflict {
    /// Refuse the package.
    Refuse,
    /// Use the requested namespace, and warn. Imports do this.
    Override,
}

/// Combines the requested name with the package's own name. A requested slug wins over
/// the package's slug, with a warning. `on_namespace_conflict` decides about namespaces.
pub(super) fn coordinate(
    package: &Package,
    namespace: Option<&Namespace>,
    named: Option<&RequestedName>,
    on_namespace_conflict: NamespaceConflict,
    warnings: &mut Vec<Finding>,
) -> Result<Coordinate, OpError> {
    let manifest = &package.manifest;
    let own = manifest.requested_name.as_ref();
    let own_namespace = own.and_then(|claim| claim.namespace.as_ref());
    let form_namespace = named.and_then(|claim| claim.namespace.as_ref());
    if let (Some(field), Some(in_slug)) = (namespace, form_namespace)
        && field != in_slug
    {
        return invalid(
            "namespace",
            format!("it says `{field}`, but the slug says `{in_slug}`: make them agree"),
        );
    }
    let asked = namespace.or(form_namespace);
    if let (Some(asked), Some(own)) = (asked, own_namespace)
        && asked != own
    {
        let message = format!(
            "the front matter's name is in the namespace `{own}`, but it was published to `{asked}`: \
             change one of them"
        );
        let finding = Finding::new(finding_codes::NAMESPACE_MISMATCH, message);
        match on_namespace_conflict {
            NamespaceConflict::Refuse => return Err(OpError::InvalidPackage(vec![finding])),
            NamespaceConflict::Override => warnings.push(finding),
        }
    }
    let own_slug = own.map(|claim| &claim.slug);
    let slug = match (named.map(|claim| &claim.slug), own_slug.or(manifest.slug_from_source.as_ref())) {
        (Some(slug), own) => {
            if let Some(own) = own.filter(|own| own_slug.is_some() && *own != slug) {
                let message = format!("published as `{slug}`, while the front matter's name is `{own}`");
                warnings.push(Finding::new(finding_codes::SLUG_DIFFERS, message));
            }
            warnings.extend(package.missing_name(&format!("published as `{slug}`, which the request named")));
            slug
        }
        (None, Some(own)) => {
            let used = format!("the name of its folder or file was used, `{own}`");
            warnings.extend(package.missing_name(&used));
            own
        }
        (None, None) => return Err(nameless()),
    };
    let namespace = asked.or(own_namespace).cloned().unwrap_or_else(Namespace::global);
    Ok(Coordinate::new(namespace, slug.clone()))
}

fn nameless() -> OpError {
    let message = "the package has no name: write `name:` into the front matter of SKILL.md, or send a slug";
    OpError::InvalidPackage(vec![Finding::new(finding_codes::NAME_MISSING, message)])
}
