//! The repository's files, as text.

use std::path::Path;

/// Folders of the root that are made by programs and not by people …
const NOT_OURS: &[&str] = &["data", "public", "public.state", ".git"];
/// … and those that may be anywhere: `fuzz` is a workspace of its own.
const NEVER_OURS: &[&str] = &["target", "node_modules"];

/// The position of a line relative to an item with `#[cfg(test)]`.
#[derive(Clone, Copy)]
enum Inside {
    Code,
    Attributes,
    Item,
    LastLine,
}

/// A text file of the repository.
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
            let name = name.as_ref();
            !NEVER_OURS.contains(&name) && (entry.depth() > 1 || !NOT_OURS.contains(&name))
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
    let tests: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
    sources.retain(|source| source.path.starts_with(folder) && !source.is_test() && !source.is_of(&tests));
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

    /// Whether it is one of these modules, or inside one.
    fn is_of(&self, modules: &[String]) -> bool {
        modules
            .iter()
            .any(|module| self.path == format!("{module}.rs") || self.path.starts_with(&format!("{module}/")))
    }

    /// The numbered lines without outermost items that have `#[cfg(test)]`.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut inside = Inside::Code;
        (1..).zip(self.text.lines()).filter(move |(_, line)| {
            inside = match inside {
                Inside::Code | Inside::LastLine if *line == "#[cfg(test)]" => Inside::Attributes,
                Inside::Attributes if line.starts_with("#[") => Inside::Attributes,
                Inside::Attributes | Inside::Item => match line.chars().next_back() {
                    Some(';') if matches!(inside, Inside::Attributes) => Inside::LastLine,
                    _ if *line == "}" || *line == "};" => Inside::LastLine,
                    _ => Inside::Item,
                },
                _ => Inside::Code,
            };
            matches!(inside, Inside::Code)
        })
    }

    /// The modules that exist for tests alone, as the paths they may lie at:
    /// `#[cfg(test)] mod name;`.
    fn test_modules(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let stem = file.trim_end_matches(".rs");
        let folder = match stem {
            "mod" | "lib" | "main" => folder.to_owned(),
            _ => format!("{folder}/{stem}"),
        };
        let lines: Vec<&str> = self.text.lines().collect();
        let declared = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
        declared
            .filter_map(|pair| pair[1].split_once("mod ")?.1.strip_suffix(';'))
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }

    /// The numbered lines without tests and comments.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The code as one text.
    pub fn code_text(&self) -> String {
        self.code().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn lines_and_modules_for_tests_only_are_left_out() {
    let text = "// about\n#[cfg(test)]\nmod contract;\nfn a() {}\n#[cfg(test)]\nfn b() {\n    x;\n}\nfn c() {}\n\
                #[cfg(test)]\n#[path = \"x.rs\"]\nmod tests {\n    y;\n}\n";
    let source = Source { path: "x/src/deep.rs".to_owned(), text: text.to_owned() };
    assert_eq!(source.code().collect::<Vec<_>>(), [(4, "fn a() {}"), (9, "fn c() {}")]);
    assert_eq!(source.test_modules(), ["x/src/deep/contract"]);
    assert!(!source.is_test());
    let contract = Source { path: "x/src/deep/contract.rs".to_owned(), text: String::new() };
    assert!(contract.is_of(&source.test_modules()));
}
