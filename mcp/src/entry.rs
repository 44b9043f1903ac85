//! The entry of a skill in the extension: its front matter and its files.

use registry::names::{Coordinate, Slug};
use registry::package::{FileRecord, SKILL_MD};
use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::{Map, Value};

use crate::skill_uri::{file, folder};

/// The most files of a skill that the extension lets servers serve.
pub(crate) const MAX_FILES: u64 = 512;

/// The most bytes of all files of a skill that the extension lets servers serve.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// Says why a skill of this size is not served. `None` if it is.
pub(crate) fn too_large(files: u64, bytes: u64) -> Option<String> {
    if files > MAX_FILES {
        return Some(format!("has {files} files, more than the {MAX_FILES} of the skills extension"));
    }
    let is_too_large = bytes > MAX_BYTES;
    is_too_large.then(|| format!("has {bytes} bytes, more than the {MAX_BYTES} of the skills extension"))
}

/// The `name` of the front matter, if it follows the rules of the Agent Skills specification.
pub(crate) fn valid_name(front_matter: &Map<String, Value>) -> Option<&str> {
    // A slug follows these rules, too.
    front_matter.get("name")?.as_str().filter(|name| name.parse::<Slug>().is_ok())
}

/// Whether the optional fields of the front matter follow the Agent Skills specification. Clients may
/// refuse a whole page of a list because of one entry that does not.
pub(crate) fn has_valid_fields(front_matter: &Map<String, Value>) -> bool {
    let length = |text: &str| text.chars().count();
    front_matter.iter().all(|(key, value)| match (key.as_str(), value) {
        ("description", Value::String(text)) => !text.trim().is_empty() && length(text) <= 1024,
        ("compatibility", Value::String(text)) => (1..=500).contains(&length(text)),
        ("metadata", Value::Object(fields)) => fields.values().all(Value::is_string),
        ("license" | "allowed-tools", value) => value.is_string(),
        ("description" | "compatibility" | "metadata", _) => false,
        _ => true,
    })
}

/// The URI of a skill's folder.
pub(crate) fn folder_of(coordinate: &Coordinate, front_matter: &Map<String, Value>) -> String {
    folder(coordinate, valid_name(front_matter))
}

/// Makes the entry of a skill. The error says what the extension does not allow, after the skill's
/// name.
pub(crate) fn entry(
    coordinate: &Coordinate,
    front_matter: &Map<String, Value>,
    files: &[FileRecord],
) -> Result<Skill, String> {
    let size = files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size));
    if let Some(why) = too_large(files.len() as u64, size) {
        return Err(why);
    }
    let name = valid_name(front_matter).ok_or("has no valid `name` in its front matter")?;
    let description = front_matter.get("description").and_then(Value::as_str);
    let description = description.ok_or("has no `description` in its front matter")?;
    let mut frontmatter = SkillFrontmatter::new(name, description);
    for (key, value) in front_matter.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"))
    {
        frontmatter = frontmatter.with_field(key, value.clone());
    }
    let folder = folder_of(coordinate, front_matter);
    let resource = |record: &FileRecord| {
        SkillResource::new(file(&folder, &record.path), format!("sha256:{}", record.sha256), record.size)
    };
    let resources = SkillResources::Files(files.iter().map(resource).collect());
    let skill = Skill::new(file(&folder, SKILL_MD), frontmatter, resources);
    skill
        .validate()
        .map_err(|_| "does not follow the skills extension: it has no SKILL.md, or a file twice")?;
    Ok(skill)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use registry::names::Digest;
    use serde_json::json;

    use super::*;

    fn record(path: &str, size: u64) -> FileRecord {
        let content_type = "text/markdown".to_owned();
        FileRecord { path: path.to_owned(), size, sha256: Digest::of(b""), content_type, executable: false }
    }

    fn entry_of(front_matter: Value, files: &[FileRecord]) -> Result<Skill, String> {
        entry(&"tools--hello".parse().unwrap(), front_matter.as_object().unwrap(), files)
    }

    #[test]
    fn entry_has_the_whole_front_matter_and_all_files() {
        let front_matter = json!({"name": "hello", "description": "Greets.", "metadata": {"a": [1]}});
        let skill = entry_of(front_matter.clone(), &[record("SKILL.md", 7), record("a b.md", 0)]).unwrap();
        let json = serde_json::to_value(&skill).unwrap();
        assert_eq!(json["frontmatter"], front_matter);
        assert_eq!(json["uri"], "skill://tools/hello/SKILL.md");
        assert_eq!(json["resources"][1]["uri"], "skill://tools/hello/a%20b.md");
        assert_eq!(json["resources"][0]["size"], 7);
        assert!(json["resources"][0]["digest"].as_str().unwrap().starts_with("sha256:e3b0c442"));
    }

    #[test]
    fn fields_are_valid_by_the_specification() {
        let is_valid = |front_matter: Value| has_valid_fields(front_matter.as_object().unwrap());
        for good in [
            json!({"description": "Greets.", "metadata": {"version": "1.0"}, "license": "MIT", "more": [1]}),
            json!({"allowed-tools": "Read", "compatibility": "All."}),
        ] {
            assert!(is_valid(good.clone()), "{good}");
        }
        for bad in [
            json!({"metadata": {"openclaw": {"emoji": "x"}}}),
            json!({"metadata": {"version": 1.0}}),
            json!({"metadata": "x"}),
            json!({"allowed-tools": ["Read"]}),
            json!({"license": null}),
            json!({"compatibility": ""}),
            json!({"description": "x".repeat(1025)}),
        ] {
            assert!(!is_valid(bad.clone()), "{bad}");
        }
    }

    #[test]
    fn entry_that_the_extension_does_not_allow_is_refused() {
        let files = [record("SKILL.md", 1)];
        let good = json!({"name": "hello", "description": "Greets."});
        for (front_matter, files, why) in [
            (json!({"description": "Greets."}), files.to_vec(), "no valid `name`"),
            (json!({"name": "tools--hello", "description": "Greets."}), files.to_vec(), "no valid `name`"),
            (json!({"name": "hello", "description": 1}), files.to_vec(), "no `description`"),
            (good.clone(), vec![record("SKILL.md", MAX_BYTES + 1)], "bytes"),
            (good.clone(), vec![record("SKILL.md", 0); 513], "513 files"),
            (good.clone(), vec![record("README.md", 0)], "SKILL.md"),
            (good, vec![record("SKILL.md", 0); 2], "twice"),
        ] {
            let refused = entry_of(front_matter, &files).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        let renamed = entry_of(json!({"name": "hi", "description": "Greets."}), &files).unwrap();
        assert_eq!(renamed.uri, "skill://tools/hello/hi/SKILL.md");
    }
}
