//! Setting and removing bundles of a namespace.

use super::{CommitContext, Decision, OpError, conflict, invalid, require_active};
use crate::api::public::BundleRecord;
use crate::names::BundleName;
use crate::public::{Bundle, BundleEntry, MAX_BUNDLES, PublicChange};

/// The bundle after [`set`].
#[derive(Debug, Clone)]
pub struct BundleReply {
    /// Whether the bundle is new.
    pub is_new: bool,
    /// The bundle.
    pub record: BundleRecord,
}

/// Makes or changes a bundle. Does nothing if it is so already.
pub fn set(context: CommitContext<'_>, input: &Bundle) -> Result<Decision<BundleReply>, OpError> {
    let (name, catalog) = (&input.name, context.catalog.public);
    changeable(context, name)?;
    input.check().or_else(|(field, why)| invalid(field, format!("the bundle {why}")))?;
    for (field, text) in [("title", &input.title), ("description", &input.description)] {
        super::refuse_secret(field, text)?;
    }
    for member in &input.members {
        let skill = super::skill(context.catalog, &member.coordinate())?;
        if skill.required(&member.requirement).is_none() {
            return invalid("members", format!("no version fits {member}: choose another requirement"));
        }
    }
    let before = catalog.bundle(name);
    if before.is_none() && catalog.bundles_of(&name.namespace).count() >= MAX_BUNDLES {
        return conflict(format!("`{}` has {MAX_BUNDLES} bundles: remove one first", name.namespace));
    }
    if let Some(full) = catalog.full_of_bundles(input) {
        let skill = full.scoped();
        return conflict(format!("{skill} is in {MAX_BUNDLES} bundles of other namespaces: leave it out"));
    }
    if let Some(before) = before.filter(|before| before.bundle == *input) {
        return Ok(Decision::nothing(BundleReply {
            is_new: false,
            record: BundleRecord::new(catalog, before),
        }));
    }
    let entry = BundleEntry { bundle: input.clone(), updated_at: context.at, revision: context.revision };
    let reply = BundleReply { is_new: before.is_none(), record: BundleRecord::new(catalog, &entry) };
    Ok(Decision::public(PublicChange::BundleSet(Box::new(entry.bundle)), reply))
}

/// Removes a bundle.
pub fn remove(context: CommitContext<'_>, name: &BundleName) -> Result<Decision<()>, OpError> {
    changeable(context, name)?;
    if context.catalog.public.bundle(name).is_none() {
        return Err(OpError::NotFound(format!("there is no bundle {name}")));
    }
    Ok(Decision::public(PublicChange::BundleRemoved(name.clone()), ()))
}

fn changeable(context: CommitContext<'_>, name: &BundleName) -> Result<(), OpError> {
    super::namespace(context.catalog, &name.namespace)?;
    context.access().manage_bundles(&name.namespace)?;
    require_active(context.catalog, &name.namespace)
}
