//! Lists of short texts of versions in memory: headings, body words.

use std::sync::{Arc, LazyLock};

/// Shared by all empty lists.
static NONE: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));

/// A list of a version, with each text on a line. There may be hundreds of
/// thousands of versions, and most have the list of the version before, so
/// these share memory.
#[derive(Debug, Clone)]
pub(super) struct SharedLines(Arc<str>);

impl SharedLines {
    /// The list of some texts. Shares the memory of `before` if they are
    /// equal.
    pub(super) fn new(texts: &[String], before: Option<&Self>) -> Self {
        if texts.is_empty() {
            return Self(Arc::clone(&NONE));
        }
        let text = texts.join("\n");
        match before {
            Some(before) if *before.0 == *text => before.clone(),
            _ => Self(text.into()),
        }
    }

    /// Each text, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split('\n').filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str], before: Option<&SharedLines>) -> SharedLines {
        SharedLines::new(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>(), before)
    }

    #[test]
    fn iter_returns_the_texts() {
        for texts in [&[][..], &["One"], &["One", "Two words", "é"]] {
            assert_eq!(of(texts, None).iter().collect::<Vec<_>>(), texts);
        }
    }

    #[test]
    fn new_with_equal_texts_shares_memory() {
        let first = of(&["One", "Two"], None);
        let [same, other] = [&["One", "Two"][..], &["One"]].map(|headings| of(headings, Some(&first)));
        assert!(Arc::ptr_eq(&first.0, &same.0) && !Arc::ptr_eq(&first.0, &other.0));
        assert!(Arc::ptr_eq(&of(&[], None).0, &of(&[], Some(&first)).0));
    }
}
