//! Fills a bucket with the rows of another journal.

use registry::journal::{JournalError, Revision, Row, chain, check_copy};

use super::BucketJournal;
use super::entry::{Header, Segment, StoredRow, finished, lines};
use super::state::Last;

impl BucketJournal {
    /// Copies rows behind row `after`: all of them as one segment, so that all are there or none.
    pub(super) fn copy(&self, epoch: &str, after: Revision, rows: &[Row]) -> Result<(), JournalError> {
        let known = self.header()?;
        let mut last = Last { revision: 0, at: None, link: chain::root() };
        if let Some(header) = &known {
            last = self.listed(&header.epoch)?;
            check_copy(epoch, &header.epoch, last.revision, self.is_unfinished(header)?)?;
        }
        if last.revision != after {
            return Err(JournalError::Conflict { head: last.revision });
        }
        let mut stored = Vec::with_capacity(rows.len());
        for row in rows {
            row.check_copied(last.revision, last.at)?;
            let link = chain::link(last.link, row);
            stored.push(StoredRow::new(row, link));
            last = Last { revision: row.revision, at: Some(row.at), link };
        }
        let header = match known {
            Some(header) => header,
            None => self.create(&Header::new(epoch.to_owned(), true))?,
        };
        if header.epoch != epoch || !header.copied {
            let name = self.name();
            let why = format!(
                "{name} has an empty journal already: name another prefix, or delete its journal.json"
            );
            return Err(JournalError::Storage(why.into()));
        }
        let Some((first, end)) = rows.first().zip(rows.last()) else { return Ok(()) };
        let segment = Segment { first: first.revision, last: end.revision };
        let text = lines(&stored).map_err(std::io::Error::other)?;
        if !self.store.create(&segment.key(epoch), text)? {
            return Err(JournalError::Conflict { head: end.revision });
        }
        let mut state = self.state.lock();
        state.add_segment(segment);
        state.head = Some(last);
        Ok(())
    }

    /// Whether the journal is a copy that is not finished.
    pub(super) fn is_unfinished(&self, header: &Header) -> Result<bool, JournalError> {
        if !header.copied || self.state.lock().is_finished {
            return Ok(false);
        }
        let is_finished = self.store.get(&finished(&header.epoch))?.is_some();
        self.state.lock().is_finished = is_finished;
        Ok(!is_finished)
    }

    /// Finishes a copy.
    pub(super) fn finish(&self) -> Result<(), JournalError> {
        let Some(header) = self.header()?.filter(|header| header.copied) else { return Ok(()) };
        self.store.create(&finished(&header.epoch), b"{}\n".to_vec())?;
        self.state.lock().is_finished = true;
        Ok(())
    }
}
