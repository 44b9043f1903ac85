//! The text of a skill, out of a canonical archive: of one that went through all
//! checks before, so that here nothing is judged.

use std::io::{self, BufReader, Cursor, Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

/// Up to this size an archive is read in one go.
const SMALL: u64 = 64 << 10;

/// The text of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillText {
    /// What stands below the front matter, as Markdown.
    pub text: String,
    /// Whether there is more of it.
    pub is_cut: bool,
}

/// Reads the text of the entry file from a canonical archive of `size` bytes: of
/// that file the first `most` bytes, and of the archive no more than it takes to
/// find it. None where there is no such file.
///
/// Errors: the archive cannot be read, or is none.
pub fn skill_md_text(archive: impl Read + Seek, size: u64, most: u64) -> io::Result<Option<SkillText>> {
    if size <= SMALL {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        archive.take(SMALL).read_to_end(&mut bytes)?;
        return read(Cursor::new(bytes), most);
    }
    read(BufReader::new(archive), most)
}

fn read(archive: impl Read + Seek, most: u64) -> io::Result<Option<SkillText>> {
    let mut archive = ZipArchive::new(archive).map_err(unreadable)?;
    let paths: Vec<_> = archive.file_names().collect::<Result<_, _>>().map_err(unreadable)?;
    let Some(name) = super::entry_file(&paths).map(ToOwned::to_owned) else { return Ok(None) };
    let file = archive.by_name(&name).map_err(unreadable)?;
    let is_cut = file.size() > most;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    if is_cut {
        // Not in the midst of a line, where there are lines.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
        bytes.truncate(end);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(SkillText { text: super::body(&text).to_owned(), is_cut }))
}

fn unreadable(why: ZipError) -> io::Error {
    match why {
        ZipError::Io(why) => why,
        why => io::Error::new(io::ErrorKind::InvalidData, why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{Limits, LooseFile, Package, ReadOptions, Strictness};

    /// The archive of a package with these files.
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
        };
        let package = Package::from_files(files.iter().map(file).collect(), &options);
        package.unwrap().archive().unwrap()
    }

    fn text(archive: &[u8], most: u64) -> SkillText {
        skill_md_text(Cursor::new(archive), archive.len() as u64, most).unwrap().unwrap()
    }

    #[test]
    fn the_text_is_what_stands_below_the_front_matter() {
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
            assert_eq!((found.text.as_str(), found.is_cut), (expected, false), "{name} {content:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let long = format!("---\nname: x\ndescription: y\n---\n{}", "zwölf Zeichen\n".repeat(100_000));
        let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let archive = archive(&[("SKILL.md", long.as_bytes()), ("noise", &noise)]);
        assert!(archive.len() as u64 > SMALL);
        let found = text(&archive, 1000);
        assert!(found.is_cut && found.text.len() < 1000 && found.text.ends_with("Zeichen\n"), "{found:?}");
        assert!(!text(&archive, 4 << 20).is_cut);
        assert!(text(&archive, 7).is_cut);
    }

    #[test]
    fn what_is_no_archive_is_an_error() {
        for bytes in [&b"PK"[..], b"", b"<html>"] {
            assert!(skill_md_text(Cursor::new(bytes), bytes.len() as u64, 100).is_err());
        }
    }
}
