//! Reads the text of a skill from a canonical archive. The package was checked when it was
//! published, so nothing is checked here.

use std::borrow::Cow;
use std::io::{self, BufReader, Cursor, Read, Seek};

use zip::ZipArchive;

use crate::package::archived_file::unreadable;

/// Archives up to this size are read at once.
const MAX_SMALL_ARCHIVE_BYTES: u64 = 64 << 10;

/// The text of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillText {
    /// The text of the file, with the front matter.
    pub whole: String,
    /// Whether the text is cut.
    pub is_cut: bool,
}

impl SkillText {
    /// The text after the front matter, as Markdown.
    pub fn body(&self) -> Cow<'_, str> {
        super::body(&self.whole)
    }
}

/// Reads the first `max` bytes of SKILL.md from a canonical archive of `size` bytes. None if the archive has no such file.
///
/// Errors: the archive cannot be read, or is damaged.
pub fn skill_md_text(archive: impl Read + Seek, size: u64, max: u64) -> io::Result<Option<SkillText>> {
    if size <= MAX_SMALL_ARCHIVE_BYTES {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        archive.take(MAX_SMALL_ARCHIVE_BYTES).read_to_end(&mut bytes)?;
        return read(Cursor::new(bytes), max);
    }
    read(BufReader::new(archive), max)
}

fn read(archive: impl Read + Seek, max: u64) -> io::Result<Option<SkillText>> {
    let mut archive = ZipArchive::new(archive).map_err(unreadable)?;
    let paths: Vec<_> = archive.file_names().collect::<Result<_, _>>().map_err(unreadable)?;
    let Some(name) = super::entry_file::path(&paths).map(ToOwned::to_owned) else { return Ok(None) };
    let file = archive.by_name(&name).map_err(unreadable)?;
    let is_cut = file.size() > max;
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes)?;
    if is_cut {
        // Ends at the last whole line, if there are lines.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
        bytes.truncate(end);
    }
    let whole = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Some(SkillText { whole, is_cut }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{Limits, LooseFile, Package, ReadOptions, Strictness};

    /// Writes the archive of a package with these files.
    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let file = |(path, content): &(&str, &[u8])| LooseFile {
            path: (*path).into(),
            executable: false,
            content: content.to_vec(),
        };
        let options = ReadOptions {
            source_name: Some("x"),
            strictness: Strictness::Tolerant,
            limits: &Limits::default(),
            allowed_files: &[],
        };
        let package = Package::from_files(files.iter().map(file).collect(), &options);
        package.unwrap().archive().unwrap()
    }

    fn text(archive: &[u8], max: u64) -> SkillText {
        skill_md_text(Cursor::new(archive), archive.len() as u64, max).unwrap().unwrap()
    }

    #[test]
    fn text_is_all_after_the_front_matter() {
        let front = "---\nname: x\ndescription: y\n---\n";
        for (name, content, expected) in [
            ("SKILL.md", format!("{front}# A\n"), "# A\n"),
            ("skill.MD", format!("\u{feff}{front}B"), "B"),
            ("skills.md", "Only text.\n".into(), "Only text.\n"),
            ("SKILL.md", "\n\n---\nname: x\ndescription: a: b\n---\nC\n".into(), "C\n"),
            ("SKILL.md", "---\nname: x\ndescription: y\n\nNo end.\n".into(), "\nNo end.\n"),
            ("SKILL.md", "---\nA rule\n---\nD\n".into(), "---\nA rule\n---\nD\n"),
            ("SKILL.md", front.into(), ""),
        ] {
            let archive = archive(&[("A.md", b"other"), (name, content.as_bytes()), ("a/SKILL.md", b"no")]);
            let found = text(&archive, 1 << 20);
            assert_eq!((&*found.body(), found.is_cut), (expected, false), "{name} {content:?}");
        }
    }

    #[test]
    fn long_text_is_cut_after_a_line() {
        let long = format!("---\nname: x\ndescription: y\n---\n{}", "zwölf Zeichen\n".repeat(100_000));
        let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let archive = archive(&[("SKILL.md", long.as_bytes()), ("noise", &noise)]);
        assert!(archive.len() as u64 > MAX_SMALL_ARCHIVE_BYTES);
        let found = text(&archive, 1000);
        assert!(found.is_cut && found.whole.len() <= 1000 && found.whole.ends_with("Zeichen\n"), "{found:?}");
        assert!(!text(&archive, 4 << 20).is_cut);
        assert!(text(&archive, 7).is_cut);
    }

    #[test]
    fn invalid_archive_is_an_error() {
        for bytes in [&b"PK"[..], b"", b"<html>"] {
            assert!(skill_md_text(Cursor::new(bytes), bytes.len() as u64, 100).is_err());
        }
    }
}
