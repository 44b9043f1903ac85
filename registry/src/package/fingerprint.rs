//! Digests over all files of a package.

use std::cmp::Ordering;
use std::sync::LazyLock;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use serde::{Deserialize, Serialize};

use crate::names::{Digest, DigestBuilder};

use super::file_record::FileRecord;

/// Computes the content digest: sha256 over `path NUL mode NUL sha256hex LF` of each file,
/// with the mode `0644` or `0755`. Two packages have the same content if their digests are
/// equal. `files` are path, whether executable, and digest, sorted by path bytes.
pub fn content_digest<'f>(files: impl Iterator<Item = (&'f str, bool, &'f Digest)>) -> Digest {
    let mut digest = DigestBuilder::default();
    for (path, executable, sha256) in files {
        digest.update(path.as_bytes());
        digest.update(if executable { b"\x000755\0" } else { b"\x000644\0" });
        digest.update(sha256.to_string().as_bytes());
        digest.update(b"\n");
    }
    digest.finish()
}

/// The hashes by which ClawHub clients recognise an installed version: sha256 over the
/// lines `path:sha256hex`, joined by LF, in the order of the root collation. The version of
/// a client decides which files count. A registry stores both hashes and matches any.
///
/// Paths with a segment `node_modules`, or one that starts with a dot, never count. The
/// patterns of ignore files are not applied, because such clients do not publish them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprints {
    /// Text files by extension, and files without an extension that look like text: 0.20.
    pub text: Digest,
    /// All files, binary ones too: 0.23. This is the `fingerprint` of the API's
    /// records.
    pub all: Digest,
}

impl Fingerprints {
    /// Computes the hashes. `contents` has one item for each file.
    pub(super) fn of<'c>(files: &[FileRecord], contents: impl Iterator<Item = &'c [u8]>) -> Self {
        let mut seen: Vec<_> =
            files.iter().zip(contents).filter(|(file, _)| !is_hidden(&file.path)).collect();
        seen.sort_by(|(a, _), (b, _)| collated(&a.path, &b.path));
        let digest = |counts: &dyn Fn(&str, &[u8]) -> bool| {
            let mut digest = DigestBuilder::default();
            let counted = seen.iter().filter(|(file, content)| counts(&file.path, content));
            for (i, (file, _)) in counted.enumerate() {
                digest.update(if i > 0 { b"\n" } else { b"" });
                digest.update(format!("{}:{}", file.path, file.sha256).as_bytes());
            }
            digest.finish()
        };
        Self { text: digest(&is_text), all: digest(&|_, _| true) }
    }
}

/// The extensions of text files.
const TEXT: &[&str] = &[
    "md",
    "mdx",
    "txt",
    "json",
    "json5",
    "yaml",
    "yml",
    "toml",
    "js",
    "cjs",
    "mjs",
    "ts",
    "tsx",
    "jsx",
    "py",
    "sh",
    "rb",
    "go",
    "rs",
    "swift",
    "kt",
    "java",
    "cs",
    "cpp",
    "c",
    "h",
    "hpp",
    "sql",
    "csv",
    "ini",
    "cfg",
    "env",
    "xml",
    "html",
    "css",
    "scss",
    "sass",
    "svg",
    "ps1",
    "psm1",
    "psd1",
    "r",
    "tsv",
    "conf",
    "properties",
    "dat",
];

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|piece| piece.starts_with('.') || piece == "node_modules")
}

/// Whether a file counts for `text`. The extension is all after the last dot of the
/// name, except for a dot at its start.
fn is_text(path: &str, content: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, end)| end);
    if extension.is_empty() {
        let start = content.get(..4096).unwrap_or(content);
        return !start.contains(&0) && str::from_utf8(start).is_ok();
    }
    TEXT.contains(&extension.to_lowercase().as_str())
}

/// Compares like JavaScript's `localeCompare` in the root locale: ICU's collation with its
/// default options, then bytes. (Node sorts Han characters by radical and stroke, which
/// this does not.)
fn collated(a: &str, b: &str) -> Ordering {
    static ROOT: LazyLock<Option<CollatorBorrowed<'static>>> =
        LazyLock::new(|| Collator::try_new(Default::default(), CollatorOptions::default()).ok());
    // The data are compiled in, so this never fails. A test checks that.
    let order = ROOT.as_ref().map_or(Ordering::Equal, |root| root.compare(a, b));
    order.then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(files: &[(&str, &[u8], bool)]) -> Vec<FileRecord> {
        files.iter().map(|(path, content, x)| FileRecord::new(path, content, *x)).collect()
    }

    #[test]
    fn content_digest_is_as_specified() {
        let files = records(&[("a", b"1", false), ("b/c.sh", b"", true)]);
        let line =
            |path: &str, mode: &str, content: &[u8]| format!("{path}\0{mode}\0{}\n", Digest::of(content));
        let text = line("a", "0644", b"1") + &line("b/c.sh", "0755", b"");
        let marks = files.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
        assert_eq!(content_digest(marks), Digest::of(text.as_bytes()));
        assert_eq!(content_digest(std::iter::empty()), Digest::of(b""));
    }

    #[test]
    fn paths_are_sorted_by_collation() {
        let mut paths =
            ["docs/Zed.md", "docs/_under.md", "docs-extra.md", "docs.md", "docs/a.md", "Á", "b", "a"];
        paths.sort_by(|a, b| collated(a, b));
        // The order of `["…"].sort((a, b) => a.localeCompare(b))` in node 22.
        assert_eq!(
            paths,
            ["a", "Á", "b", "docs-extra.md", "docs.md", "docs/_under.md", "docs/a.md", "docs/Zed.md"]
        );
    }

    #[test]
    fn fingerprints_count_files_by_extension() {
        for path in ["SKILL.md", "a/B.PY", "md", "docs/md", "LICENSE", "v1.0/README", "x.ps1", "x."] {
            assert!(is_text(path, b"x"), "{path}");
        }
        assert!(!is_text("x.png", b"x") && !is_text("LICENSE", b"a\0b") && !is_text("LICENSE", b"\xff"));
        for hidden in [".env", "a/.b/c.md", "node_modules/x.js", ".gitignore"] {
            assert!(is_hidden(hidden));
        }
        let files: &[(&str, &[u8], bool)] =
            &[("SKILL.md", b"x", false), (".env", b"y", false), ("a.png", b"z", false)];
        let got = Fingerprints::of(&records(files), files.iter().map(|f| f.1));
        let one = format!("SKILL.md:{}", Digest::of(b"x"));
        assert_eq!(got.text, Digest::of(one.as_bytes()));
        let all = format!("a.png:{}\n{one}", Digest::of(b"z"));
        assert_eq!(got.all, Digest::of(all.as_bytes()));
    }
}
