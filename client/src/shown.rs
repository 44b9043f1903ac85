//! Texts of others in messages.

/// A text in one line, without what a terminal would obey.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
