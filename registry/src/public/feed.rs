//! Divides the public rows into the pages of the mirror feed.

use crate::names::{Digest, DigestBuilder};
use crate::public::{Epoch, PublicRow, Revision};

/// The number of rows on a full page. Full pages never change. The row of leaf `i` of the log is
/// on page `i / 32 + 1`, so readers of one row need no list of pages.
pub const ROWS_PER_PAGE: u64 = 32;

/// One page: `{"page","epoch","previous","changes":[…]}` and a line feed.
#[derive(Debug, Clone)]
pub struct FeedPage {
    /// The number of the page, from 1.
    pub number: u64,
    /// The first revision on the page.
    pub first: Revision,
    /// The last revision on the page.
    pub last: Revision,
    /// The sha256 of the page.
    pub digest: Digest,
}

/// The pages of a prefix of the public rows. The text is only kept of the last
/// page, which is open.
#[derive(Clone, Default)]
pub struct FeedIndex {
    epoch: Epoch,
    closed: Vec<FeedPage>,
    open: Option<OpenPage>,
}

#[derive(Clone)]
struct OpenPage {
    page: FeedPage,
    text: String,
    running: DigestBuilder,
    rows: u64,
}

const END: &str = "]}\n";

impl FeedIndex {
    pub(super) fn new(epoch: Epoch) -> Self {
        Self { epoch, ..Self::default() }
    }

    /// The name of the history.
    pub fn epoch(&self) -> &Epoch {
        &self.epoch
    }

    /// Adds the next public row. A catalog calls this itself. A follower calls it
    /// to check pages before their rows reach a catalog.
    pub fn push(&mut self, row: &PublicRow) {
        if self.open.as_ref().is_some_and(OpenPage::is_full) {
            self.closed.extend(self.open.take().map(|open| open.page));
        }
        let start = || OpenPage::begin(&self.epoch, self.closed.last(), row.revision);
        self.open.get_or_insert_with(start).push(row);
    }

    /// The number of pages.
    pub fn pages(&self) -> u64 {
        self.closed.len() as u64 + u64::from(self.open.is_some())
    }

    /// The last page, which may still grow.
    pub fn last(&self) -> Option<&FeedPage> {
        self.open.as_ref().map(|open| &open.page)
    }

    /// The page with this number.
    pub fn page(&self, number: u64) -> Option<&FeedPage> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.closed.get(index).or_else(|| self.last().filter(|page| page.number == number))
    }

    /// The page that has the row of `revision`, or would have it.
    pub fn page_of(&self, revision: Revision) -> Option<&FeedPage> {
        let index = self.closed.partition_point(|page| page.last < revision);
        self.closed.get(index).or_else(|| self.last().filter(|page| page.last >= revision))
    }

    /// The text of the last page.
    pub fn last_text(&self) -> Option<String> {
        self.open.as_ref().map(|open| format!("{}{END}", open.text))
    }

    /// The text of a page with these rows.
    pub fn text(&self, page: &FeedPage, rows: &[PublicRow]) -> String {
        let previous = page.number.checked_sub(1).and_then(|before| self.page(before));
        let mut text = OpenPage::head(&self.epoch, page.number, previous);
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&row.json);
        }
        text + END
    }
}

impl OpenPage {
    fn head(epoch: &str, number: u64, previous: Option<&FeedPage>) -> String {
        let previous = previous.map_or("null".to_owned(), |page| format!("\"{}\"", page.digest));
        format!("{{\"page\":{number},\"epoch\":\"{epoch}\",\"previous\":{previous},\"changes\":[")
    }

    fn begin(epoch: &str, previous: Option<&FeedPage>, first: Revision) -> Self {
        let number = previous.map_or(1, |page| page.number + 1);
        let text = Self::head(epoch, number, previous);
        let mut running = DigestBuilder::default();
        running.update(text.as_bytes());
        let page = FeedPage { number, first, last: first, digest: Digest::of(b"") };
        Self { page, text, running, rows: 0 }
    }

    fn is_full(&self) -> bool {
        self.rows >= ROWS_PER_PAGE
    }

    fn push(&mut self, row: &PublicRow) {
        let comma = if self.rows > 0 { "," } else { "" };
        for piece in [comma, &row.json] {
            self.text.push_str(piece);
            self.running.update(piece.as_bytes());
        }
        self.rows += 1;
        self.page.last = row.revision;
        let mut whole = self.running.clone();
        whole.update(END.as_bytes());
        self.page.digest = whole.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(revision: Revision) -> PublicRow {
        PublicRow::new(revision, format!("{{\"revision\":{revision}}}"))
    }

    #[test]
    fn push_closes_and_chains_pages() {
        let mut index = FeedIndex::new("e".repeat(32));
        let rows: Vec<_> = (0..100).map(|n| row(3 * n + 1)).collect();
        for row in &rows {
            index.push(row);
        }
        let pages: Vec<_> = (1..=index.pages()).filter_map(|n| index.page(n)).collect();
        let spans: Vec<_> = pages.iter().map(|p| (p.first, p.last)).collect();
        assert_eq!(spans, [(1, 94), (97, 190), (193, 286), (289, 298)]);
        for page in &pages {
            let own: Vec<_> =
                rows.iter().filter(|r| (page.first..=page.last).contains(&r.revision)).cloned().collect();
            let text = index.text(page, &own);
            assert_eq!(Digest::of(text.as_bytes()), page.digest);
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
            assert_eq!(index.page_of(page.first).unwrap().number, page.number);
            assert_eq!(index.page_of(page.last - 1).unwrap().number, page.number);
        }
        assert_eq!(Digest::of(index.last_text().unwrap().as_bytes()), pages[3].digest);
        assert!(index.page_of(299).is_none() && index.page(0).is_none() && index.page(5).is_none());
    }
}
