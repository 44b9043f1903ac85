//! A page of the feed, taken apart.

use std::borrow::Cow;

use registry::journal::{PublicRow, Revision};
use registry::names::Digest;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::source::no_json;

/// What a page has to be.
pub(super) struct Expected<'a> {
    pub number: u64,
    pub epoch: &'a str,
    /// The digest of the page before.
    pub previous: Option<Digest>,
}

/// A row, and where in the page's text it stands.
pub(super) struct PageRow {
    pub row: PublicRow,
    /// In bytes from the start. Right for pages that are written as we write
    /// them, which their digest tells.
    pub start: usize,
}

/// Takes a page apart that is the expected one.
pub(super) fn parse(text: &str, expected: &Expected<'_>) -> Result<Vec<PageRow>, String> {
    #[derive(Deserialize)]
    struct Page<'a> {
        page: u64,
        #[serde(borrow)]
        epoch: Cow<'a, str>,
        previous: Option<Digest>,
        #[serde(borrow)]
        changes: Vec<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Numbered {
        revision: Revision,
    }
    let page: Page<'_> = serde_json::from_str(text).map_err(|why| no_json(text, &why))?;
    if page.page != expected.number {
        return Err(format!("says that it is page {}", page.page));
    }
    if page.epoch != expected.epoch {
        return Err(format!("is of epoch {}, and the head of {}", page.epoch, expected.epoch));
    }
    if page.previous != expected.previous {
        let before = expected.number.saturating_sub(1);
        return Err(format!("and page {before} are no chain: one of them is not what it was"));
    }
    let mut start = text.find('[').map_or(0, |bracket| bracket + 1);
    let mut rows = Vec::with_capacity(page.changes.len());
    for raw in page.changes {
        let json = raw.get().to_owned();
        let Numbered { revision } =
            serde_json::from_str(&json).map_err(|why| format!("has a row without revision: {why}"))?;
        let next = start + json.len() + 1;
        rows.push(PageRow { row: PublicRow { revision, json }, start });
        start = next;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_where_they_are_said_to_be() {
        let text = "{\"page\":2,\"epoch\":\"e\",\"previous\":null,\"changes\":[{\"revision\":3},{\"revision\":7,\"a\":[1]}]}\n";
        let expected = |number, epoch, previous| Expected { number, epoch, previous };
        let rows = parse(text, &expected(2, "e", None)).unwrap();
        let shown: Vec<_> =
            rows.iter().map(|r| (r.row.revision, &text[r.start..r.start + r.row.json.len()])).collect();
        assert_eq!(shown, [(3, "{\"revision\":3}"), (7, "{\"revision\":7,\"a\":[1]}")]);
        for (expected, said) in [
            (expected(1, "e", None), "page 2"),
            (expected(2, "f", None), "epoch"),
            (expected(2, "e", Some(Digest::of(b""))), "chain"),
        ] {
            assert!(parse(text, &expected).err().unwrap().contains(said));
        }
        assert!(parse(&text[..60], &expected(2, "e", None)).err().unwrap().contains("EOF"));
    }
}
