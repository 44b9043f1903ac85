//! The files of a version as a tree, as its page lists them.

use registry::package::{FileRecord, SKILL_MD};
use serde_json::{Value, json};

use super::changes::Changes;
use crate::pages::file_anchor;

/// Whether a path is that of the entry file, in any letter case.
pub(super) fn is_entry_file(path: &str) -> bool {
    path.eq_ignore_ascii_case(SKILL_MD)
}

/// The positions of files in the order of the tree: the entry file, the other files at the root, and then
/// each folder with its own files first.
pub(super) fn in_tree_order(files: &[FileRecord]) -> Vec<usize> {
    let mut order: Vec<_> = (0..files.len()).collect();
    order.sort_by_cached_key(|at| {
        let path = &files[*at].path;
        (!is_entry_file(path), folder(path).split('/').map(str::to_owned).collect::<Vec<_>>(), *at)
    });
    order
}

/// The folders of a version with their files. `marked` says which lines of a file have an anchor.
pub(super) fn folders(
    files: &[FileRecord],
    changes: Option<&Changes<'_>>,
    marked: impl Fn(usize) -> Vec<u64>,
) -> Vec<Value> {
    let mut folders: Vec<(&str, Vec<Value>)> = Vec::new();
    for at in in_tree_order(files) {
        let file = &files[at];
        let item = json!({
            "position": at,
            "anchor": file_anchor(at),
            "name": file.path.rsplit('/').next(),
            "size": file.size,
            "executable": file.executable,
            "kind": kind(&file.content_type),
            "change": changes.and_then(|changes| changes.of(&file.path)),
            "marked": marked(at),
            "isEntryFile": is_entry_file(&file.path),
        });
        match folders.last_mut() {
            Some((name, items)) if *name == folder(&file.path) => items.push(item),
            _ => folders.push((folder(&file.path), vec![item])),
        }
    }
    folders.into_iter().map(|(name, files)| json!({ "name": name, "files": files })).collect()
}

/// The folder of a path, without the slash after it. Empty for the root.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What a media type is called. Empty if it says nothing.
fn kind(content_type: &str) -> &'static str {
    match content_type {
        "text/markdown" => "Markdown",
        "text/html" | "application/xhtml+xml" => "HTML",
        "text/css" | "text/less" | "text/x-sass" | "text/x-scss" => "Style sheet",
        "text/javascript" | "text/coffeescript" => "JavaScript",
        "text/x-typescript" => "TypeScript",
        "text/x-python" => "Python",
        "text/x-rust" => "Rust",
        "text/x-lua" => "Lua",
        "application/x-sh" | "application/x-csh" => "Shell script",
        "application/x-perl" => "Perl",
        "application/x-httpd-php" => "PHP",
        "application/x-sql" => "SQL",
        "application/json" | "application/json5" | "application/ld+json" => "JSON",
        "application/yaml" => "YAML",
        "application/toml" => "TOML",
        "text/xml" => "XML",
        "text/csv" | "text/tab-separated-values" => "Table",
        "application/pdf" => "PDF",
        "application/zip" | "application/java-archive" => "Archive",
        "application/wasm" | "application/x-msdownload" => "Program",
        other => match other.split('/').next() {
            Some("text") => "Text",
            Some("image") => "Picture",
            Some("audio") => "Sound",
            Some("video") => "Video",
            Some("font") => "Font",
            _ => "",
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use registry::names::Digest;

    use super::*;

    #[test]
    fn tree_begins_with_the_entry_file_and_keeps_folders_together() {
        let paths = ["A.md", "SKILL.md", "a/b/c.sh", "a/d.sh", "a/x/y.sh", "a-b/z", "z.txt"];
        let files = paths.map(|path| FileRecord {
            path: path.into(),
            size: 1,
            sha256: Digest::of(b""),
            content_type: "text/plain".into(),
            executable: false,
        });
        let ordered: Vec<_> = in_tree_order(&files).into_iter().map(|at| paths[at]).collect();
        assert_eq!(ordered, ["SKILL.md", "A.md", "z.txt", "a/d.sh", "a/b/c.sh", "a/x/y.sh", "a-b/z"]);
        let folders = folders(&files, None, |_| Vec::new());
        let names: Vec<_> = folders.iter().map(|folder| folder["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["", "a", "a/b", "a/x", "a-b"]);
    }
}
