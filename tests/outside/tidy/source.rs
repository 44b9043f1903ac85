//! The repository's files, as text.

use std::path::Path;

/// Folders of the root that are made by programs and not by people.
const NOT_OURS: &[&str] = &["target", "data", "public", "public.state", ".git"];

/// One text file.
pub struct Source {
    /// Relative to the root of the repository, with `/`.
    pub path: String,
    pub text: String,
}

/// Every text file of the repository whose path has one of `endings`.
pub fn repository(endings: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources: Vec<Source> = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            !(entry.depth() == 1 && NOT_OURS.contains(&name.as_ref())) && name != "node_modules"
        })
        .map(|entry| entry.expect("the repository can be read"))
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(root).expect("below the root").to_string_lossy().into_owned())
        .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
        .filter_map(|path| Some(Source { text: std::fs::read_to_string(root.join(&path)).ok()?, path }))
        .collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!sources.is_empty(), "no files with {endings:?}");
    sources
}

/// The Rust files below `folder` that are not tests.
pub fn rust(folder: &str) -> Vec<Source> {
    let mut sources = repository(&[".rs"]);
    sources.retain(|source| source.path.starts_with(folder) && !source.is_test());
    assert!(!sources.is_empty(), "no sources in {folder}");
    sources
}

impl Source {
    /// Whether the whole file is a test.
    pub fn is_test(&self) -> bool {
        let folders = ["tests/", "/tests/", "fuzz/"];
        let in_folder =
            self.path.starts_with(folders[0]) || folders[1..].iter().any(|f| self.path.contains(f));
        in_folder || self.path.ends_with("/tests.rs") || self.path.ends_with("_tests.rs")
    }

    /// The numbered lines before the test module, which comes last in a file by
    /// convention.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).take_while(|(_, line)| *line != "#[cfg(test)]")
    }

    /// The same without lines that are only comment.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The code as one text.
    pub fn code_text(&self) -> String {
        self.code().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn a_source_ends_where_its_tests_begin() {
    let text = "// about\nfn a() {}\n#[cfg(test)]\nmod tests {}\n".to_owned();
    let source = Source { path: "x/src/lib.rs".to_owned(), text };
    assert_eq!(source.code().collect::<Vec<_>>(), [(2, "fn a() {}")]);
    assert!(!source.is_test());
}
