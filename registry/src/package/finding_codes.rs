//! The codes of all findings. Clients may depend on them, so a code never changes its
//! meaning.

use super::level::Level;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $text;)*
        /// All codes, in the order of this file.
        pub const ALL: &[&str] = &[$($text),*];
        /// The meaning of each code, in the order of [`ALL`], with a space before each line.
        pub const MEANINGS: &[&str] = &[$(concat!($($doc),*)),*];
    };
}
codes! {
    /// More findings than a list has room for. The message has their number.
    MORE_FINDINGS = "more_findings";

    /// Not a zip archive, or its directory is unreadable.
    ZIP_UNREADABLE = "zip_unreadable";
    /// Bytes before, between or after the entries.
    ZIP_STRAY_BYTES = "zip_stray_bytes";
    /// Two entries share bytes.
    ZIP_OVERLAP = "zip_overlap";
    /// The end record disagrees about the number, position or size of the entries.
    ZIP_DIRECTORY_MISMATCH = "zip_directory_mismatch";
    /// A part of an archive in several volumes.
    ZIP_SPLIT = "zip_split";
    /// A zip64 directory or entry. No archive of an allowed size needs one.
    ZIP_ZIP64 = "zip_zip64";
    /// The local header of an entry differs from the central one.
    ZIP_HEADER_MISMATCH = "zip_header_mismatch";
    /// A compression method other than stored and deflate.
    ZIP_METHOD = "zip_method";
    /// An encrypted entry.
    ZIP_ENCRYPTED = "zip_encrypted";
    /// A symbolic link, device, pipe or socket.
    ZIP_SPECIAL_FILE = "zip_special_file";
    /// Content that does not unpack to the declared size and checksum.
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
    /// A path with an invisible character, or one that changes the writing direction.
    PATH_INVISIBLE_CHARACTER = "path_invisible_character";
    /// A path with a colon, which Windows cannot store.
    PATH_COLON = "path_colon";
    /// A piece that ends in a dot or space, which Windows drops.
    PATH_TRAILING_DOT_OR_SPACE = "path_trailing_dot_or_space";
    /// A path with a reserved device name of Windows.
    PATH_RESERVED = "path_reserved";
    /// A path of more than 255 bytes.
    PATH_TOO_LONG = "path_too_long";
    /// Two paths that are the same on some file systems.
    PATH_DUPLICATE = "path_duplicate";
    /// A path that is both file and folder.
    PATH_FILE_AND_FOLDER = "path_file_and_folder";

    /// Too many files or entries.
    TOO_MANY_FILES = "too_many_files";
    /// A file over the limit.
    FILE_TOO_LARGE = "file_too_large";
    /// The size of all files is over the limit.
    PACKAGE_TOO_LARGE = "package_too_large";
    /// The ratio of unpacked to packed bytes is over the limit.
    RATIO_TOO_HIGH = "ratio_too_high";
    /// Warning: files that are not part of a skill were left out.
    JUNK_DROPPED = "junk_dropped";

    /// No SKILL.md at the root or in the one top folder.
    SKILL_MD_MISSING = "skill_md_missing";
    /// SKILL.md is not UTF-8.
    SKILL_MD_NOT_UTF8 = "skill_md_not_utf8";
    /// Warning: `skills.md` was read as the entry file.
    SKILL_MD_MISNAMED = "skill_md_misnamed";
    /// Warning: the entry file had another name than `SKILL.md`, and is stored under it.
    SKILL_MD_RENAMED = "skill_md_renamed";

    /// SKILL.md has no front matter.
    FRONT_MATTER_MISSING = "front_matter_missing";
    /// The front matter's closing `---` is missing.
    FRONT_MATTER_UNCLOSED = "front_matter_unclosed";
    /// The front matter is over a limit.
    FRONT_MATTER_TOO_LARGE = "front_matter_too_large";
    /// The front matter is not valid YAML, or not a map.
    FRONT_MATTER_INVALID = "front_matter_invalid";
    /// Warning: invalid YAML in the front matter was repaired.
    FRONT_MATTER_REPAIRED = "front_matter_repaired";

    /// Warning: a ` #` ends the value of a text, because it begins a comment.
    COMMENT_IN_TEXT = "comment_in_text";
    /// Warning: a key of the front matter is probably misspelled.
    KEY_MISSPELLED = "key_misspelled";
    /// Warning: a text is still that of `skillmirror init`.
    PLACEHOLDER_LEFT = "placeholder_left";
    /// Warning: a link or image of SKILL.md names a file that is not in the package.
    LINK_BROKEN = "link_broken";

    /// Warning: the front matter has no `name`.
    NAME_MISSING = "name_missing";
    /// The name is not a valid slug.
    NAME_INVALID = "name_invalid";
    /// Warning: the name was converted to a slug.
    NAME_REPAIRED = "name_repaired";
    /// The skill has neither a description nor text.
    DESCRIPTION_MISSING = "description_missing";
    /// The description is not a text, or too long.
    DESCRIPTION_INVALID = "description_invalid";
    /// Warning: the description was taken from the text below.
    DESCRIPTION_FROM_TEXT = "description_from_text";
    /// The version is invalid.
    VERSION_INVALID = "version_invalid";
    /// Warning: the version was completed.
    VERSION_REPAIRED = "version_repaired";
    /// The title is not a text, or too long.
    TITLE_INVALID = "title_invalid";
    /// The license is not a text, or too long.
    LICENSE_INVALID = "license_invalid";
    /// The homepage is not an http or https URL, or too long.
    HOMEPAGE_INVALID = "homepage_invalid";
    /// The keywords are not a list of texts, too many, or too long.
    KEYWORDS_INVALID = "keywords_invalid";
    /// The required skills are not a text such as `team/grilling@^1, domain-modeling`.
    REQUIRES_INVALID = "requires_invalid";
    /// Warning: the registry has no version of a required skill that will do.
    REQUIREMENT_UNMET = "requirement_unmet";

    /// The front matter names another namespace than the request.
    NAMESPACE_MISMATCH = "namespace_mismatch";
    /// Warning: the front matter names another slug than the request.
    SLUG_DIFFERS = "slug_differs";
    /// Warning: some clients do not load the package. The message names them.
    NOT_PORTABLE = "not_portable";
    /// Warning: the version already exists, so the tags were not set.
    TAGS_IGNORED = "tags_ignored";

    /// Warning: the registry's staff took down the same content, so the version waits for their review.
    CONTENT_TAKEN_DOWN = "content_taken_down";

    /// Rule: a file or folder that configures tools, such as `.mcp.json` or hooks.
    CONFIGURES_TOOLS = "configures_tools";
    /// Rule: a download is given to a shell or an interpreter.
    PIPE_TO_SHELL = "pipe_to_shell";
    /// Rule: the installer of a well-known tool is given to a shell.
    PIPE_OF_KNOWN_INSTALLER = "pipe_of_known_installer";
    /// Rule: base64 is decoded and given to a shell or an interpreter.
    BASE64_TO_SHELL = "base64_to_shell";
    /// Rule: people are told to download a program and to run it, or to unpack an archive with a password.
    DOWNLOAD_AND_RUN = "download_and_run";
    /// Rule: a link to a site where anybody may paste and change text.
    PASTE_SITE = "paste_site";
    /// Rule: characters that reorder text or are invisible tags.
    HIDDEN_CHARACTERS = "hidden_characters";
    /// Rule: characters without width, which hide text from readers.
    ZERO_WIDTH_TEXT = "zero_width_text";
    /// Rule: an HTML comment gives orders to an agent. A note in a block of code, where readers see it.
    HIDDEN_ORDER = "hidden_order";
    /// Rule: at least 100 blank lines before text.
    TEXT_AFTER_BLANK_LINES = "text_after_blank_lines";
    /// Rule: a command writes settings of agents or shells.
    WRITES_AGENT_SETTINGS = "writes_agent_settings";
    /// Rule: the upload had compiled Python, which was left out. A warning if it was beside its source.
    COMPILED_PYTHON = "compiled_python";
    /// Rule: compiled Python under another name.
    DISGUISED_PYTHON = "disguised_python";
    /// Rule: an archive in the package, whose files no reader sees.
    NESTED_ARCHIVE = "nested_archive";
    /// Rule: an archive under the name of something else.
    DISGUISED_ARCHIVE = "disguised_archive";

    /// A file that holds secrets by convention, such as `.env`. A warning if its publisher
    /// allowed it.
    SECRET_FILE = "secret_file";
    /// A private key or credential, with high confidence.
    SECRET_FOUND = "secret_found";
    /// Warning: a possible private key.
    SECRET_SUSPECTED = "secret_suspected";
}

/// The codes of the rules, which matter to people who install a package, and the level of each. Other warnings only
/// tell the publisher how the package was read. A change of the table or of a rule raises [`super::RULES_VERSION`].
pub(super) const RULES: &[(&str, Level)] = &[
    (CONFIGURES_TOOLS, Level::Warning),
    (PIPE_TO_SHELL, Level::Error),
    (PIPE_OF_KNOWN_INSTALLER, Level::Warning),
    (BASE64_TO_SHELL, Level::Error),
    (DOWNLOAD_AND_RUN, Level::Error),
    (PASTE_SITE, Level::Warning),
    (HIDDEN_CHARACTERS, Level::Error),
    (ZERO_WIDTH_TEXT, Level::Warning),
    (HIDDEN_ORDER, Level::Error),
    (TEXT_AFTER_BLANK_LINES, Level::Error),
    (WRITES_AGENT_SETTINGS, Level::Warning),
    (COMPILED_PYTHON, Level::Note),
    (DISGUISED_PYTHON, Level::Error),
    (NESTED_ARCHIVE, Level::Warning),
    (DISGUISED_ARCHIVE, Level::Error),
];

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
