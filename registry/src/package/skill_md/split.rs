//! Splits SKILL.md into front matter and text.

use std::borrow::Cow;

use super::extent::{self, extent};
use super::front_matter::{self, Fence, FrontMatter, is_fence};
use super::misplaced::{self, Form, Misplaced};
use super::yaml_problem::{self, Problem};
use super::{EntryFile, conflict, labels, repair, yaml};
use crate::package::finding::Finding;
use crate::package::finding_codes;
use crate::package::limits::shown_size;

/// The parts of SKILL.md.
pub(super) struct Parts<'t> {
    pub front_matter: FrontMatter,
    /// The text without the front matter.
    pub body: Cow<'t, str>,
    /// The line where `body` starts.
    pub body_line: u64,
    /// The text between two rules at the start of a text without front matter. The second
    /// rule would make a heading of a paragraph.
    pub lead: &'t str,
}

/// Front matter without its opening fence.
struct Block {
    front_matter: FrontMatter,
    /// Bytes and lines up to the text.
    rest: usize,
    rest_lines: u64,
    /// White space to remove from the lines of the text.
    indent: usize,
}

const UNCLOSED: &str = "the front matter has no end: it was read up to the first line of text";

impl EntryFile<'_> {
    pub(super) fn strict<'t>(&mut self, text: &'t str) -> Option<Parts<'t>> {
        let cut = front_matter::cut(text);
        self.check_conflict(cut.yaml, cut.yaml_line)?;
        match cut.fence {
            Fence::Closed => {}
            Fence::Missing => return self.misplaced(cut.body, 0),
            Fence::Unclosed => return self.unclosed("close it with a line `---`", 1),
        }
        self.check_size(cut.yaml)?;
        // The text from the second line.
        let below = text.split_once('\n').map_or("", |(_, below)| below);
        match yaml::read(cut.yaml, cut.yaml_line, self.options.limits) {
            Ok(front_matter) if front_matter.map.is_empty() && misplaced::find(below).is_some() => {
                self.misplaced(below, 1)
            }
            Ok(front_matter) => {
                self.check_comments(cut.yaml, cut.yaml_line, &front_matter);
                let body = Cow::Borrowed(cut.body);
                Some(Parts { front_matter, body, body_line: cut.body_line, lead: "" })
            }
            Err(_) if extent::line_of_text(cut.yaml).is_some() => {
                let line = cut.yaml_line + extent::line_of_text(cut.yaml).unwrap_or_default();
                let why = format!("close it with a line `---` above the text on line {line}");
                self.unclosed(&why, 1)
            }
            Err(why) => {
                let Problem { line, column, what, remedy } =
                    yaml_problem::explain(cut.yaml, cut.yaml_line, &why);
                let message =
                    format!("the front matter is invalid at line {line}, column {column}: {what}: {remedy}");
                let finding = Finding::new(finding_codes::FRONT_MATTER_INVALID, message);
                self.error(finding.at_line(line).at_column(column))
            }
        }
    }

    /// Reports that front matter is not where it has to be. `lines` are above `text`.
    fn misplaced<T>(&mut self, text: &str, lines: u64) -> Option<T> {
        let (line, why) = match misplaced::find(text) {
            Some(found) => {
                let line = found.line + lines;
                self.check_conflict(&text[..found.start], lines + 1)?;
                let (why, remedy) = found.form.problem(line);
                (line, format!("{why}: {remedy}"))
            }
            None => {
                let why = "there is no front matter: begin the file with a line `---`, \
                           then `name:` and `description:`, then `---`";
                (1, why.to_owned())
            }
        };
        self.error(Finding::new(finding_codes::FRONT_MATTER_MISSING, why).at_line(line))
    }

    fn unclosed<T>(&mut self, remedy: &str, line: u64) -> Option<T> {
        let why = format!("the front matter has no end: {remedy}");
        self.error(Finding::new(finding_codes::FRONT_MATTER_UNCLOSED, why).at_line(line))
    }

    pub(super) fn tolerant<'t>(&mut self, text: &'t str) -> Option<Parts<'t>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.split_inclusive('\n').next().filter(|line| is_fence(line)).map_or(0, str::len);
        if first > 0 {
            let block = self.fenced(&text[first..], 2)?;
            if !block.front_matter.map.is_empty() {
                return Some(parts(text, 0, first, true, block));
            }
        }
        let mut lead = "";
        let lines = u64::from(first > 0);
        if let Some(found) = misplaced::find(&text[first..]) {
            let Misplaced { form, start, keys, .. } = found;
            let (start, keys) = (start + first, keys + first);
            self.check_conflict(&text[..start], 1)?;
            let block = match form {
                Form::Fenced => self.fenced(&text[keys..], found.keys_line + lines)?,
                Form::Bare | Form::Code => self.bare(&text[keys..], found.keys_line + lines)?,
            };
            let line = found.line + lines;
            let (why, _) = form.problem(line);
            self.warn(finding_codes::FRONT_MATTER_MISSING, line, &format!("{why}: it was read where it is"));
            return Some(parts(text, start, keys, found.is_first, block));
        }
        if first > 0 {
            lead = front_matter::cut(text).yaml;
        }
        // What is read from the text becomes front matter, so it is no longer than that may be.
        let limit = self.options.limits.front_matter.min(text.len());
        let end = (0..=limit).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let read = labels::read(&text[..end]);
        let why = match &read {
            Some(_) => "there is no front matter: the name was read from the text; add front matter",
            None => "there is no front matter: add one",
        };
        self.warn(finding_codes::FRONT_MATTER_MISSING, 1, why);
        let front_matter = read.unwrap_or_default();
        Some(Parts { front_matter, body: Cow::Borrowed(text), body_line: 1, lead })
    }

    /// Reads front matter below its opening fence. `line` is its line in the file. None if it
    /// has errors.
    fn fenced(&mut self, text: &str, line: u64) -> Option<Block> {
        let mut at = 0;
        for (lines, whole) in (1..).zip(text.split_inclusive('\n')) {
            if is_fence(whole) {
                let yaml = &text[..at];
                let is_valid = yaml::read(yaml, line, self.options.limits).is_ok();
                if !is_valid && extent::line_of_text(yaml).is_some() {
                    break; // A rule in the text.
                }
                let front_matter = self.read_yaml(yaml, line)?;
                return Some(Block { front_matter, rest: at + whole.len(), rest_lines: lines, indent: 0 });
            }
            at += whole.len();
        }
        let block = self.bare(text, line)?;
        if !block.front_matter.map.is_empty() {
            self.warn(finding_codes::FRONT_MATTER_UNCLOSED, line - 1, UNCLOSED);
        }
        Some(block)
    }

    /// Reads front matter up to the first line of text.
    fn bare(&mut self, text: &str, line: u64) -> Option<Block> {
        let extent = extent(text);
        let front_matter = self.read_yaml(&text[..extent.bytes], line)?;
        let (mut rest, mut rest_lines) = (extent.rest, extent.rest_lines);
        // The end of a block of code.
        if let Some(end) = text[rest..].split_inclusive('\n').next().filter(|end| is_code_end(end)) {
            (rest, rest_lines) = (rest + end.len(), rest_lines + 1);
        }
        Some(Block { front_matter, rest, rest_lines, indent: extent.indent })
    }

    /// Reads YAML, or repairs it.
    fn read_yaml(&mut self, yaml: &str, line: u64) -> Option<FrontMatter> {
        self.check_conflict(yaml, line)?;
        self.check_size(yaml)?;
        let limits = self.options.limits;
        let read = yaml::read(yaml, line, limits);
        let read = read.unwrap_or_else(|_| repair::read(yaml, line, self.path, limits, self.findings));
        self.check_comments(yaml, line, &read);
        Some(read)
    }

    /// Refuses an unresolved merge: nobody knows which half is right.
    pub(super) fn check_conflict(&mut self, text: &str, first_line: u64) -> Option<()> {
        let Some((number, marker)) = conflict::marker(text) else { return Some(()) };
        let line = first_line + number;
        let why = format!("line {line} is the marker `{marker}` of a merge conflict: resolve the conflict");
        self.error(Finding::new(finding_codes::FRONT_MATTER_INVALID, why).at_line(line))
    }

    fn check_size(&mut self, yaml: &str) -> Option<()> {
        let limit = self.options.limits.front_matter;
        if yaml.len() <= limit {
            return Some(());
        }
        let why = format!("the front matter is longer than {}: shorten it", shown_size(limit as u64));
        self.error(Finding::new(finding_codes::FRONT_MATTER_TOO_LARGE, why).at_line(1))
    }
}

fn is_code_end(line: &str) -> bool {
    matches!(line.trim(), "```" | "~~~")
}

/// Removes front matter from `text`: it begins at `start`, and its keys at `keys`. Lines above
/// it remain, and so do the line numbers, unless `is_first`.
fn parts(text: &str, start: usize, keys: usize, is_first: bool, block: Block) -> Parts<'_> {
    let Block { front_matter, rest, rest_lines, indent } = block;
    let after = &text[keys + rest..];
    let lines_above = |end: usize| text[..end].matches('\n').count();
    let outdented = |line: &str| {
        let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[spaces.min(indent)..].to_owned()
    };
    let after = match indent {
        0 => Cow::Borrowed(after),
        _ => Cow::Owned(after.split_inclusive('\n').map(outdented).collect()),
    };
    let lines = lines_above(keys) as u64 + rest_lines;
    if is_first {
        return Parts { front_matter, body: after, body_line: lines + 1, lead: "" };
    }
    let removed = "\n".repeat(usize::try_from(lines).unwrap_or_default() - lines_above(start));
    let body = Cow::Owned([&text[..start], &removed, &after].concat());
    Parts { front_matter, body, body_line: 1, lead: "" }
}
