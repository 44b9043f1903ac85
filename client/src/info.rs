//! Everything a registry says about a skill.

use generator::address::{Document, Pointer};
use registry::names::Version;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::records::{List, SkillRecord, VersionRecord};
use crate::resolve::{explain_unresolved, no_such_skill, wrong_subject};
use crate::{ClientError, SkillReference, Source};

/// A skill and its versions.
pub struct SkillInfo {
    /// The skill.
    pub skill: SkillRecord,
    /// All versions, newest first. None if the registry has no list of them.
    pub versions: Option<Vec<VersionRecord>>,
    /// The requested version. None if neither version nor tag was requested.
    pub requested: Option<Version>,
    /// The registry's record of the skill, with the added field `versions`, and `shown` if a
    /// version or tag was requested.
    pub json: Value,
}

/// Reads a skill and its versions. A requested version or tag must exist, but may be yanked.
pub fn skill_info(source: &Source, reference: &SkillReference) -> Result<SkillInfo, ClientError> {
    let coordinate = &reference.coordinate;
    let document = Document::Skill(coordinate.clone());
    let Some(mut json) = source.document::<Value>(&document)? else {
        return Err(no_such_skill(source, coordinate));
    };
    let skill: SkillRecord = typed(source, &document, &json)?;
    if skill.canonical_slug != *coordinate {
        return Err(wrong_subject(source, &document, &skill.canonical_slug.scoped()));
    }
    let document = Document::Versions(coordinate.clone());
    let listed = source.document::<Value>(&document)?;
    let versions: Option<List<VersionRecord>> =
        listed.as_ref().map(|listed| typed(source, &document, listed)).transpose()?;
    let versions = versions.map(|list| list.items);
    let requested = match &reference.pointer {
        None => None,
        Some(Pointer::Version(version)) => Some(version.clone()),
        Some(Pointer::Tag(tag)) if tag.as_str() == "latest" => skill.version.clone(),
        Some(Pointer::Tag(tag)) => skill.tags.get(tag).cloned(),
    };
    let mut known = versions.iter().flatten();
    if reference.pointer.is_some() && !known.any(|known| Some(&known.version) == requested.as_ref()) {
        return Err(explain_unresolved(source, reference)?);
    }
    if let Some(fields) = json.as_object_mut() {
        let items = listed.and_then(|mut list| list.get_mut("items").map(Value::take));
        fields.insert("versions".to_owned(), items.unwrap_or_else(|| json!([])));
        fields.extend(requested.as_ref().map(|version| ("shown".to_owned(), json!(version))));
    }
    Ok(SkillInfo { skill, versions, requested, json })
}

fn typed<T: DeserializeOwned>(source: &Source, document: &Document, json: &Value) -> Result<T, ClientError> {
    T::deserialize(json).map_err(|why| source.invalid(document, why.to_string()))
}
