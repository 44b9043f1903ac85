//! The rules about archives and compiled code, by name and by content.

use std::collections::HashSet;

use super::codes;
use crate::package::finding::{Finding, Findings};
use crate::package::level::Level;

/// The first bytes of archives, and the ends of names that such files have.
const ARCHIVES: &[(&[u8], &[&str])] = &[
    (
        b"PK\x03\x04",
        &[
            "zip", "jar", "war", "whl", "docx", "xlsx", "pptx", "docm", "xlsm", "pptm", "dotx", "potx",
            "xltx", "odt", "ods", "odp", "epub", "apk", "ipa", "xpi", "vsix", "mcpb", "dxt", "skill",
            "nupkg", "sketch", "3mf", "kmz", "npz",
        ],
    ),
    (b"\x1f\x8b\x08", &["gz", "tgz", "svgz"]),
    (b"BZh", &["bz2", "tbz", "tbz2"]),
    (b"\xfd7zXZ\0", &["xz", "txz"]),
    (b"\x28\xb5\x2f\xfd", &["zst", "tzst"]),
    (b"7z\xbc\xaf\x27\x1c", &["7z"]),
    (b"Rar!\x1a\x07", &["rar"]),
];

/// Ends of names of archives, whatever is in the file.
const NAMES: &[&str] = &["zip", "tar", "tgz", "7z", "rar", "jar", "whl", "iso", "dmg", "cab"];

/// The end record of a zip, and how far from the end of a file it may be.
const ZIP_END: &[u8] = b"PK\x05\x06";
const MAX_ZIP_END: usize = 22 + u16::MAX as usize;

pub(super) fn check(path: &str, content: &[u8], findings: &mut Findings) {
    let end = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
    let is = |known: &[&str]| known.iter().any(|known| end.eq_ignore_ascii_case(known));
    let known = ARCHIVES.iter().find(|(magic, _)| content.starts_with(magic));
    let tar = content.get(257..262) == Some(b"ustar");
    let tail = content.get(content.len().saturating_sub(MAX_ZIP_END)..).unwrap_or_default();
    let is_zip = ARCHIVES[0].1;
    let appended =
        known.is_none() && !is(is_zip) && tail.windows(ZIP_END.len()).any(|bytes| bytes == ZIP_END);
    let honest = known.is_some_and(|(_, names)| is(names)) || (known.is_none() && is(NAMES));
    let mut report = |code, why: &str| findings.warn(Finding::new(code, why).in_file(path));
    if (known.is_some() && !honest) || (tar && !is(&["tar"])) || appended {
        report(
            codes::DISGUISED_ARCHIVE,
            "this file is an archive under the name of something else: unpack it, or name it so",
        );
    } else if honest || tar {
        report(
            codes::NESTED_ARCHIVE,
            "this file is an archive, whose files no reader of the package sees: unpack it",
        );
    }
    // Python 3 has magic numbers up to 0x0fff, then a line break of DOS, a header, and a code object.
    if let [_, 0x0b..=0x0f, b'\r', b'\n', ..] = content
        && content.get(16).is_some_and(|code| code & 0x7f == b'c')
    {
        report(
            codes::DISGUISED_PYTHON,
            "this file is compiled Python under another name: publish its source instead",
        );
    }
}

/// Reports a compiled script that was left out of a package. `names` are those of all entries.
pub(in crate::package) fn dropped(name: &str, names: &HashSet<&str>, findings: &mut Findings) {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let folder = folder.strip_suffix("__pycache__").unwrap_or(folder).trim_end_matches('/');
    let stem = file.split('.').next().unwrap_or(file);
    let source = if folder.is_empty() { format!("{stem}.py") } else { format!("{folder}/{stem}.py") };
    let why = "compiled Python was in the upload and was left out: only its source is published";
    let finding = Finding::new(codes::COMPILED_PYTHON, why).in_file(name);
    findings.warn(if names.contains(&*source) { finding.at_level(Level::Warning) } else { finding });
}
