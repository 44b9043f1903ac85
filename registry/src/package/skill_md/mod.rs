//! SKILL.md: its manifest and its text.

mod characters;
mod conflict;
mod entry_file;
mod extent;
mod fields;
mod front_matter;
mod keywords;
mod labels;
mod line_ends;
mod lost_comments;
mod manifest;
mod markdown;
mod misplaced;
mod move_keys;
pub mod placeholders;
mod repair;
mod requires;
mod split;
mod text;
mod unknown_keys;
mod yaml;
mod yaml_entries;
mod yaml_problem;

pub use entry_file::SKILL_MD;
pub(super) use entry_file::{find, name_as_clients_do, path};
pub use fields::is_web_address;
pub use line_ends::with_line_feeds;
pub use manifest::{Manifest, RequestedName, Strictness, slugified};
pub use move_keys::move_keys_to_metadata;
pub use text::{SkillText, skill_md_text};

/// The limits of what is read of a SKILL.md.
pub(crate) mod limits {
    pub(crate) use super::fields::{
        MAX_DESCRIPTION, MAX_KEYWORD, MAX_KEYWORDS, MAX_LICENSE, MAX_TITLE, is_homepage,
    };
    pub(crate) use super::markdown::{
        MAX_BODY_WORD_CHARS, MAX_BODY_WORDS, MAX_BODY_WORDS_BYTES, MAX_HEADING_CHARS, MAX_HEADINGS,
        MAX_HEADINGS_BYTES,
    };
}

use std::borrow::Cow;

use crate::names::Slug;
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::limits::Limits;
use fields::{Fields, MAX_DESCRIPTION};
use front_matter::FrontMatter;
use lost_comments::LostComment;
use manifest::slug_of_source;
use markdown::BrokenLink;
use split::Parts;

/// Lines of a first paragraph in which the markers of a merge conflict are looked for.
const PARAGRAPH_LINES: usize = 8;

/// How to read a package.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The name of the zip or folder, for a skill without a `name`.
    pub source_name: Option<&'a str>,
    /// Whether problems of SKILL.md are errors.
    pub strictness: Strictness,
    /// The limits of the package.
    pub limits: &'a Limits,
    /// Paths of [secret files](crate::package::secret_file) that the publisher allows.
    pub allowed_files: &'a [String],
}

/// Returns the text of a published SKILL.md without its front matter. A strict package reads
/// the same if tolerant.
pub(super) fn body(text: &str) -> Cow<'_, str> {
    let (limits, mut findings) = (Limits::default(), Findings::default());
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Tolerant,
        limits: &limits,
        allowed_files: &[],
    };
    let mut entry = EntryFile { path: "", options: &options, findings: &mut findings };
    let read = entry.tolerant(text);
    read.map_or_else(|| Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)), |parts| parts.body)
}

/// The names that tell about a package as a whole.
pub(super) struct PackageNames<'a> {
    /// The top folder that was removed.
    pub top: Option<&'a str>,
    /// The paths of all files.
    pub paths: &'a [&'a str],
}

/// Reads the entry file. None if it has errors.
pub(super) fn read(
    path: &str,
    content: &[u8],
    package: &PackageNames<'_>,
    options: &ReadOptions<'_>,
    findings: &mut Findings,
) -> Option<Manifest> {
    let text = match str::from_utf8(content) {
        Ok(text) => text,
        Err(why) => {
            let good = content.get(..why.valid_up_to()).unwrap_or_default();
            let line = good.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            let finding =
                Finding::new(finding_codes::SKILL_MD_NOT_UTF8, "the text is not UTF-8: save it as UTF-8");
            findings.error(finding.in_file(path).at_line(line));
            return None;
        }
    };
    let mut entry = EntryFile { path, options, findings };
    let parts = match options.strictness {
        Strictness::Strict => entry.strict(text)?,
        Strictness::Tolerant => entry.tolerant(text)?,
    };
    entry.manifest(parts, package)
}

struct EntryFile<'a> {
    path: &'a str,
    options: &'a ReadOptions<'a>,
    findings: &'a mut Findings,
}

impl EntryFile<'_> {
    fn manifest(&mut self, parts: Parts<'_>, package: &PackageNames<'_>) -> Option<Manifest> {
        let Parts { mut front_matter, body, body_line, lead } = parts;
        self.check_characters(&mut front_matter);
        self.check_mistakes(&front_matter, &body, body_line, package.paths);
        let (path, strictness) = (self.path, self.options.strictness);
        let mut sources = [package.top, self.options.source_name].into_iter().flatten();
        let slug_from_source = sources.find_map(slug_of_source);
        let mut fields = Fields {
            front_matter: &front_matter,
            path,
            strictness,
            slug_from_source: slug_from_source.as_ref(),
            findings: self.findings,
        };
        let requested_name = fields.name();
        let version = fields.version();
        let described = fields.description();
        let title = fields.title();
        let license = fields.license();
        let homepage = fields.homepage();
        let keywords = fields.keywords();
        let requires = fields.requires();
        let slug_from_source = slug_from_source.filter(|_| requested_name.is_none());
        let description = described.or_else(|| self.describe(&front_matter, lead, &body, body_line))?;
        let headings = markdown::headings(&body);
        let slug = requested_name.as_ref().map(|name| &name.slug).or(slug_from_source.as_ref());
        let texts = slug.map(Slug::as_str).into_iter().chain([description.as_str()]).chain(title.as_deref());
        let texts = texts.chain(keywords.iter().chain(&headings).map(String::as_str));
        let body_words = markdown::body_words(&body, texts);
        Some(Manifest {
            requested_name,
            slug_from_source,
            version,
            description,
            title,
            license,
            homepage,
            keywords,
            requires,
            headings,
            body_words,
            front_matter: front_matter.map,
            lines: front_matter.lines,
        })
    }

    /// Reports characters that mislead readers, and removes them.
    fn check_characters(&mut self, front_matter: &mut FrontMatter) {
        for (key, c) in characters::remove_misleading(front_matter) {
            let line = front_matter.line(&key);
            let (code, is_strict) = (fields::code_of(&key), self.options.strictness == Strictness::Strict);
            let done = if is_strict { "remove it" } else { "such characters were removed" };
            let kind = if c.is_control() { "control character" } else { "invisible character" };
            let why = format!("`{}` has the {kind} U+{:04X}: {done}", key.escape_debug(), u32::from(c));
            let finding = Finding::new(code, why).in_file(self.path).at_line(line);
            if is_strict { self.findings.error(finding) } else { self.findings.warn(finding) }
        }
    }

    /// Warns about what is valid, but probably not meant.
    fn check_mistakes(&mut self, front_matter: &FrontMatter, body: &str, body_line: u64, paths: &[&str]) {
        for (key, known) in unknown_keys::find(front_matter) {
            let why =
                format!("the key `{}` has no meaning: write `{known}` if that is meant", key.escape_debug());
            self.warn(finding_codes::KEY_MISSPELLED, front_matter.line(key), &why);
        }
        if front_matter.value("description").is_some_and(|text| text == placeholders::DESCRIPTION) {
            let why = "replace the description of the template: say what this skill does, and when to use it";
            self.warn(finding_codes::PLACEHOLDER_LEFT, front_matter.line("description"), why);
        }
        for line in placeholders::lines(body) {
            let why = "replace this line of the template: write what the agent should do, or remove it";
            self.warn(finding_codes::PLACEHOLDER_LEFT, body_line + line, why);
        }
        for BrokenLink { target, line } in markdown::broken_links(body, paths) {
            let why = format!(
                "the link names `{}`, which is not in the package: add the file, or correct the link",
                target.escape_debug()
            );
            self.warn(finding_codes::LINK_BROKEN, body_line + line, &why);
        }
    }

    /// Warns about texts that a ` #` cuts short.
    fn check_comments(&mut self, yaml: &str, first_line: u64, front_matter: &FrontMatter) {
        for LostComment { line, message, .. } in lost_comments::find(yaml, first_line, front_matter) {
            self.warn(finding_codes::COMMENT_IN_TEXT, line, &message);
        }
    }

    /// Takes the description from the text, if tolerant.
    fn describe(
        &mut self,
        front_matter: &FrontMatter,
        lead: &str,
        body: &str,
        body_line: u64,
    ) -> Option<String> {
        let written = front_matter.value("description").is_some_and(|value| !value.is_string());
        let line = front_matter.line("description");
        if self.options.strictness == Strictness::Strict {
            if written {
                return None; // Already reported.
            }
            let why = "the front matter has no `description`: say in 1 to 1,024 characters what the skill does and when to use it";
            return self.error(Finding::new(finding_codes::DESCRIPTION_MISSING, why).at_line(line));
        }
        let first = markdown::first_paragraph(lead).map(|(text, at)| (text, at + 1));
        let Some((text, at)) = first.or_else(|| markdown::first_paragraph(body)) else {
            let why = "the skill has neither a `description` nor a paragraph of text: add a `description`";
            return self.error(Finding::new(finding_codes::DESCRIPTION_MISSING, why).at_line(line));
        };
        let above = usize::try_from(at).unwrap_or(usize::MAX).saturating_add(PARAGRAPH_LINES);
        let top: String = body.split_inclusive('\n').take(above).collect();
        self.check_conflict(&top, body_line)?;
        let why = "there is no `description`: the first paragraph was used";
        self.warn(finding_codes::DESCRIPTION_FROM_TEXT, body_line + at - 1, why);
        let end = text.char_indices().nth(MAX_DESCRIPTION).map_or(text.len(), |(end, _)| end);
        text.get(..end).map(|text| text.trim_end().to_owned())
    }

    fn error<T>(&mut self, finding: Finding) -> Option<T> {
        self.findings.error(finding.in_file(self.path));
        None
    }

    fn warn(&mut self, code: &str, line: u64, why: &str) {
        self.findings.warn(Finding::new(code, why).in_file(self.path).at_line(line));
    }
}
