//! Texts of others, where people read them.

use registry::package::is_invisible;

/// Whether a character is no text: a terminal would obey it, or it makes other text look
/// like what it is not. The rule is that of paths in packages.
pub fn is_odd(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// A text in one line, without odd characters.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect()
}
