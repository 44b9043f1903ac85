//! Rules about tricks that harm people who install a package. They are in [`finding_codes::RULES`], with their levels.
//!
//! The rules read bytes in linear time, run nothing and ask nobody, so every publication is judged. A rule is narrow
//! where many honest packages look alike: a level that waits for a person is only of use while people read each case.

mod binary;
mod texts;

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

use super::finding::{Finding, Findings};
use super::finding_codes as codes;
use super::level::Level;
use super::secrets::utf16;
use super::{UnpackedFile, tool_settings};
use texts::{HIDDEN, SHOWN, TextRule};

pub(super) use binary::dropped;

/// The number of these rules. Another number judges the latest versions again.
pub const RULES_VERSION: &str = "1";

/// Findings of one expression in one file.
const MAX_HITS: usize = 10;

/// Installers of well-known tools, by the address they are downloaded from.
const INSTALLERS: &[&str] = &[
    "https://astral.sh/",
    "https://bun.sh/",
    "https://claude.ai/",
    "https://deb.nodesource.com/",
    "https://deno.land/",
    "https://foundry.paradigm.xyz",
    "https://get.docker.com",
    "https://get.pnpm.io/",
    "https://install.python-poetry.org",
    "https://nixos.org/",
    "https://ollama.com/",
    "https://raw.githubusercontent.com/Homebrew/",
    "https://raw.githubusercontent.com/nvm-sh/",
    "https://sh.rustup.rs",
    "https://tailscale.com/",
];

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
    // By chance, bytes of a binary file look like the characters that hide text.
    if str::from_utf8(content).is_ok() {
        search(path, content, hidden, findings);
    }
    search(path, content, shown, findings);
    if let Some(letters) = utf16::ascii(content) {
        search(path, &letters, shown, findings);
    }
}

fn search(path: &str, content: &[u8], compiled: &Compiled, findings: &mut Findings) {
    for number in compiled.any.matches(content) {
        let (rule, expression) = (&compiled.rules[number], &compiled.each[number]);
        for found in expression.find_iter(content).take(MAX_HITS) {
            // The line of the end shows what blank lines hide.
            let at = if rule.code == codes::TEXT_AFTER_BLANK_LINES { found.end() - 1 } else { found.start() };
            let before = content.get(..at).unwrap_or_default();
            let line = before.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            let finding = match rule.code {
                codes::PIPE_TO_SHELL if is_known_installer(found.as_bytes()) => {
                    Finding::new(codes::PIPE_OF_KNOWN_INSTALLER, texts::KNOWN_INSTALLER)
                }
                codes::HIDDEN_ORDER if is_in_code(before) => {
                    Finding::new(rule.code, rule.message).at_level(Level::Note)
                }
                _ => Finding::new(rule.code, rule.message),
            };
            findings.warn(finding.in_file(path).at_line(line));
        }
    }
}

/// Whether all addresses in a command are those of known installers.
fn is_known_installer(command: &[u8]) -> bool {
    let command = String::from_utf8_lossy(command);
    let mut addresses = command.match_indices("://").map(|(at, _)| {
        let start = command[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
        command.get(start..).unwrap_or_default()
    });
    let is_known = |address: &str| {
        INSTALLERS.iter().any(|known| {
            let rest = address.strip_prefix(known);
            rest.is_some_and(|rest| {
                known.ends_with('/') || !rest.starts_with(|c: char| c.is_alphanumeric() || ".-@:".contains(c))
            })
        })
    };
    command.contains("://") && addresses.all(is_known)
}

/// Whether a place is in a fenced block of code, so that readers of the page see it.
fn is_in_code(before: &[u8]) -> bool {
    let fences = before.split(|&b| b == b'\n').filter(|line| line.trim_ascii_start().starts_with(b"```"));
    fences.count() % 2 == 1
}

#[cfg(test)]
mod tests;
