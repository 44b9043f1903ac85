//! A page of the feed: `changes/{page}.json`.

use std::borrow::Cow;

use registry::data_fault::json_fault;
use registry::journal::{PublicRow, Revision};
use registry::names::Digest;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::not_json;

/// The page that has to come next.
pub struct ExpectedPage<'a> {
    pub number: u64,
    pub epoch: &'a str,
    /// Digest of the page before it.
    pub previous: Option<Digest>,
}

/// A row of a page.
pub struct PageRow {
    pub row: PublicRow,
    /// Where its JSON starts in the page, in bytes. This is right only for pages that are
    /// written as this release writes them, which their digest proves.
    pub start: usize,
}

/// Parses a page, and checks that it is the expected one.
pub fn parse(text: &str, expected: &ExpectedPage<'_>) -> Result<Vec<PageRow>, String> {
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
    let page: Page<'_> = serde_json::from_str(text).map_err(|why| not_json(text, &why))?;
    if page.page != expected.number {
        return Err(format!("says that it is page {}", page.page));
    }
    if page.epoch != expected.epoch {
        return Err(format!("has epoch {}, but the head has {}", page.epoch, expected.epoch));
    }
    if page.previous != expected.previous {
        let before = expected.number.saturating_sub(1);
        return Err(format!("does not continue page {before}: one of the two was changed"));
    }
    let mut start = text.find('[').map_or(0, |bracket| bracket + 1);
    let mut rows = Vec::with_capacity(page.changes.len());
    for raw in page.changes {
        let json = raw.get().to_owned();
        let Numbered { revision } = serde_json::from_str(&json)
            .map_err(|why| format!("has a row without a revision: {}", json_fault(&why)))?;
        let next = start + json.len() + 1;
        rows.push(PageRow { row: PublicRow::new(revision, json), start });
        start = next;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_rows_start_where_they_are_in_the_text() {
        let text = "{\"page\":2,\"epoch\":\"e\",\"previous\":null,\"changes\":[{\"revision\":3},{\"revision\":7,\"a\":[1]}]}\n";
        let expected = |number, epoch, previous| ExpectedPage { number, epoch, previous };
        let rows = parse(text, &expected(2, "e", None)).unwrap();
        let shown: Vec<_> =
            rows.iter().map(|r| (r.row.revision, &text[r.start..r.start + r.row.json.len()])).collect();
        assert_eq!(shown, [(3, "{\"revision\":3}"), (7, "{\"revision\":7,\"a\":[1]}")]);
        for (expected, said) in [
            (expected(1, "e", None), "page 2"),
            (expected(2, "f", None), "epoch"),
            (expected(2, "e", Some(Digest::of(b""))), "does not continue page 1"),
        ] {
            assert!(parse(text, &expected).err().unwrap().contains(said));
        }
        assert!(parse(&text[..60], &expected(2, "e", None)).err().unwrap().contains("ends before its JSON"));
    }
}
