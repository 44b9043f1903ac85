//! Problem documents (RFC 9457) of registries.

use std::fmt;

use serde::Deserialize;

use super::Answer;
use crate::shown::plain;

/// What a registry says against a request. What it says is shown without control
/// characters: a terminal would obey them.
#[derive(Debug, Clone, Deserialize)]
pub struct Problem {
    code: String,
    detail: String,
    #[serde(default)]
    errors: Vec<Entry>,
    /// What to do, where the status says.
    #[serde(skip)]
    advice: Option<String>,
}

/// One of several things that are wrong.
#[derive(Debug, Clone, Deserialize)]
struct Entry {
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    field: Option<String>,
    #[serde(default)]
    line: Option<u64>,
    message: String,
}

impl Problem {
    /// Reads a problem document; None where it is none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let problem: Self = serde_json::from_slice(bytes).ok()?;
        let is_word = problem.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        (is_word && (1..=64).contains(&problem.code.len()) && !problem.detail.is_empty()).then_some(problem)
    }

    /// The same with what to do about the answer it came with.
    pub(super) fn with_advice(mut self, answer: &Answer) -> Self {
        self.advice = match answer.status {
            401 if answer.token_left_behind => Some(format!(
                "The token was not sent to {}, because that is another place than the one it was saved for: log in \
                 there, if it is the registry",
                answer.url.origin().ascii_serialization()
            )),
            401 => Some("Log in again with `skillmirror login`".to_owned()),
            _ => None,
        };
        self
    }

    /// The registry's word for it.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The lines of what is wrong in a package or form.
    pub fn entries(&self) -> Vec<String> {
        let line = |entry: &Entry| {
            let place = entry.path.as_deref().or(entry.field.as_deref());
            let line = entry.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = place.map(|place| format!("{place}{line}: ")).unwrap_or_default();
            plain(&format!("{place}{}", entry.message))
        };
        self.errors.iter().map(line).collect()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.detail))?;
        // The first is the detail itself where there is but one.
        for entry in self.entries().iter().filter(|entry| !self.detail.contains(entry.as_str())) {
            write!(f, "\n  {entry}")?;
        }
        match &self.advice {
            Some(advice) => write!(f, " {advice}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_each_thing_that_is_wrong() {
        let bytes = br#"{"type":"about:blank","title":"x","status":422,"code":"invalid_package",
            "detail":"The package is refused.\u001b[2J","errors":[
            {"code":"a","path":"SKILL.md","line":3,"message":"no\ndescription"},
            {"code":"b","path":null,"line":null,"message":"too large"},
            {"code":"c","field":"tags","message":"not a tag"}]}"#;
        let problem = Problem::read(bytes).unwrap();
        assert_eq!(problem.code(), "invalid_package");
        assert_eq!(
            problem.to_string(),
            "The package is refused. [2J\n  SKILL.md:3: no description\n  too large\n  tags: not a tag"
        );
    }

    #[test]
    fn others_are_no_problems() {
        for text in
            ["", "{}", "<html>", r#"{"code":"","detail":"x"}"#, r#"{"code":"A B","detail":"x"}"#, "[1]"]
        {
            assert!(Problem::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
