//! Reads the fields of front matter within their limits.

use serde_json::Value;

use crate::names::{NameError, Slug, TolerantVersion};

use super::front_matter::FrontMatter;
use super::manifest::{RequestedName, Strictness, slugified};
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::is_invisible;

/// The most characters of a title and of a license.
pub(crate) const MAX_TITLE: usize = 128;
pub(crate) const MAX_LICENSE: usize = 128;
const MAX_HOMEPAGE: usize = 2_048;
/// Characters of a description, as in the Agent Skills specification.
pub(crate) const MAX_DESCRIPTION: usize = 1_024;
/// The most keywords, and the most characters of each.
pub(crate) const MAX_KEYWORDS: usize = 32;
pub(crate) const MAX_KEYWORD: usize = 64;

/// Reads single fields. An invalid value is an error if strict. If tolerant, it is cut or
/// ignored with a warning.
pub(super) struct Fields<'a> {
    pub front_matter: &'a FrontMatter,
    pub path: &'a str,
    pub strictness: Strictness,
    /// The slug of the folder or archive, for a name that none can be made of.
    pub slug_from_source: Option<&'a Slug>,
    pub findings: &'a mut Findings,
}

impl Fields<'_> {
    /// Reads `name`. None if it is absent or ignored.
    pub(super) fn name(&mut self) -> Option<RequestedName> {
        let text = match self.text("name", finding_codes::NAME_INVALID)? {
            text if text.is_empty() => return None,
            text => text,
        };
        let why: NameError = match text.parse() {
            Ok(name) => return Some(name),
            Err(why) => why,
        };
        if self.strictness == Strictness::Strict {
            let message = match self.slug_from_source.filter(|_| !why.has_suggestion()) {
                Some(slug) => format!("{}: write `{slug}`, the name of its folder or file", why.why()),
                None => why.to_string(),
            };
            self.report("name", finding_codes::NAME_INVALID, message);
            return None;
        }
        let why = why.why();
        let Some(slug) = slugified(&text) else {
            self.report("name", finding_codes::NAME_INVALID, format!("{why}: `name` was ignored"));
            return None;
        };
        self.report("name", finding_codes::NAME_REPAIRED, format!("{why}: `name` was read as `{slug}`"));
        Some(RequestedName { namespace: None, slug })
    }

    /// Those of `keys` that the front matter has, first those of `metadata`. An unusable one of `metadata` does not count
    /// beside another: what it says there may be for somebody else.
    pub(super) fn present(
        &self,
        keys: &[&'static str],
        is_usable: impl Fn(&Value) -> bool,
    ) -> Vec<&'static str> {
        let value = |key: &&'static str| self.front_matter.value(key);
        let present: Vec<_> = keys.iter().copied().filter(|key| value(key).is_some()).collect();
        let has_other = present.iter().any(|key| !key.starts_with("metadata."));
        let counts = |key: &&'static str| {
            !has_other || !key.starts_with("metadata.") || value(key).is_some_and(&is_usable)
        };
        present.iter().copied().filter(counts).collect()
    }

    /// Reads the first valid field of `metadata.version` and `version`.
    pub(super) fn version(&mut self) -> Option<TolerantVersion> {
        let texts = self.front_matter.texts.clone();
        let is_version = |value: &Value| match value {
            Value::String(text) => text.trim().parse::<TolerantVersion>().is_ok(),
            Value::Number(_) => texts
                .get("metadata.version")
                .is_some_and(|text| text.trim().parse::<TolerantVersion>().is_ok()),
            _ => false,
        };
        for key in self.present(&["metadata.version", "version"], is_version) {
            let Some(text) = self.text(key, finding_codes::VERSION_INVALID) else { continue };
            match text.parse::<TolerantVersion>() {
                Ok(read) => {
                    if read.repaired {
                        let why = format!("the version `{text}` was read as {}: write it so", read.version);
                        self.warn(key, finding_codes::VERSION_REPAIRED, why);
                    }
                    return Some(read);
                }
                Err(why) => self.report(key, finding_codes::VERSION_INVALID, why.to_string()),
            }
        }
        None
    }

    /// Reads `description`. None if it is absent, empty or ignored.
    pub(super) fn description(&mut self) -> Option<String> {
        let key = "description";
        let text = match self.front_matter.value(key)? {
            Value::String(text) => text.trim(),
            _ if self.strictness == Strictness::Strict => {
                self.report(
                    key,
                    finding_codes::DESCRIPTION_INVALID,
                    "`description` must be a text: put it into quotes",
                );
                return None;
            }
            Value::Number(_) | Value::Bool(_) => self.front_matter.texts.get(key)?.trim(),
            _ => return None,
        };
        if text.is_empty() {
            return None;
        }
        let text = text.to_owned();
        Some(self.bounded(key, text, MAX_DESCRIPTION, finding_codes::DESCRIPTION_INVALID))
    }

    /// Reads `metadata.title`, else `title`, as one line.
    pub(super) fn title(&mut self) -> Option<String> {
        self.short_text(&["metadata.title", "title"], MAX_TITLE, finding_codes::TITLE_INVALID)
    }

    /// Reads `license`, else `metadata.license`, as one line.
    pub(super) fn license(&mut self) -> Option<String> {
        self.short_text(&["license", "metadata.license"], MAX_LICENSE, finding_codes::LICENSE_INVALID)
    }

    fn short_text(&mut self, keys: &[&str], max: usize, code: &str) -> Option<String> {
        for key in keys {
            let Some(text) = self.text(key, code) else { continue };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() {
                return Some(self.bounded(key, text, max, code));
            }
        }
        None
    }

    /// Reads `metadata.homepage`, else `homepage`.
    pub(super) fn homepage(&mut self) -> Option<String> {
        let is_address = |value: &Value| value.as_str().is_some_and(|text| is_homepage(text.trim()));
        for key in self.present(&["metadata.homepage", "homepage"], is_address) {
            let Some(text) = self.text(key, finding_codes::HOMEPAGE_INVALID).filter(|text| !text.is_empty())
            else {
                continue;
            };
            if is_homepage(&text) {
                return Some(text);
            }
            let (why, strict) = if has_user(&text) {
                ("the homepage has a user name or password before its host", "remove them")
            } else {
                let why = "the homepage must be an http or https address of at most 2,048 characters";
                (why, "correct it or leave it out")
            };
            let done = self.remedy(strict, "it was ignored");
            self.report(key, finding_codes::HOMEPAGE_INVALID, format!("{why}: {done}"));
        }
        None
    }

    /// Reads a scalar as it is written, trimmed. Lists and maps are reported.
    fn text(&mut self, key: &str, code: &str) -> Option<String> {
        let value = self.front_matter.value(key)?;
        if value.is_array() || value.is_object() {
            let done = self.remedy("correct it", "it was ignored");
            self.report(key, code, format!("`{key}` must be a text: {done}"));
            return None;
        }
        let inner = value.as_str().map(str::to_owned);
        let text = self.front_matter.texts.get(key).cloned().or(inner)?;
        Some(text.trim().to_owned())
    }

    /// Cuts a text to `max` characters, and reports that.
    fn bounded(&mut self, key: &str, text: String, max: usize, code: &str) -> String {
        let Some((end, _)) = text.char_indices().nth(max) else { return text };
        let done = self.remedy("shorten it", "it was cut");
        self.report(key, code, format!("`{key}` is longer than {max} characters: {done}"));
        text.get(..end).unwrap_or_default().trim_end().to_owned()
    }

    /// The end of a message: what to do if strict, or what was done if tolerant.
    pub(super) fn remedy(&self, strict: &'static str, tolerant: &'static str) -> &'static str {
        if self.strictness == Strictness::Strict { strict } else { tolerant }
    }

    pub(super) fn report(&mut self, key: &str, code: &str, why: impl Into<String>) {
        match self.strictness {
            Strictness::Strict => {
                self.findings
                    .error(Finding::new(code, why).in_file(self.path).at_line(self.front_matter.line(key)));
            }
            Strictness::Tolerant => self.warn(key, code, why),
        }
    }

    fn warn(&mut self, key: &str, code: &str, why: impl Into<String>) {
        self.findings.warn(Finding::new(code, why).in_file(self.path).at_line(self.front_matter.line(key)));
    }
}

/// The code of a finding about the value of a key.
pub(super) fn code_of(key: &str) -> &'static str {
    match key.strip_prefix("metadata.").unwrap_or(key) {
        "name" => finding_codes::NAME_INVALID,
        "description" => finding_codes::DESCRIPTION_INVALID,
        "version" => finding_codes::VERSION_INVALID,
        "title" => finding_codes::TITLE_INVALID,
        "license" => finding_codes::LICENSE_INVALID,
        "homepage" => finding_codes::HOMEPAGE_INVALID,
        "requires" if key != "requires" => finding_codes::REQUIRES_INVALID,
        "keywords" | "tags" => finding_codes::KEYWORDS_INVALID,
        _ => finding_codes::FRONT_MATTER_INVALID,
    }
}

/// Whether a text may be the homepage of a skill.
pub(crate) fn is_homepage(text: &str) -> bool {
    is_web_address(text) && text.chars().count() <= MAX_HOMEPAGE
}

/// Whether a text is safe as a link: http or https, a host, no user name or password, no
/// spaces.
pub fn is_web_address(text: &str) -> bool {
    let odd = |c: char| {
        c.is_whitespace() || c.is_control() || is_invisible(c) || matches!(c, '"' | '<' | '>' | '\\' | '`')
    };
    authority(text).is_some_and(|host| host.chars().any(char::is_alphanumeric))
        && !has_user(text)
        && !text.contains(odd)
}

/// Whether an address has a user name or password. They would become public with the link.
fn has_user(text: &str) -> bool {
    authority(text).is_some_and(|authority| authority.contains('@'))
}

/// The part of an http or https address between the slashes: the host, with user and port.
fn authority(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web.then(|| rest.split(['/', '?', '#']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_address_with_a_user_is_refused() {
        for good in ["https://example.org", "HTTP://e.org:80/@ann?x=a@b#@", "https://e.org?u=a@b"] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "https://user:pw@host/",
            "https://user@host",
            "https://:pw@host",
            "https://@host/",
            "https://a@b@host?x",
            "https://user:pw@host#x",
            "https://host\\@other/",
            "https://ho\u{202e}st/",
            "ftp://host/",
            "https:///path",
            "host",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }
}
