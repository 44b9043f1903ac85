//! The stable codes of all findings. Clients may depend on them: a code is
//! never reused for something else.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = $text;)*
        /// All of them, in the order of this file.
        pub const ALL: &[&str] = &[$($text),*];
    };
}
codes! {
    /// More findings than a list holds; the message has the count.
    MORE_FINDINGS = "more_findings";

    /// Not a zip archive, or one whose directory can't be read.
    ZIP_UNREADABLE = "zip_unreadable";
    /// Bytes that belong to no entry: before, between or after them.
    ZIP_STRAY_BYTES = "zip_stray_bytes";
    /// Two entries share bytes.
    ZIP_OVERLAP = "zip_overlap";
    /// The end record lies about the number, place or size of the entries.
    ZIP_DIRECTORY_MISMATCH = "zip_directory_mismatch";
    /// A part of an archive in several volumes.
    ZIP_SPLIT = "zip_split";
    /// A zip64 directory or entry, which no archive of an allowed size needs.
    ZIP_ZIP64 = "zip_zip64";
    /// The local header says something else than the central one.
    ZIP_HEADER_MISMATCH = "zip_header_mismatch";
    /// A compression method other than stored and deflate.
    ZIP_METHOD = "zip_method";
    /// An encrypted entry.
    ZIP_ENCRYPTED = "zip_encrypted";
    /// A symbolic link, device, pipe or socket.
    ZIP_SPECIAL_FILE = "zip_special_file";
    /// Content that doesn't unpack, or has another size or checksum than declared.
    ZIP_CORRUPT = "zip_corrupt";

    /// A name that is not UTF-8.
    PATH_NOT_UTF8 = "path_not_utf8";
    /// An empty name.
    PATH_EMPTY = "path_empty";
    /// A path that begins with `/`.
    PATH_ABSOLUTE = "path_absolute";
    /// A path with a `..`, `.` or empty piece.
    PATH_TRAVERSAL = "path_traversal";
    /// A path with a backslash.
    PATH_BACKSLASH = "path_backslash";
    /// A path with a drive letter.
    PATH_DRIVE_LETTER = "path_drive_letter";
    /// A path with a NUL or another control character.
    PATH_CONTROL_CHARACTER = "path_control_character";
    /// A path with a character that can't be seen or turns the direction of writing.
    PATH_INVISIBLE_CHARACTER = "path_invisible_character";
    /// A path with a colon, which Windows can't store.
    PATH_COLON = "path_colon";
    /// A piece that ends in a dot or space, which Windows drops.
    PATH_TRAILING_DOT_OR_SPACE = "path_trailing_dot_or_space";
    /// A device name on Windows.
    PATH_RESERVED = "path_reserved";
    /// A path of more than 255 bytes.
    PATH_TOO_LONG = "path_too_long";
    /// Two paths that some file systems take for one.
    PATH_DUPLICATE = "path_duplicate";
    /// A path that is both file and folder.
    PATH_FILE_AND_FOLDER = "path_file_and_folder";

    /// More files, or more entries, than allowed.
    TOO_MANY_FILES = "too_many_files";
    /// A file over the limit.
    FILE_TOO_LARGE = "file_too_large";
    /// All files together over the limit.
    PACKAGE_TOO_LARGE = "package_too_large";
    /// Unpacks to suspiciously more than it packs.
    RATIO_TOO_HIGH = "ratio_too_high";
    /// Warning: files that are no content were left out.
    JUNK_DROPPED = "junk_dropped";

    /// No SKILL.md at the root or in the one top folder.
    SKILL_MD_MISSING = "skill_md_missing";
    /// SKILL.md is not UTF-8.
    SKILL_MD_NOT_UTF8 = "skill_md_not_utf8";
    /// Warning: `skills.md` was read as the entry file.
    SKILL_MD_MISNAMED = "skill_md_misnamed";

    /// SKILL.md has no front matter.
    FRONT_MATTER_MISSING = "front_matter_missing";
    /// The front matter's closing `---` is missing.
    FRONT_MATTER_UNCLOSED = "front_matter_unclosed";
    /// The front matter is over a limit.
    FRONT_MATTER_TOO_LARGE = "front_matter_too_large";
    /// The front matter is not readable YAML, or not a map.
    FRONT_MATTER_INVALID = "front_matter_invalid";
    /// Warning: a line of the front matter was read otherwise than YAML would.
    FRONT_MATTER_REPAIRED = "front_matter_repaired";

    /// Warning: the front matter names no skill.
    NAME_MISSING = "name_missing";
    /// The name breaks the rule for slugs.
    NAME_INVALID = "name_invalid";
    /// Warning: the name was brought into the form of a slug.
    NAME_REPAIRED = "name_repaired";
    /// No description and nothing to take one from.
    DESCRIPTION_MISSING = "description_missing";
    /// The description is no text, or too long.
    DESCRIPTION_INVALID = "description_invalid";
    /// Warning: the description was taken from the text below.
    DESCRIPTION_FROM_TEXT = "description_from_text";
    /// The version is not one.
    VERSION_INVALID = "version_invalid";
    /// Warning: the version was completed.
    VERSION_REPAIRED = "version_repaired";
    /// The title is no text, or too long.
    TITLE_INVALID = "title_invalid";
    /// The license is no text, or too long.
    LICENSE_INVALID = "license_invalid";
    /// The homepage is no http(s) address, or too long.
    HOMEPAGE_INVALID = "homepage_invalid";
    /// The keywords are no list of texts, too many, or too long.
    KEYWORDS_INVALID = "keywords_invalid";

    /// The name's namespace is another one than that published to.
    NAMESPACE_MISMATCH = "namespace_mismatch";
    /// Warning: published under another slug than the name says.
    SLUG_DIFFERS = "slug_differs";
    /// Warning: the tag `latest` can't be set.
    TAG_RESERVED = "tag_reserved";
    /// Warning: the version was there already, and the tags were not set.
    TAGS_IGNORED = "tags_ignored";

    /// A private key or credential, with high confidence.
    SECRET_FOUND = "secret_found";
    /// Warning: something that may be one.
    SECRET_SUSPECTED = "secret_suspected";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_plain() {
        let mut seen = std::collections::BTreeSet::new();
        for code in super::ALL {
            assert!(seen.insert(code), "{code}");
            assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
        }
    }
}
