//! The headings of versions in memory.

use std::sync::{Arc, LazyLock};

/// Shared by all versions without headings.
static NONE: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));

/// The headings of a version, one on each line. There may be hundreds of
/// thousands of versions, and most have the headings of the version before, so
/// these share memory.
#[derive(Debug, Clone)]
pub(super) struct Headings(Arc<str>);

impl Headings {
    /// The headings of a version. Shares the memory of `before` if they are
    /// equal.
    pub(super) fn new(headings: &[String], before: Option<&Self>) -> Self {
        if headings.is_empty() {
            return Self(Arc::clone(&NONE));
        }
        let text = headings.join("\n");
        match before {
            Some(before) if *before.0 == *text => before.clone(),
            _ => Self(text.into()),
        }
    }

    /// Each heading, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split('\n').filter(|heading| !heading.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headings: &[&str], before: Option<&Headings>) -> Headings {
        Headings::new(&headings.iter().map(|&heading| heading.to_owned()).collect::<Vec<_>>(), before)
    }

    #[test]
    fn iter_returns_the_headings() {
        for headings in [&[][..], &["One"], &["One", "Two words", "é"]] {
            assert_eq!(of(headings, None).iter().collect::<Vec<_>>(), headings);
        }
    }

    #[test]
    fn new_with_equal_headings_shares_memory() {
        let first = of(&["One", "Two"], None);
        let [same, other] = [&["One", "Two"][..], &["One"]].map(|headings| of(headings, Some(&first)));
        assert!(Arc::ptr_eq(&first.0, &same.0) && !Arc::ptr_eq(&first.0, &other.0));
        assert!(Arc::ptr_eq(&of(&[], None).0, &of(&[], Some(&first)).0));
    }
}
