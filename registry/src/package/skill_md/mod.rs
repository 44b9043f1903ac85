//! SKILL.md: its manifest and its text.

mod entry_file;
mod fields;
mod front_matter;
mod manifest;
mod markdown;
mod repair;
mod split;
mod text;
mod yaml;

pub(super) use entry_file::find;
pub use manifest::{Manifest, RequestedName, Strictness};
pub use text::{SkillText, skill_md_text};

use crate::package::code;
use crate::package::finding::{Finding, Findings};
use crate::package::limits::Limits;
use fields::{Fields, MAX_DESCRIPTION};
use front_matter::FrontMatter;
use manifest::slug_of_source;

/// How to read a package.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The name of the zip or folder, for a skill without a `name`.
    pub source_name: Option<&'a str>,
    /// Whether problems of SKILL.md are errors.
    pub strictness: Strictness,
    /// The limits of the package.
    pub limits: &'a Limits,
}

/// Returns the text after the front matter of a published SKILL.md. A strict package reads
/// the same if tolerant.
pub(super) fn body(text: &str) -> &str {
    let (limits, mut findings) = (Limits::default(), Findings::default());
    let options = ReadOptions { source_name: None, strictness: Strictness::Tolerant, limits: &limits };
    let mut entry = EntryFile { path: "", options: &options, findings: &mut findings };
    let read = entry.tolerant(text).filter(|(front_matter, ..)| !front_matter.map.is_empty());
    read.map_or_else(|| text.strip_prefix('\u{feff}').unwrap_or(text), |(_, body, _)| body)
}

/// Reads the entry file. None if it has errors.
pub(super) fn read(
    path: &str,
    content: &[u8],
    top: Option<&str>,
    options: &ReadOptions<'_>,
    findings: &mut Findings,
) -> Option<Manifest> {
    let text = match str::from_utf8(content) {
        Ok(text) => text,
        Err(why) => {
            let good = content.get(..why.valid_up_to()).unwrap_or_default();
            let line = good.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            let finding = Finding::new(code::SKILL_MD_NOT_UTF8, "the text is not UTF-8: save it as UTF-8");
            findings.error(finding.at(path).on(line));
            return None;
        }
    };
    let mut entry = EntryFile { path, options, findings };
    let (front_matter, body, body_line) = match options.strictness {
        Strictness::Strict => entry.strict(front_matter::cut(text))?,
        Strictness::Tolerant => entry.tolerant(text)?,
    };
    entry.manifest(front_matter, body, body_line, top)
}

struct EntryFile<'a> {
    path: &'a str,
    options: &'a ReadOptions<'a>,
    findings: &'a mut Findings,
}

impl EntryFile<'_> {
    fn manifest(
        &mut self,
        front_matter: FrontMatter,
        body: &str,
        body_line: u64,
        top: Option<&str>,
    ) -> Option<Manifest> {
        let (path, strictness) = (self.path, self.options.strictness);
        let mut fields = Fields { front_matter: &front_matter, path, strictness, findings: self.findings };
        let requested_name = fields.name();
        let version = fields.version();
        let described = fields.description();
        let title = fields.title();
        let license = fields.license();
        let homepage = fields.homepage();
        let keywords = fields.keywords();
        let slug_from_source =
            if requested_name.is_none() { self.slug_from_source(&front_matter, top) } else { None };
        let description = described.or_else(|| self.describe(&front_matter, body, body_line));
        Some(Manifest {
            requested_name,
            slug_from_source,
            version,
            description: description?,
            title,
            license,
            homepage,
            keywords,
            headings: markdown::headings(body),
            front_matter: front_matter.map,
        })
    }

    fn slug_from_source(
        &mut self,
        front_matter: &FrontMatter,
        top: Option<&str>,
    ) -> Option<crate::names::Slug> {
        let slug = [top, self.options.source_name].into_iter().flatten().find_map(slug_of_source);
        if front_matter.value("name").is_none_or(|name| name == "") {
            let done = match &slug {
                Some(slug) => format!("the name of its folder or file was used, `{slug}`"),
                None => "and neither its folder nor its file has a usable one".to_owned(),
            };
            let why = format!("the front matter has no `name`: {done}; add one");
            self.warn(code::NAME_MISSING, 1, &why);
        }
        slug
    }

    /// Takes the description from the text, if tolerant.
    fn describe(&mut self, front_matter: &FrontMatter, body: &str, body_line: u64) -> Option<String> {
        let written = front_matter.value("description").is_some_and(|value| !value.is_string());
        let line = front_matter.line("description");
        if self.options.strictness == Strictness::Strict {
            if written {
                return None; // Already reported.
            }
            let why = "the front matter has no `description`: say in 1 to 1,024 characters what the skill does and when to use it";
            return self.error(Finding::new(code::DESCRIPTION_MISSING, why).on(line));
        }
        let Some((text, at)) = markdown::first_paragraph(body) else {
            let why = "the skill has neither a `description` nor a paragraph of text: add a `description`";
            return self.error(Finding::new(code::DESCRIPTION_MISSING, why).on(line));
        };
        let why = "there is no `description`: the first paragraph was used";
        self.warn(code::DESCRIPTION_FROM_TEXT, body_line + at - 1, why);
        let end = text.char_indices().nth(MAX_DESCRIPTION).map_or(text.len(), |(end, _)| end);
        text.get(..end).map(|text| text.trim_end().to_owned())
    }

    fn error<T>(&mut self, finding: Finding) -> Option<T> {
        self.findings.error(finding.at(self.path));
        None
    }

    fn warn(&mut self, code: &str, line: u64, why: &str) {
        self.findings.warn(Finding::new(code, why).at(self.path).on(line));
    }
}
