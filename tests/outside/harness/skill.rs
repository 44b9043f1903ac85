//! A builder for skill packages.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A skill: a `SKILL.md` made from its parts, or given whole, and other files.
#[derive(Clone)]
pub struct Skill {
    front_matter: Vec<String>,
    body: String,
    entry: Option<(String, Vec<u8>)>,
    described: bool,
    top: String,
    files: Vec<(String, Vec<u8>, bool)>,
}

impl Skill {
    /// A valid skill with only a name, a description and one paragraph.
    pub fn named(name: &str) -> Self {
        Self { front_matter: vec![format!("name: {name}")], ..Self::nameless() }
    }

    /// A valid skill whose front matter has no name.
    pub fn nameless() -> Self {
        Self {
            front_matter: Vec::new(),
            body: "Say hello to all who ask.\n".to_owned(),
            entry: None,
            described: false,
            top: String::new(),
            files: Vec::new(),
        }
    }

    /// A package whose `SKILL.md` is these bytes.
    pub fn of_text(text: &[u8]) -> Self {
        Self { entry: Some(("SKILL.md".to_owned(), text.to_vec())), ..Self::nameless() }
    }

    /// A package that has no `SKILL.md`.
    pub fn without_entry() -> Self {
        Self { entry: Some((String::new(), Vec::new())), ..Self::nameless() }
    }

    /// Adds a line of front matter.
    pub fn line(mut self, line: &str) -> Self {
        self.front_matter.push(line.to_owned());
        self
    }

    pub fn description(mut self, text: &str) -> Self {
        self.described = true;
        self.line(&format!("description: {text}"))
    }

    /// Front matter without a description.
    pub fn undescribed(mut self) -> Self {
        self.described = true;
        self
    }

    /// Sets the version in the front matter.
    pub fn version(self, version: &str) -> Self {
        self.line(&format!("version: {version}"))
    }

    /// Sets the text after the front matter.
    pub fn text(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    pub fn file(mut self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.files.push((path.to_owned(), bytes.as_ref().to_vec(), false));
        self
    }

    pub fn executable(mut self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.files.push((path.to_owned(), bytes.as_ref().to_vec(), true));
        self
    }

    /// Puts all files into one folder.
    pub fn inside(mut self, folder: &str) -> Self {
        self.top = format!("{folder}/");
        self
    }

    /// The bytes of `SKILL.md`.
    pub fn skill_md(&self) -> Vec<u8> {
        if let Some((_, bytes)) = &self.entry {
            return bytes.clone();
        }
        let mut lines = self.front_matter.clone();
        if !self.described {
            lines.push("description: Greets people by their name.".to_owned());
        }
        format!("---\n{}\n---\n\n{}", lines.join("\n"), self.body).into_bytes()
    }

    /// Path, content and whether it is executable, in the order of adding.
    pub fn entries(&self) -> Vec<(String, Vec<u8>, bool)> {
        let mut entries = Vec::new();
        match &self.entry {
            Some((name, _)) if name.is_empty() => {}
            _ => entries.push(("SKILL.md".to_owned(), self.skill_md(), false)),
        }
        entries.extend(self.files.iter().cloned());
        entries
    }

    /// Path and content of the files in the published package.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        self.entries().into_iter().map(|(path, bytes, _)| (path, bytes)).collect()
    }

    /// The zip.
    pub fn zip(&self) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes, executable) in self.entries() {
            let mode = if executable { 0o755 } else { 0o644 };
            let options = SimpleFileOptions::default().unix_permissions(mode);
            zip.start_file(format!("{}{path}", self.top), options).expect("a zip entry");
            zip.write_all(&bytes).expect("a zip entry");
        }
        zip.finish().expect("a zip").into_inner()
    }

    /// Writes the files into `folder`.
    pub fn write_to(&self, folder: &Path) {
        use std::os::unix::fs::PermissionsExt;
        for (path, bytes, executable) in self.entries() {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, bytes).expect("a file");
            let mode = if executable { 0o755 } else { 0o644 };
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("a mode");
        }
    }
}

/// A zip of any entries.
pub fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    entries.iter().fold(Skill::without_entry(), |skill, (path, bytes)| skill.file(path, bytes)).zip()
}

/// Bytes that do not compress. The same `seed` gives the same bytes.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    })
    .flatten()
    .take(length)
    .collect()
}
