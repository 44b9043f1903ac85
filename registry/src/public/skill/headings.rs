//! Headings in memory.

use std::sync::{Arc, LazyLock};

/// What all versions without headings share.
static NONE: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));

/// The headings of a version: one text, a heading a line. There are hundreds of
/// thousands of versions, and one has mostly the headings of that before it.
#[derive(Debug, Clone)]
pub(super) struct Headings(Arc<str>);

impl Headings {
    /// The headings of a version, in the memory of those `before` where they are
    /// the same.
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

    /// Each, in its order.
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
    fn they_come_out_as_they_went_in() {
        for headings in [&[][..], &["One"], &["One", "Two words", "é"]] {
            assert_eq!(of(headings, None).iter().collect::<Vec<_>>(), headings);
        }
    }

    #[test]
    fn equal_ones_are_kept_once() {
        let first = of(&["One", "Two"], None);
        let [same, other] = [&["One", "Two"][..], &["One"]].map(|headings| of(headings, Some(&first)));
        assert!(Arc::ptr_eq(&first.0, &same.0) && !Arc::ptr_eq(&first.0, &other.0));
        assert!(Arc::ptr_eq(&of(&[], None).0, &of(&[], Some(&first)).0));
    }
}
