//! Problem documents (RFC 9457), with which a registry explains a refusal.

use std::fmt;

use serde::Deserialize;

use registry::sanitize::blank_unsafe;

/// A problem document. Its texts are shown without control characters.
#[derive(Debug, Clone, Deserialize)]
pub struct Problem {
    code: String,
    detail: String,
    #[serde(default)]
    errors: Vec<Entry>,
    /// The remedy, if the client knows one.
    #[serde(skip)]
    advice: Option<String>,
}

/// One of several problems.
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
    /// Parses a problem document. None if it is not one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let problem: Self = serde_json::from_slice(bytes).ok()?;
        let is_word = problem.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        (is_word && (1..=64).contains(&problem.code.len()) && !problem.detail.is_empty()).then_some(problem)
    }

    /// Adds a remedy.
    pub fn with_advice(self, advice: Option<String>) -> Self {
        Self { advice, ..self }
    }

    /// Whether the registry's explanation has this text.
    pub fn mentions(&self, text: &str) -> bool {
        self.detail.contains(text)
    }

    /// The registry's error code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// One line for each problem in a package or form.
    fn entries(&self) -> Vec<String> {
        let line = |entry: &Entry| {
            let place = entry.path.as_deref().or(entry.field.as_deref());
            let line = entry.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = place.map(|place| format!("{place}{line}: ")).unwrap_or_default();
            blank_unsafe(&format!("{place}{}", entry.message))
        };
        self.errors.iter().map(line).collect()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blank_unsafe(&self.detail))?;
        // A single entry repeats the detail.
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
    fn problem_shows_each_entry() {
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
    fn other_text_is_not_a_problem() {
        for text in
            ["", "{}", "<html>", r#"{"code":"","detail":"x"}"#, r#"{"code":"A B","detail":"x"}"#, "[1]"]
        {
            assert!(Problem::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
