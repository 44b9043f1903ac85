//! The order of putting and removing.

use std::cmp::Reverse;

use generator::address::{Document, Rank, Stage};

/// A part of the order. All steps of one part come before those of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Documents below the feed.
    Documents,
    /// Removed documents: nothing refers to them any more, and the feed does not yet say so.
    Removals,
    /// The feed and the checkpoint.
    Feed,
    /// Removed tiles: the checkpoint before this one referred to them.
    Tiles,
    /// The head.
    Head,
}

/// What is done in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Put(Rank),
    Remove(Reverse<Rank>),
}

/// A document to put or to remove. Steps are ordered as they are done.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    part: Part,
    place: Place,
    document: Document,
}

impl Step {
    /// Puts a document.
    pub fn put(document: Document) -> Self {
        let part = match document.stage() {
            Stage::Head => Part::Head,
            Stage::Feed | Stage::Checkpoint => Part::Feed,
            _ => Part::Documents,
        };
        Self { part, place: Place::Put(document.rank()), document }
    }

    /// Removes a document.
    pub fn remove(document: Document) -> Self {
        let part = if matches!(document, Document::LogTile(_)) { Part::Tiles } else { Part::Removals };
        Self { part, place: Place::Remove(Reverse(document.rank())), document }
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Whether the document is removed.
    pub fn is_removal(&self) -> bool {
        matches!(self.place, Place::Remove(_))
    }

    /// The other step of the same document.
    pub fn opposite(&self) -> Self {
        let document = self.document.clone();
        if self.is_removal() { Self::put(document) } else { Self::remove(document) }
    }

    /// Whether two steps can be done at the same time.
    pub fn is_beside(&self, other: &Self) -> bool {
        (self.part, self.place) == (other.part, other.place)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use generator::address::of_file;

    use super::*;

    #[test]
    fn steps_are_in_the_order_of_writing_with_removals_before_the_feed() {
        let document = |file: &str| of_file(file).unwrap().0;
        let (put, remove) =
            (|file: &str| Step::put(document(file)), |file: &str| Step::remove(document(file)));
        let steps = [
            put("api/v1/skills/team/s/versions/1.0.0/download.zip"),
            put("api/v1/skills/team/s/versions/1.0.0.json"),
            put("team/s/index.html"),
            put("api/v1/skills/_list/_all/name-4.json"),
            put("api/v1/skills/_list/_all/name-3.json"),
            put("index.html"),
            remove("team/s/index.html"),
            remove("api/v1/skills/team/s.json"),
            remove("api/v1/skills/team/s/versions/1.0.0/download.zip"),
            put("api/v1/mirror/changes/1.json"),
            put("api/v1/log/checkpoint"),
            remove("api/v1/log/tile/entries/000.p/3"),
            put("api/v1/mirror/head.json"),
        ];
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:#?}");
        assert_eq!(steps[2].opposite(), steps[6]);
        assert_eq!(steps[6].opposite(), steps[2]);
        assert!(put("a/s/index.html").is_beside(&put("b/s/index.html")) && !steps[3].is_beside(&steps[4]));
    }
}
