//! Policy files: TOML with one key for each rule.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use registry::data_fault::toml_fault;
use registry::names::Coordinate;
use registry::package::Level;
use registry::public::AdvisoryLevel;
use serde::Deserialize;
use toml::Spanned;

use super::rule::{PlacedRule, Rule};
use crate::regular_file::{self, Links};
use crate::{ClientError, RegistryAddress};

/// The size limit of a file: 64 KiB.
const MAX_BYTES: u64 = 64 << 10;

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    allow_registries: Option<Spanned<Vec<String>>>,
    deny_registries: Option<Spanned<Vec<String>>>,
    allow_skills: Option<Spanned<Vec<String>>>,
    deny_skills: Option<Spanned<Vec<String>>>,
    min_age: Option<Spanned<String>>,
    provenance: Option<Spanned<Vec<String>>>,
    max_verdict: Option<Spanned<String>>,
    max_advisory: Option<Spanned<String>>,
    locked: Option<Spanned<bool>>,
    executables: Option<Spanned<bool>>,
}

/// Reads the rules of a file. None if it is missing.
pub(super) fn read(path: &Path, links: Links) -> Result<Option<Vec<PlacedRule>>, ClientError> {
    let refused = |why: String| ClientError::Policy { path: path.to_owned(), why };
    let bytes = match regular_file::read_beyond(path, links, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(why) => {
            return Err(refused(format!("it cannot be read: {why}. Correct that, or ask who wrote it")));
        }
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(format!("it is larger than {} KiB: shorten it", MAX_BYTES >> 10)));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8".into()))?;
    parse(path, &text).map(Some)
}

/// Parses the text of a file.
pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<PlacedRule>, ClientError> {
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let refused = |at: Option<usize>, why: &str| {
        let at = at.map(|at| format!("line {}: ", line(at))).unwrap_or_default();
        ClientError::Policy { path: path.to_owned(), why: format!("{at}{why}") }
    };
    let file: File = toml::from_str(text).map_err(|why| {
        refused(why.span().map(|span| span.start), &toml_fault(&why.message().replace('\n', " ")))
    })?;
    let mut rules = Vec::new();
    let mut add = |at: usize, rule: Result<Option<Rule>, String>| match rule {
        Ok(rule) => {
            rules.extend(rule.map(|rule| PlacedRule::new(rule, path, Some(line(at)))));
            Ok(())
        }
        Err(why) => Err(refused(Some(at), &why)),
    };
    let lists: [List; 5] = [
        (file.allow_registries, check_registry, Rule::AllowRegistries),
        (file.deny_registries, check_registry, Rule::DenyRegistries),
        (file.allow_skills, check_skill, Rule::AllowSkills),
        (file.deny_skills, check_skill, Rule::DenySkills),
        (file.provenance, check_repository, Rule::Provenance),
    ];
    for (list, check, rule) in lists {
        let Some(list) = list else { continue };
        let (at, patterns) = (list.span().start, list.into_inner());
        let checked = patterns.iter().try_for_each(|pattern| check(pattern));
        add(at, checked.map(|()| Some(rule(patterns))))?;
    }
    if let Some(age) = file.min_age {
        add(age.span().start, parse_age(age.get_ref()).map(|age| Some(Rule::MinAge(age))))?;
    }
    if let Some(level) = file.max_verdict {
        let parsed = match level.get_ref().as_str() {
            "none" => Ok(None),
            text => text.parse::<Level>().map(Some).map_err(|why| format!("{why}, none")),
        };
        add(level.span().start, parsed.map(|level| Some(Rule::MaxVerdict(level))))?;
    }
    if let Some(level) = file.max_advisory {
        let parsed = match level.get_ref().as_str() {
            "none" => Ok(None),
            text => text.parse::<AdvisoryLevel>().map(Some).map_err(|why| format!("{why}, none")),
        };
        add(level.span().start, parsed.map(|level| Some(Rule::MaxAdvisory(level))))?;
    }
    if let Some(locked) = file.locked {
        add(locked.span().start, Ok(locked.get_ref().then_some(Rule::OnlyLocked)))?;
    }
    if let Some(executables) = file.executables {
        add(executables.span().start, Ok((!executables.get_ref()).then_some(Rule::NoExecutables)))?;
    }
    Ok(rules)
}

/// A list of patterns: what the file has, how a pattern is checked, and the rule that it makes.
type List = (Option<Spanned<Vec<String>>>, fn(&str) -> Result<(), String>, fn(Vec<String>) -> Rule);

/// Checks the pattern of registries. A star stands only after a slash, so that no longer host name fits.
fn check_registry(pattern: &str) -> Result<(), String> {
    let is_valid = match pattern.strip_suffix('*') {
        // A pattern is compared as text, so only the usual spelling of an address means something.
        Some("https://" | "http://" | "file:///") => true,
        Some(beginning) => beginning.strip_suffix('/').is_some_and(|address| {
            let parsed = address.parse::<RegistryAddress>();
            address.contains("://") && parsed.is_ok_and(|parsed| parsed.to_string() == address)
        }),
        None => pattern.parse::<RegistryAddress>().is_ok(),
    };
    let shown = pattern.escape_debug();
    is_valid.then_some(()).ok_or_else(|| {
        format!("`{shown}` is no registry: write an address like https://skills.example.org, or a beginning like https://example.org/*")
    })
}

fn check_skill(pattern: &str) -> Result<(), String> {
    // A star stands for any slug.
    let name =
        pattern.strip_suffix('*').map_or_else(|| pattern.to_owned(), |beginning| format!("{beginning}x"));
    let is_valid = Coordinate::parse_scoped(&name).is_some_and(|parsed| parsed.is_ok());
    let is_valid = is_valid && (!pattern.ends_with('*') || pattern.ends_with("/*"));
    let shown = pattern.escape_debug();
    is_valid.then_some(()).ok_or_else(|| {
        format!("`{shown}` is no skill: write @namespace/skill, or @namespace/* for all of a namespace")
    })
}

/// Checks the pattern of a repository, as `trust require-provenance` takes it too.
pub fn check_repository(pattern: &str) -> Result<(), String> {
    let beginning = pattern.strip_suffix('*').unwrap_or(pattern);
    // The address of a source has a scheme, and perhaps a port.
    let address = ["https://", "http://"].iter().find_map(|scheme| beginning.strip_prefix(scheme));
    let has_colon = address.is_none() && beginning.contains(':');
    let beginning = address.unwrap_or(beginning);
    let is_word = pattern.bytes().all(|byte| byte.is_ascii_graphic());
    match is_word && beginning.contains('/') && !beginning.contains('*') && !has_colon {
        true => Ok(()),
        false => {
            Err("write a repository like github.com/acme/skills, or a beginning like github.com/acme/*"
                .into())
        }
    }
}

/// Parses a span of time like `3d`.
fn parse_age(text: &str) -> Result<Duration, String> {
    let parse = || {
        let number = text.strip_suffix(['d', 'h', 'm'])?;
        let unit = match text.as_bytes().last()? {
            b'd' => 86_400,
            b'h' => 3600,
            _ => 60,
        };
        number.parse::<u32>().ok().map(|number| u64::from(number) * unit)
    };
    let seconds = parse().ok_or("write a number and d, h or m, like \"3d\"")?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_file_have_their_lines() {
        let text = "# Ours\nallow_skills = [\n  \"@acme/*\",\n]\nmin_age = \"3d\"\nlocked = false\nexecutables = false\n\
                    max_advisory = \"none\"\nmax_verdict = \"note\"\n";
        let rules = parse(Path::new("p.toml"), text).unwrap();
        let all: Vec<_> =
            rules.iter().map(|rule| format!("{} {} {}", rule.place(), rule.name, rule.value)).collect();
        assert_eq!(
            all,
            [
                "p.toml:2 allow_skills [\"@acme/*\"]",
                "p.toml:5 min_age \"3d\"",
                "p.toml:9 max_verdict \"note\"",
                "p.toml:8 max_advisory \"none\"",
                "p.toml:7 executables false",
            ]
        );
    }

    #[test]
    fn mistake_is_refused_with_its_line_and_remedy() {
        for (text, said) in [
            ("\nmin_ages = \"3d\"", "line 2: `min_ages` is unknown"),
            ("min_age = 3", "line 1: "),
            ("min_age = \"3 weeks\"", "like \"3d\""),
            ("max_verdict = \"bad\"", "line 1: "),
            ("\n\nmax_advisory = \"bad\"", "line 3: there is no level of an advisory `bad`"),
            ("locked = \"yes\"", "line 1: "),
            ("allow_registries = [\"example.org\"]", "`example.org` is no registry"),
            ("allow_registries = [\"https://example.org*\"]", "is no registry"),
            ("deny_registries = [\"https://Evil.example/*\"]", "is no registry"),
            ("deny_registries = [\"https://evil.example:443/*\"]", "is no registry"),
            ("deny_registries = \"https://example.org\"", "line 1: "),
            ("allow_skills = [\"acme\"]", "`acme` is no skill"),
            ("allow_skills = [\"@acme*\"]", "is no skill"),
            ("deny_skills = [\"@acme/a*\"]", "is no skill"),
            ("provenance = [\"acme\"]", "write a repository"),
            ("locked = true\nlocked = true", "line 2: "),
            ("allow_skills = [", "line 1: "),
        ] {
            let why = parse(Path::new("p.toml"), text).unwrap_err().to_string();
            assert!(why.contains(said), "{text}: {why}");
        }
    }
}
