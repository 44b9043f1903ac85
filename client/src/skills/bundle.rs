//! Bundles of a registry.

use generator::address::Document;
use registry::api::public::BundleRecord;
use registry::names::BundleName;

use super::resolve::wrong_subject;
use crate::{ClientError, SkillReference, Source};

/// Reads a bundle.
pub fn bundle(source: &Source, name: &BundleName) -> Result<BundleRecord, ClientError> {
    let document = Document::Bundle(name.clone());
    let Some(found) = source.document::<BundleRecord>(&document)? else {
        let advice = format!("list them with `skillmirror bundle list {}`", name.namespace);
        return Err(source.missing(format!("no bundle {name} at {}", source.address()), &advice));
    };
    match found.name == *name {
        true => Ok(found),
        false => Err(wrong_subject(source, &document, &found.name.to_string())),
    }
}

/// The members, as arguments of `install`.
pub fn members(bundle: &BundleRecord) -> impl Iterator<Item = SkillReference> {
    bundle.members.iter().map(|member| SkillReference {
        coordinate: member.required.coordinate(),
        requirement: Some(member.required.requirement.clone()),
    })
}
