//! Reads which other skills a skill requires.

use serde_json::Value;

use super::fields::Fields;
use crate::names::{MAX_REQUIRED, WrittenRequired};
use crate::package::finding_codes;

const KEY: &str = "metadata.requires";

impl Fields<'_> {
    /// Reads `metadata.requires`, a text with commas. A map is what ClawHub's clients ask of the machine, such as
    /// programs, and no requirement.
    pub(super) fn requires(&mut self) -> Vec<WrittenRequired> {
        let read = match self.front_matter.value(KEY) {
            None | Some(Value::Object(_)) => return Vec::new(),
            Some(Value::String(text)) if text.trim().is_empty() => return Vec::new(),
            Some(Value::String(text)) => WrittenRequired::parse_list(text),
            Some(_) => Err("write one text, as in `team/grilling@^1, domain-modeling`".to_owned()),
        };
        let read = match read {
            Ok(all) if all.len() > MAX_REQUIRED => Err(format!("at most {MAX_REQUIRED} skills are allowed")),
            other => other,
        };
        read.unwrap_or_else(|why| {
            let done = self.remedy("", ". It was ignored");
            self.report(KEY, finding_codes::REQUIRES_INVALID, format!("`{KEY}`: {why}{done}"));
            Vec::new()
        })
    }
}
