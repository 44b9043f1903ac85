//! A first SKILL.md.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use registry::names::Slug;
use registry::package::{
    Limits, LooseFile, Package, ReadOptions, Refusal, SKILL_MD, Strictness, placeholders,
};

use crate::ClientError;

/// What a new skill says about itself.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The name, which the folder should have too.
    pub name: Slug,
    /// What it does and when an agent should use it: 1 to 1,024 characters.
    pub description: String,
    /// The license, such as `MIT`.
    pub license: Option<String>,
}

impl Starter {
    /// The text of the SKILL.md. It passes all checks.
    ///
    /// Errors: a field is too long, or has characters that a package must not have.
    pub fn text(&self) -> Result<String, Refusal> {
        let mut text = format!("---\nname: {}\ndescription: {}\n", self.name, scalar(&self.description));
        if let Some(license) = &self.license {
            text += &format!("license: {}\n", scalar(license));
        }
        text += &format!("---\n\n# {}\n\n{}\n\n{}\n", self.title(), placeholders::STEPS, placeholders::FILES);
        self.check(&text)?;
        Ok(text)
    }

    /// The name as a heading: `pdf-forms` is `Pdf forms`.
    fn title(&self) -> String {
        let name = self.name.as_str().replace('-', " ");
        let mut letters = name.chars();
        letters.next().map_or(String::new(), |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
    }

    fn check(&self, text: &str) -> Result<(), Refusal> {
        let options = ReadOptions {
            source_name: None,
            strictness: Strictness::Strict,
            limits: &Limits::default(),
            allowed_files: &[],
        };
        let content = text.as_bytes().to_vec();
        let file = LooseFile { path: SKILL_MD.to_owned(), executable: false, content };
        Package::from_files(vec![file], &options).map(|_| ())
    }

    /// Writes SKILL.md into `folder`, which is created if it does not exist. Returns its path.
    ///
    /// Errors: there is one already, in any letter case, or it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ClientError> {
        let path = folder.join(SKILL_MD);
        let unusable = |path: &Path, why: String| ClientError::File { path: path.to_owned(), why };
        let text = self.text().map_err(|refusal| unusable(&path, refusal.to_string()))?;
        if let Some(existing) = existing(folder) {
            let why = "it exists already, and is not replaced: edit it, or choose another folder";
            return Err(unusable(&existing, why.to_owned()));
        }
        fs::create_dir_all(folder).map_err(|why| unusable(folder, why.to_string()))?;
        let written = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => unusable(&path, "it exists already, and is not replaced".to_owned()),
            _ => unusable(&path, why.to_string()),
        })?;
        Ok(path)
    }
}

/// The SKILL.md of a folder, in any letter case.
pub fn existing(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?;
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().eq_ignore_ascii_case(SKILL_MD);
    entries.flatten().find(named).map(|entry| entry.path())
}

/// A text as a YAML scalar: as it is if that is plain, else in double quotes, which YAML reads as
/// JSON does.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '-' | '_' | '(' | ')' | '/');
    let is_plain = text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(plain)
        && text.trim() == text
        // Other types than texts: true, null, 1e3.
        && text.contains([' ', '.']);
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn starter(description: &str) -> Starter {
        Starter { name: "pdf-forms".parse().unwrap(), description: description.to_owned(), license: None }
    }

    #[test]
    fn plain_text_is_not_quoted() {
        let text = starter("Fills in PDF forms. Use it when a form is to be filled in.").text().unwrap();
        let start = "---\nname: pdf-forms\ndescription: Fills in PDF forms. Use it when a form is to be filled in.\n---\n\n# Pdf forms\n";
        assert!(text.starts_with(start), "{text}");
    }

    proptest! {
        #[test]
        fn description_is_read_as_it_was_given(description in "[ -~äöü]{1,80}") {
            prop_assume!(!description.trim().is_empty());
            let text = starter(&description).text().unwrap();
            let options = ReadOptions {
                source_name: None,
                strictness: Strictness::Strict,
                limits: &Limits::default(),
                allowed_files: &[],
            };
            let file = LooseFile { path: SKILL_MD.to_owned(), executable: false, content: text.into_bytes() };
            let package = Package::from_files(vec![file], &options).unwrap();
            prop_assert_eq!(package.manifest.description, description.trim());
        }
    }

    #[test]
    fn skill_md_in_other_letters_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("skill.md"), "mine").unwrap();
        let why = starter("Greets people.").write(folder.path()).unwrap_err().to_string();
        assert!(why.contains("skill.md") && why.contains("not replaced"), "{why}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
