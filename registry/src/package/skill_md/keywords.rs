//! Reads the keywords of front matter.

use serde_json::Value;

use super::fields::{Fields, MAX_KEYWORD, MAX_KEYWORDS};
use crate::package::finding_codes;

impl Fields<'_> {
    /// Reads `keywords` or `tags`, first those of `metadata`: a list, or a text with commas.
    pub(super) fn keywords(&mut self) -> Vec<String> {
        let keys = ["metadata.keywords", "metadata.tags", "keywords", "tags"];
        let present = self.present(&keys, is_list);
        let Some((key, value)) = present.iter().find_map(|key| Some((*key, self.front_matter.value(key)?)))
        else {
            return Vec::new();
        };
        let mut wrong = false;
        let all: Vec<String> = match value {
            Value::String(text) => text.split(',').map(str::to_owned).collect(),
            Value::Array(list) => list.iter().filter_map(|item| scalar(item, &mut wrong)).collect(),
            other => scalar(other, &mut wrong).into_iter().collect(),
        };
        let mut keywords: Vec<String> = Vec::new();
        for word in all {
            let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
            let long = word.chars().count() > MAX_KEYWORD;
            wrong |= long;
            if !long && !word.is_empty() && !keywords.contains(&word) {
                if keywords.len() == MAX_KEYWORDS {
                    wrong = true;
                    break;
                }
                keywords.push(word);
            }
        }
        if wrong {
            let why = "the keywords must be at most 32 texts of at most 64 characters";
            let done = self.remedy("correct them", "the others were left out");
            self.report(key, finding_codes::KEYWORDS_INVALID, format!("{why}: {done}"));
        }
        keywords
    }
}

/// Whether all of a value can be keywords.
fn is_list(value: &Value) -> bool {
    let is_short = |word: &str| word.trim().chars().count() <= MAX_KEYWORD;
    match value {
        Value::String(text) => !text.trim().is_empty() && text.split(',').all(is_short),
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item.as_str().is_some_and(is_short))
        }
        _ => false,
    }
}

/// Converts an item of a list to text. Lists and maps are wrong.
fn scalar(value: &Value, wrong: &mut bool) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null => None,
        Value::Array(_) | Value::Object(_) => {
            *wrong = true;
            None
        }
    }
}
