//! The entry of a skill in the extension: its front matter and its files.

use registry::names::{Coordinate, Slug};
use registry::package::portability::{MCP, MCP_BYTES, MCP_FILES, Portable};
use registry::package::{FileRecord, SKILL_MD};
use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::{Map, Value};

use crate::skill_uri::{file, folder};

/// The most files of a skill that the extension lets servers serve.
pub(crate) const MAX_FILES: u64 = MCP_FILES as u64;

/// The most bytes of all files of a skill that the extension lets servers serve.
pub(crate) const MAX_BYTES: u64 = MCP_BYTES;

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
    let package = Portable { front_matter, files, slug: &coordinate.slug };
    if let Some(why) = MCP.refusal(package) {
        return Err(format!("breaks a rule of the skills extension: {why}"));
    }
    let text = |key| front_matter.get(key).and_then(Value::as_str).unwrap_or_default();
    let (name, description) = (text("name"), text("description"));
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
    skill.validate().map_err(|_| "does not follow the skills extension: it has a file twice")?;
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
        let front_matter =
            json!({"name": "hello", "description": "Greets.", "metadata": {"a": "1"}, "more": [1]});
        let skill = entry_of(front_matter.clone(), &[record("SKILL.md", 7), record("a b.md", 0)]).unwrap();
        let json = serde_json::to_value(&skill).unwrap();
        assert_eq!(json["frontmatter"], front_matter);
        assert_eq!(json["uri"], "skill://tools/hello/SKILL.md");
        assert_eq!(json["resources"][1]["uri"], "skill://tools/hello/a%20b.md");
        assert_eq!(json["resources"][0]["size"], 7);
        assert!(json["resources"][0]["digest"].as_str().unwrap().starts_with("sha256:e3b0c442"));
    }

    #[test]
    fn entry_that_the_extension_does_not_allow_is_refused() {
        let files = [record("SKILL.md", 1)];
        let good = json!({"name": "hello", "description": "Greets."});
        for (front_matter, files, why) in [
            (json!({"description": "Greets."}), files.to_vec(), "`name` does not follow"),
            (
                json!({"name": "tools--hello", "description": "Greets."}),
                files.to_vec(),
                "`name` does not follow",
            ),
            (json!({"name": "hello", "description": 1}), files.to_vec(), "`description` is not a text"),
            (
                json!({"name": "hello", "description": "x", "metadata": {"a": [1]}}),
                files.to_vec(),
                "`metadata.a`",
            ),
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
