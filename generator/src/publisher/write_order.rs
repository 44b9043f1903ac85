//! The order in which documents of one stage are written.

use std::cmp::Reverse;

use crate::address::{Document, Stage, WebPage};
use crate::tree::Tree;

/// Groups of documents of one stage. Some documents of a stage refer to others, so the groups are
/// written in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WriteGroup {
    /// Packages. The immutable address comes first, because the others are hard links to it.
    Packages,
    /// New pages of a list. The page before each links to it.
    NewPages,
    /// Documents that refer to none of their stage.
    Others,
    /// Records of a skill's tags and versions, which refer to the documents above.
    Records,
    /// Pages for browsers. Pages of a list link to the next one.
    WebPages,
    /// Pages of global skills, which may link to the skill they were promoted from.
    Copies,
}

impl WriteGroup {
    /// The group of a document.
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

    /// Whether its documents refer to greater ones, which must come first.
    fn is_reversed(self) -> bool {
        matches!(self, Self::NewPages | Self::WebPages | Self::Copies)
    }

    /// Whether its documents may be written in any order and in parallel.
    pub(super) fn is_unordered(self) -> bool {
        matches!(self, Self::Others | Self::Records)
    }
}

/// A document's rank in its stage: lower ranks are written first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WriteRank {
    /// The group of the document.
    pub(super) group: WriteGroup,
    greatest_first: Option<Reverse<Document>>,
    least_first: Option<Document>,
}

impl WriteRank {
    /// The rank of a document.
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
    fn documents_rank_after_those_they_refer_to() {
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
        // New pages come in reverse order, before existing ones.
        assert!(rank("api/v1/skills/_list/_all/name/20/4.json") < rank(new));
        assert!(rank("team/_page/2/index.html") < rank("team/index.html"));
        assert!(rank("team/index.html") < rank("index.html"));
        // The immutable address comes before the others.
        let [first, other_name] =
            ["api/v1/skills/team/s/versions/1.0.0/download.zip", "api/v1/download/team--s/1.0.0.zip"]
                .map(rank);
        assert!(first < other_name);
        assert!(group(other) < group("team/index.html"));
    }
}
