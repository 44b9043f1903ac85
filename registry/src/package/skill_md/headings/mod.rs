//! The headings of a Markdown text, as plain text: what a skill is found by
//! besides its name and description.

mod budget;
#[cfg(test)]
mod tests;

use super::fence::{Fence, indent};
use super::prose::{is_underline, list_item};
use budget::{HeadingBudget, MARKUP};

/// Finds the headings, of any level, in their order: at most 64 of at most 128
/// characters, together at most 2 KiB; what is longer is cut. Empty ones and
/// doubles are left out, and what stands in code, comments, quotes, tables or
/// below a list's mark.
pub(super) fn read(markdown: &str) -> Vec<String> {
    let mut search = Search { around: Around::Nothing, budget: HeadingBudget::default() };
    for line in markdown.lines() {
        search.line(line);
        if search.budget.is_full {
            break;
        }
    }
    search.budget.headings
}

struct Search<'t> {
    around: Around<'t>,
    budget: HeadingBudget,
}

/// What the next line may be a part of.
enum Around<'t> {
    Nothing,
    /// A paragraph, which an underline makes a heading.
    Paragraph(Vec<&'t str>),
    /// A list item, quote, table or tag, which takes in the lines up to a blank one.
    Other,
    Code(Fence),
    Comment,
}

impl<'t> Search<'t> {
    fn line(&mut self, line: &'t str) {
        let text = line.trim();
        match self.around {
            Around::Comment => {
                if text.contains("-->") {
                    self.around = Around::Nothing;
                }
                return;
            }
            Around::Code(fence) if fence.is_closed_by(line) => {
                self.around = Around::Nothing;
                return;
            }
            Around::Code(fence) if !fence.is_left_by(line) => return,
            Around::Code(_) => self.around = Around::Nothing,
            _ => {}
        }
        if text.is_empty() {
            self.around = Around::Nothing;
        } else if indent(line) >= 4 {
            // Code, or a line more of what is open.
            self.go_on(text);
        } else if let Some(heading) = atx(text) {
            self.around = Around::Nothing;
            self.budget.add(heading);
        } else if is_underline(text) && self.underlined(line) {
            self.around = Around::Nothing;
        } else {
            self.block(line, text);
        }
    }

    /// Takes in the line below a paragraph that makes it a heading.
    fn underlined(&mut self, line: &str) -> bool {
        let Around::Paragraph(lines) = &self.around else { return false };
        // Else the paragraph is one of a list, and the line a rule below it.
        if lines.first().is_some_and(|first| indent(first) > indent(line)) {
            return false;
        }
        let text = lines.join("\n");
        self.budget.add(&text);
        true
    }

    fn block(&mut self, line: &'t str, text: &'t str) {
        let item = list_item(text).map(str::trim_start);
        if let Some(fence) = Fence::opened_by(line, item.unwrap_or(text)) {
            self.around = Around::Code(fence);
        } else if text.starts_with("<!--") {
            self.around = if text.contains("-->") { Around::Other } else { Around::Comment };
        } else if is_rule(text) {
            self.around = Around::Nothing;
        } else if item.is_some() || text.starts_with(['>', '|']) {
            self.around = Around::Other;
        } else if matches!(self.around, Around::Nothing) {
            let other = text.starts_with('<');
            self.around = if other { Around::Other } else { Around::Paragraph(vec![line]) };
        } else {
            self.go_on(line);
        }
    }

    fn go_on(&mut self, line: &'t str) {
        if let Around::Paragraph(lines) = &mut self.around
            && lines.len() < MARKUP
        {
            lines.push(line);
        }
    }
}

/// The text of a heading that is marked with one to six `#`.
fn atx(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let closed = rest.trim_end_matches('#');
    let is_closed = closed.len() < rest.len() && closed.ends_with([' ', '\t']);
    Some(if is_closed { closed } else { rest })
}

/// Whether a line divides the text: three or more of the same mark.
fn is_rule(text: &str) -> bool {
    let marks = || text.chars().filter(|c| !c.is_whitespace());
    ['-', '*', '_'].iter().any(|mark| marks().all(|c| c == *mark)) && marks().nth(2).is_some()
}
