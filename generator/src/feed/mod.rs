//! The format of a feed, as a follower reads it: `docs/mirrors.md`.

use registry::data_fault::json_fault;

mod head;

pub use head::{parse_head, parse_settings};
pub mod page;

/// Describes a text that is not the JSON of a document.
pub fn not_json(text: &str, why: &serde_json::Error) -> String {
    let start: String = text.trim_start().chars().take(40).collect();
    match start.starts_with('<') {
        true => format!("is a web page (`{}`), not JSON: give the root of a tree", start.trim_end()),
        false => format!("is not the expected JSON: {}", json_fault(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_json_names_web_pages() {
        let why = |text: &str| not_json(text, &serde_json::from_str::<serde_json::Value>(text).unwrap_err());
        assert!(why("\n<!doctype html>\n<html>").contains("web page (`<!doctype html>"));
        assert!(why("{\"a\":").ends_with("it ends before its JSON is complete"));
    }
}
