//! The pages of a list in the tree.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;

use super::{Tree, entries};
use crate::address::{Document, Format};

impl Tree {
    /// The pages of a document's list after it, the last one first; none if it is not a page of a
    /// list. A crash may leave gaps, so this reads the folder.
    pub(crate) fn pages_after(&self, document: &Document) -> io::Result<Vec<Document>> {
        let Some((page, next)) = document.page().zip(document.next_page()) else { return Ok(Vec::new()) };
        let place = self.place(&next)?;
        // The page number ends the name of the JSON file, or of the HTML page's folder.
        let numbered = if next.format() == Format::Html { place.parent() } else { Some(place.as_path()) };
        let name = numbered.and_then(|path| path.file_name()?.to_str()?.split('.').next());
        let folder = numbered.and_then(|path| path.parent());
        let Some((name, folder)) = name.zip(folder) else { return Ok(Vec::new()) };
        // Other lists may be in the same folder.
        let list = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut after = BTreeSet::new();
        for entry in entries(folder)? {
            let name = entry.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.strip_prefix(list)?.split('.').next()?.parse::<u64>().ok());
            after.extend(number.filter(|number| *number > page).map(Reverse));
        }
        Ok(after.into_iter().filter_map(|Reverse(number)| document.with_page(number)).collect())
    }
}
