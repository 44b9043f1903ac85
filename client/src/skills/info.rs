//! Everything a registry says about a skill.

use std::borrow::Cow;

use generator::address::Document;
use registry::api::public::{FullList, SkillDetail, VersionRecord};
use registry::data_fault::json_fault;
use registry::names::Version;
use registry::package::FileRecord;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::skills::resolve::{explain_unresolved, highest_of, no_such_skill, wrong_subject};
use crate::{ClientError, Requirement, SkillReference, Source};

/// A skill and its versions.
pub struct SkillInfo {
    /// The skill.
    pub skill: SkillDetail<'static>,
    /// All versions, the highest first. None if the registry has no list of them.
    pub versions: Option<Vec<VersionRecord<'static>>>,
    /// The requested version. None if neither version nor tag was requested.
    pub requested: Option<Version>,
    /// The files of the shown version, if they were asked for.
    pub files: Option<Vec<FileRecord>>,
    /// The registry's record of the skill, with the added field `versions`, and `shown` (the
    /// requested version) if a version or tag was requested.
    pub json: Value,
}

impl SkillInfo {
    /// The version that is shown: the requested one or the latest.
    pub fn shown_version(&self) -> Option<&Version> {
        self.requested.as_ref().or(self.skill.summary.version.as_deref())
    }
}

/// Reads a skill and its versions. A requested version or tag must exist, but may be yanked.
pub fn skill_info(source: &Source, reference: &SkillReference) -> Result<SkillInfo, ClientError> {
    let coordinate = &reference.coordinate;
    let document = Document::Skill(coordinate.clone());
    let Some(mut json) = source.document::<Value>(&document)? else {
        return Err(no_such_skill(source, coordinate));
    };
    let skill: SkillDetail<'_> = decode(source, &document, &json)?;
    let found = &skill.summary.canonical_slug;
    if **found != *coordinate {
        return Err(wrong_subject(source, &document, &SkillReference::argument(found)));
    }
    let document = Document::Versions(coordinate.clone());
    let listed = source.document::<Value>(&document)?;
    let versions: Option<FullList<VersionRecord<'_>>> =
        listed.as_ref().map(|listed| decode(source, &document, listed)).transpose()?;
    let mut versions = versions.map(|list| list.items);
    versions.iter_mut().for_each(|versions| versions.sort_by(|a, b| b.version.cmp(&a.version)));
    let requested = match &reference.requirement {
        None => None,
        Some(Requirement::Exact(version)) => Some(version.clone()),
        Some(Requirement::Latest) => skill.summary.version.clone().map(Cow::into_owned),
        Some(Requirement::Tag(tag)) => skill.summary.tags.get(tag).cloned().map(Cow::into_owned),
        Some(Requirement::Range(range)) => {
            let found = highest_of(versions.as_deref().unwrap_or_default(), range);
            found.map(|found| found.version.clone().into_owned())
        }
    };
    let is_listed =
        versions.iter().flatten().any(|listed| requested.as_ref().is_some_and(|it| *it == *listed.version));
    if reference.requirement.is_some() && !is_listed {
        // Fails with another error if the reason cannot be found out.
        return Err(explain_unresolved(source, reference)?);
    }
    if let Some(fields) = json.as_object_mut() {
        let items = listed.and_then(|mut list| list.get_mut("items").map(Value::take));
        // A registry without the list still gives the field, so that programs find it.
        fields.insert("versions".to_owned(), items.unwrap_or_else(|| json!([])));
        fields.extend(requested.as_ref().map(|version| ("shown".to_owned(), json!(version))));
    }
    Ok(SkillInfo { skill, versions, requested, files: None, json })
}

/// Adds the list of files of the shown version, also to the JSON. A skill whose versions are all
/// yanked has none.
pub fn add_files(source: &Source, info: &mut SkillInfo) -> Result<(), ClientError> {
    let coordinate = &info.skill.summary.canonical_slug;
    let Some(version) = info.shown_version() else { return Ok(()) };
    let document = Document::Files(coordinate.clone().into_owned(), version.clone());
    let Some(mut listed) = source.document::<Value>(&document)? else {
        let skill = format!("{} {version}", SkillReference::argument(coordinate));
        return Err(ClientError::NotFound(format!(
            "{} has no list of the files of {skill}",
            source.address()
        )));
    };
    let list: FullList<FileRecord> = decode(source, &document, &listed)?;
    if let (Some(fields), Some(items)) = (info.json.as_object_mut(), listed.get_mut("items")) {
        fields.insert("files".to_owned(), items.take());
    }
    info.files = Some(list.items);
    Ok(())
}

fn decode<T: DeserializeOwned>(source: &Source, document: &Document, json: &Value) -> Result<T, ClientError> {
    T::deserialize(json).map_err(|why| source.invalid(document, json_fault(&why)))
}
