//! Splits SKILL.md into front matter and text.

use super::front_matter::{self, Cut, Fence, FrontMatter};
use super::{EntryFile, repair, yaml};
use crate::package::code;
use crate::package::finding::Finding;
use crate::package::limits::shown_size;

/// The front matter, the text after it, and the line where the text starts.
pub(super) type Parts<'t> = (FrontMatter, &'t str, u64);

impl EntryFile<'_> {
    pub(super) fn strict<'t>(&mut self, cut: Cut<'t>) -> Option<Parts<'t>> {
        match cut.fence {
            Fence::Closed => {}
            Fence::Missing => {
                let why = "there is no front matter: begin the file with a line `---`, \
                           then `name:` and `description:`, then `---`";
                return self.error(Finding::new(code::FRONT_MATTER_MISSING, why).on(1));
            }
            Fence::Unclosed => {
                let why = "the front matter has no end: close it with a line `---`";
                return self.error(Finding::new(code::FRONT_MATTER_UNCLOSED, why).on(1));
            }
        }
        self.check_size(cut.yaml)?;
        match yaml::read(cut.yaml, cut.yaml_line, self.options.limits) {
            Ok(front_matter) => Some((front_matter, cut.body, cut.body_line)),
            Err(why) => {
                let line = why.line.unwrap_or(cut.yaml_line);
                let message = format!(
                    "the front matter is invalid at line {line}, column {}: {}. \
                     A text with `: ` in it, or with a special character at its start, needs quotes",
                    why.column.max(1),
                    why.message.trim_end_matches('.')
                );
                self.error(Finding::new(code::FRONT_MATTER_INVALID, message).on(line))
            }
        }
    }

    pub(super) fn tolerant<'t>(&mut self, text: &'t str) -> Option<Parts<'t>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let blank = text.split_inclusive('\n').take_while(|line| line.trim().is_empty());
        let (skipped, lines) = blank.fold((0, 0), |(bytes, lines), line| (bytes + line.len(), lines + 1));
        let mut cut = front_matter::cut(text.get(skipped..).unwrap_or_default());
        cut.yaml_line += lines;
        cut.body_line += lines;
        if cut.fence == Fence::Missing {
            self.warn(code::FRONT_MATTER_MISSING, 1, "there is no front matter: add one");
            return Some((FrontMatter::default(), cut.body, cut.body_line));
        }
        let whole = (cut.yaml, cut.yaml_line);
        if cut.fence == Fence::Unclosed {
            let (bytes, lines) = repair::extent(cut.yaml);
            (cut.yaml, cut.body) = cut.yaml.split_at_checked(bytes)?;
            cut.body_line = cut.yaml_line + lines;
            let why = "the front matter has no end: it was read up to the first line of text";
            self.warn(code::FRONT_MATTER_UNCLOSED, 1, why);
        }
        self.check_size(cut.yaml)?;
        let limits = self.options.limits;
        if let Ok(front_matter) = yaml::read(cut.yaml, cut.yaml_line, limits) {
            return Some((front_matter, cut.body, cut.body_line));
        }
        let front_matter = repair::read(cut.yaml, cut.yaml_line, self.path, limits, self.findings);
        if front_matter.map.is_empty() {
            // The text has no front matter, but starts with a horizontal rule.
            let why = "there is no front matter between the lines `---`: add one";
            self.warn(code::FRONT_MATTER_MISSING, 1, why);
            return Some((front_matter, whole.0, whole.1));
        }
        Some((front_matter, cut.body, cut.body_line))
    }

    fn check_size(&mut self, yaml: &str) -> Option<()> {
        let limit = self.options.limits.front_matter;
        if yaml.len() <= limit {
            return Some(());
        }
        let why = format!("the front matter is longer than {}: shorten it", shown_size(limit as u64));
        self.error(Finding::new(code::FRONT_MATTER_TOO_LARGE, why).on(1))
    }
}
