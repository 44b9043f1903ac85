//! Rules about tricks that harm people who install a package. They are in [`finding_codes::RULES`], with their levels.
//!
//! The rules read bytes in linear time, run nothing and ask nobody, so every publication is judged. A rule is narrow
//! where many honest packages look alike: a level that waits for a person is only of use while people read each case.

mod binary;
mod installers;
mod texts;

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use regex::bytes::{Regex, RegexSet};

use super::finding::{Finding, Findings};
use super::finding_codes as codes;
use super::level::Level;
use super::secrets::utf16;
use super::{UnpackedFile, tool_settings};
use installers::is_known_installer;
use texts::{HIDDEN, SHOWN, TextRule};

pub(super) use binary::dropped;

/// The number of these rules. Another number judges the latest versions again.
pub const RULES_VERSION: &str = "1";

/// Findings of one expression in one file.
const MAX_HITS: usize = 10;

/// Compiled rules of texts. The expressions are constant, and a test checks that they compile.
struct Compiled {
    rules: &'static [TextRule],
    any: RegexSet,
    each: Vec<Regex>,
}

static COMPILED: LazyLock<Vec<Compiled>> =
    LazyLock::new(|| [SHOWN, HIDDEN].map(compile).into_iter().flatten().collect());

fn compile(rules: &'static [TextRule]) -> Option<Compiled> {
    let expressions = || rules.iter().map(|rule| rule.expression);
    let each = expressions().map(Regex::new).collect::<Result<_, _>>().ok()?;
    Some(Compiled { rules, any: RegexSet::new(expressions()).ok()?, each })
}

/// What all rules find in the files of a package that was published before.
pub fn findings_of_rules(files: &[UnpackedFile]) -> Vec<Finding> {
    let mut findings = Findings::default();
    tool_settings::check(files.iter().map(|file| file.path.as_str()), &mut findings);
    files.iter().for_each(|file| check(file.path.as_str(), &file.content, &mut findings));
    findings.into_levelled()
}

/// Reports what the rules find in a file.
pub(super) fn check(path: &str, content: &[u8], findings: &mut Findings) {
    binary::check(path, content, findings);
    let [shown, hidden] = &COMPILED[..] else { return };
    // By chance, bytes of a binary file look like the characters that hide text. Texts have no NUL.
    if !content.contains(&0) {
        search(path, String::from_utf8_lossy(content).as_bytes(), hidden, findings);
    }
    search(path, content, shown, findings);
    if let Some(letters) = utf16::ascii(content) {
        search(path, &letters, shown, findings);
    }
}

fn search(path: &str, content: &[u8], compiled: &Compiled, findings: &mut Findings) {
    for number in compiled.any.matches(content) {
        let (rule, expression) = (&compiled.rules[number], &compiled.each[number]);
        // Those of a lower level must not use up the places of the others.
        let (mut usual, mut lowered) = (0, 0);
        let (mut line, mut read) = (1, 0);
        let fences = LazyCell::new(|| Fences::of(content));
        for found in expression.find_iter(content) {
            let lower = match rule.code {
                codes::PIPE_TO_SHELL if is_known_installer(found.as_bytes()) => {
                    Some(Finding::new(codes::PIPE_OF_KNOWN_INSTALLER, texts::KNOWN_INSTALLER))
                }
                codes::HIDDEN_ORDER if fences.contain(found.start()) => {
                    Some(Finding::new(rule.code, rule.message).at_level(Level::Note))
                }
                _ => None,
            };
            let hits = if lower.is_some() { &mut lowered } else { &mut usual };
            *hits += 1;
            if *hits > MAX_HITS {
                if usual > MAX_HITS {
                    break;
                }
                continue;
            }
            // The line of the end shows what blank lines hide.
            let at = if rule.code == codes::TEXT_AFTER_BLANK_LINES { found.end() - 1 } else { found.start() };
            line += content.get(read..at).unwrap_or_default().iter().filter(|&&b| b == b'\n').count() as u64;
            read = at;
            let finding = lower.unwrap_or_else(|| Finding::new(rule.code, rule.message));
            findings.warn(finding.in_file(path).at_line(line));
        }
    }
}

/// The fenced blocks of code of a text, which readers of the page see. Both the text and what follows its front matter
/// are read, as programs differ: a place is in code if it is in code of both.
struct Fences([Vec<Range<usize>>; 2]);

impl Fences {
    fn of(content: &[u8]) -> Self {
        let text = str::from_utf8(content).unwrap_or_default();
        let end = text.strip_prefix("---").and_then(|rest| rest.find("\n---")).map_or(0, |end| end + 7);
        let blocks = |from: usize| {
            let events = Parser::new_ext(text.get(from..).unwrap_or_default(), Options::ENABLE_TABLES);
            let is_fenced =
                |event: &Event<'_>| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))));
            let found = events.into_offset_iter().filter(|(event, _)| is_fenced(event));
            found.map(|(_, at)| at.start + from..at.end + from).collect()
        };
        Self([blocks(0), blocks(end)])
    }

    fn contain(&self, at: usize) -> bool {
        self.0.iter().all(|blocks| {
            let before = blocks.partition_point(|block| block.start <= at);
            before.checked_sub(1).and_then(|last| blocks.get(last)).is_some_and(|block| block.contains(&at))
        })
    }
}

#[cfg(test)]
mod tests;
