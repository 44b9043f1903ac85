//! The rules for texts that people write. Operations refuse other texts, and mirrors refuse them in the rows
//! of their source.
//!
//! An error is the rest of a sentence about the text.

use crate::package::{is_invisible, is_unseen};

/// Checks a text: at most `max` characters, no control characters, and none that are invisible
/// or change the writing direction: reviewers and readers would see another text than programs.
pub(crate) fn check_text(text: &str, max: usize) -> Result<(), String> {
    if text.chars().count() > max {
        return Err(format!("it may have at most {max} characters: shorten it"));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        return Err("it has control characters: remove them".into());
    }
    refuse_character(text, is_unseen)
}

/// Like [`check_text`], but at most `max` KiB.
pub(crate) fn check_bytes(text: &str, max: usize) -> Result<(), String> {
    check_text(text, usize::MAX)?;
    if text.len() > max << 10 {
        return Err(format!("it may have at most {max} KiB: shorten it"));
    }
    Ok(())
}

/// Like [`check_text`], and one line that is not blank.
pub(crate) fn check_line(text: &str, max: usize) -> Result<(), String> {
    check_text(text, max)?;
    if text.trim().is_empty() || text.contains(['\n', '\r']) {
        return Err("it must be one line that is not blank".into());
    }
    Ok(())
}

/// Checks a display name: like [`check_line`], and nobody can take it for another one.
pub(crate) fn check_title(text: &str, max: usize) -> Result<(), String> {
    check_line(text, max)?;
    refuse_character(text, is_unseen_in_name)?;
    if text != text.trim() || text.contains("  ") {
        return Err("it begins or ends with a space, or has two in a row: remove them".into());
    }
    Ok(())
}

/// Refuses a text with a misleading character.
fn refuse_character(text: &str, is_misleading: impl Fn(char) -> bool) -> Result<(), String> {
    match text.chars().find(|c| is_misleading(*c)) {
        None => Ok(()),
        Some(c) => {
            let why = "which is invisible or changes the writing direction";
            Err(format!("it has the character U+{:04X}, {why}: remove it", u32::from(c)))
        }
    }
}

/// Whether a character in a name is invisible, blank without being a plain space, or a
/// mark of the writing direction. Also joiners and variation selectors, which text needs
/// and two names could differ by alone.
fn is_unseen_in_name(c: char) -> bool {
    is_invisible(c)
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{2800}' | '\u{fe00}'..='\u{fe0f}' | '\u{1d159}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0100}'..='\u{e0fff}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}
