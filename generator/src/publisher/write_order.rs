//! In which order the documents of one stage are written.

use std::cmp::Reverse;

use crate::address::{Document, Stage, WebPage};
use crate::tree::Tree;

/// What is written together. Of the documents of one stage some lead to others; the
/// groups are written in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WriteGroup {
    /// Packages: the other names of one are made of its first one, which is the least
    /// document of them.
    Packages,
    /// Pages that a list has not had: the one before each leads there.
    NewPages,
    /// What leads nowhere in its stage.
    Others,
    /// What tells of a skill's tags and versions, which lead to those before.
    Records,
    /// Pages for browsers: the first ones lead to those behind them.
    WebPages,
    /// Those of skills that may be copies, which lead to what they are copies of.
    Copies,
}

impl WriteGroup {
    /// That of a document.
    pub(super) fn of(document: &Document, tree: &Tree) -> Self {
        match document {
            Document::Page(WebPage::Skill(skill)) if skill.namespace.is_global() => Self::Copies,
            Document::Page(_) => Self::WebPages,
            Document::Skill(_) | Document::Versions(_) | Document::Namespace(_) => Self::Records,
            _ if document.stage() == Stage::Package => Self::Packages,
            _ if document.next_page().is_some() && !tree.has_file(document) => Self::NewPages,
            _ => Self::Others,
        }
    }

    /// Whether its documents lead to greater ones of it: then those come first.
    fn is_reversed(self) -> bool {
        matches!(self, Self::NewPages | Self::WebPages | Self::Copies)
    }

    /// Whether its documents have no order, so that threads may share them.
    pub(super) fn is_unordered(self) -> bool {
        matches!(self, Self::Others | Self::Records)
    }
}

/// When a document is written among those of its stage: the lesser rank comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WriteRank {
    /// With which others.
    pub(super) group: WriteGroup,
    greatest_first: Option<Reverse<Document>>,
    least_first: Option<Document>,
}

impl WriteRank {
    /// That of a document.
    pub(super) fn of(document: &Document, tree: &Tree) -> Self {
        let group = WriteGroup::of(document, tree);
        let (document, is_reversed) = (document.clone(), group.is_reversed());
        match is_reversed {
            true => Self { group, greatest_first: Some(Reverse(document)), least_first: None },
            false => Self { group, greatest_first: None, least_first: Some(document) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::of_file;

    #[test]
    fn what_leads_to_others_is_of_a_later_wave() {
        let folder = tempfile::tempdir().unwrap();
        let tree = Tree::at(folder.path());
        let group = |file: &str| WriteGroup::of(&of_file(file).unwrap().0, &tree);
        let stage = [
            "api/v1/skills/team/s/resolve.json",
            "api/v1/skills/team/s.json",
            "team/s/index.html",
            "global/s/index.html",
        ];
        assert!(stage.map(group).is_sorted_by(|before, after| before < after));
        let (new, other) =
            ("api/v1/skills/_list/_all/name/20/3.json", "api/v1/skills/_list/_all/name/20/2.json");
        let place = folder.path().join(other);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, "").unwrap();
        let rank = |file: &str| WriteRank::of(&of_file(file).unwrap().0, &tree);
        assert!(group(new) < group(other));
        // The last of several new pages, and the page where one begins at the very end.
        assert!(rank("api/v1/skills/_list/_all/name/20/4.json") < rank(new));
        assert!(rank("team/_page/2/index.html") < rank("team/index.html"));
        assert!(rank("team/index.html") < rank("index.html"));
        // The versioned package before its other name.
        let [first, other_name] =
            ["api/v1/skills/team/s/versions/1.0.0/download.zip", "api/v1/download/team--s/1.0.0.zip"]
                .map(rank);
        assert!(first < other_name);
        assert!(group(other) < group("team/index.html"));
    }
}
