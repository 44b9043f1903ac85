//! All that there is to know about a skill.

use generator::address::{Document, Pointer};
use registry::names::Version;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::records::{List, SkillRecord, VersionRecord};
use crate::resolving::{no_such_skill, not_about, unresolved};
use crate::{ClientError, SkillReference, Source};

/// A skill with its versions.
pub struct Described {
    /// The skill.
    pub skill: SkillRecord,
    /// All its versions, newest first; None where the registry has no list of them.
    pub versions: Option<List<VersionRecord>>,
    /// The version that was asked for; None where nothing was said, or it is not known.
    pub asked: Option<Version>,
    /// The skill's record as the registry gives it, with `versions`, and with `shown` where
    /// a version or tag was asked for.
    pub json: Value,
}

/// What there is to know about a skill. A version or tag has to be there; a yanked version
/// is shown too.
pub fn describe(source: &Source, reference: &SkillReference) -> Result<Described, ClientError> {
    let coordinate = &reference.coordinate;
    let skill = Document::Skill(coordinate.clone());
    let Some(mut json) = source.document::<Value>(&skill)? else {
        return Err(no_such_skill(source, coordinate));
    };
    let record: SkillRecord = typed(source, &skill, &json)?;
    if record.canonical_slug != *coordinate {
        return Err(not_about(source, &skill, &record.canonical_slug.scoped()));
    }
    let list = Document::Versions(coordinate.clone());
    let listed = source.document::<Value>(&list)?;
    let versions: Option<List<VersionRecord>> =
        listed.as_ref().map(|listed| typed(source, &list, listed)).transpose()?;
    let asked = match &reference.pointer {
        None => None,
        Some(Pointer::Version(version)) => Some(version.clone()),
        Some(Pointer::Tag(tag)) if tag.as_str() == "latest" => record.version.clone(),
        Some(Pointer::Tag(tag)) => record.tags.get(tag).cloned(),
    };
    let known = versions.iter().flat_map(|list| &list.items);
    if reference.pointer.is_some()
        && !known.map(|known| Some(&known.version)).any(|known| known == asked.as_ref())
    {
        return Err(unresolved(source, reference)?);
    }
    if let Value::Object(all) = &mut json {
        let items = listed.and_then(|mut list| list.get_mut("items").map(Value::take));
        all.insert("versions".to_owned(), items.unwrap_or_else(|| json!([])));
        asked.iter().for_each(|asked| drop(all.insert("shown".to_owned(), json!(asked))));
    }
    Ok(Described { skill: record, versions, asked, json })
}

fn typed<T: DeserializeOwned>(source: &Source, document: &Document, json: &Value) -> Result<T, ClientError> {
    T::deserialize(json).map_err(|why| ClientError::NotTheDocument {
        url: format!("{}{}", source.address(), document.request()),
        registry: source.address().to_string(),
        why: why.to_string(),
    })
}
