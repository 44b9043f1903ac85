//! Reads which other skills a skill requires.

use serde_json::Value;

use super::entry_file::SKILL_MD;
use super::fields::Fields;
use super::manifest::Manifest;
use crate::names::{Coordinate, MAX_REQUIRED, Required, WrittenRequired, check_required};
use crate::package::finding::Finding;
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

impl Manifest {
    /// The skills that the skill named `own` requires. Fails if it names one twice, or itself.
    pub fn requires_of(&self, own: &Coordinate) -> Result<Vec<Required>, Finding> {
        let all = self.requires.iter().map(|one| one.clone().in_namespace(&own.namespace));
        let all: Vec<Required> = all.collect();
        let checked = match all.iter().any(|one| one.coordinate() == *own) {
            true => Err("names the skill itself".to_owned()),
            false => check_required(&all, MAX_REQUIRED),
        };
        let line = self.lines.get("metadata.requires").copied().unwrap_or(1);
        checked.map(|()| all).map_err(|why| {
            let message = format!("`metadata.requires` {why}: remove what is too much");
            Finding::new(finding_codes::REQUIRES_INVALID, message).in_file(SKILL_MD).at_line(line)
        })
    }
}
