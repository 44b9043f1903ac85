//! Which pages of a list are in the tree.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;

use super::{Tree, entries};
use crate::address::{Document, Format};

impl Tree {
    /// Whether there is something in the place of a document.
    pub(crate) fn has_file(&self, document: &Document) -> bool {
        self.path(document).is_some_and(|path| path.exists())
    }

    /// The pages of a document's list that come behind it, the last one first; none
    /// where it is no page of a list. What a crash has left may have holes, so that only
    /// the folder tells.
    pub(crate) fn pages_behind(&self, document: &Document) -> io::Result<Vec<Document>> {
        let Some((page, next)) = document.page().zip(document.next_page()) else { return Ok(Vec::new()) };
        let place = self.place(&next)?;
        // A page's number is the name of its file, or of the folder that is its alone.
        let depth = if next.format() == Format::Html { 2 } else { 1 };
        let Some(folder) = place.ancestors().nth(depth) else { return Ok(Vec::new()) };
        let mut behind = BTreeSet::new();
        for entry in entries(folder)? {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.split('.').next()?.parse::<u64>().ok());
            behind.extend(number.filter(|number| *number > page).map(Reverse));
        }
        Ok(behind.into_iter().filter_map(|Reverse(number)| document.with_page(number)).collect())
    }
}
