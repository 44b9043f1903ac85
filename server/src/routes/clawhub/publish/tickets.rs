//! Uploads that have been announced, and wait for the publication that takes them.
//!
//! A ticket is bound to a person, a path, a size and a digest. Announced bytes count against limits
//! for each person and for all, whether they have been sent or not.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE32_NOPAD;
use parking_lot::Mutex;
use registry::local::StoredUpload;
use registry::names::{Digest, Handle};
use registry::time::Timestamp;
use serde_json::Value;

/// How long an upload waits for its publication. The files are removed within a minute after that.
pub(crate) const TICKET_TTL: Duration = Duration::from_secs(15 * 60);

/// A file that a person is going to upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Announced {
    pub(crate) person: Handle,
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) sha256: Digest,
}

/// Limits on announced uploads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TicketLimits {
    /// Bytes of one person.
    pub(crate) person_bytes: u64,
    /// Files of one person.
    pub(crate) person_files: usize,
    /// Bytes of all people.
    pub(crate) bytes: u64,
    /// Files of all people.
    pub(crate) files: usize,
}

/// Which limit a new upload exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    OfPerson,
    OfAll,
}

/// Why a ticket cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// It is unknown, has expired, or belongs to another person or file.
    Unknown,
    /// Its file has not been uploaded.
    NotStored,
}

/// The uploads of a publication.
pub(crate) enum Collected {
    /// The files, in the order of the tickets.
    Files(Vec<Arc<StoredUpload>>),
    /// They were published already. This was the answer.
    Published(Arc<Value>),
}

/// The announced uploads.
pub(crate) struct Tickets {
    limits: TicketLimits,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    tickets: HashMap<Digest, Ticket>,
    /// The oldest first. Some have ended.
    by_age: VecDeque<(Timestamp, Digest)>,
    all: Usage,
    people: HashMap<Handle, Usage>,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Usage {
    bytes: u64,
    files: usize,
}

struct Ticket {
    file: Announced,
    ends_at: Timestamp,
    state: State,
}

enum State {
    Announced,
    Stored(Arc<StoredUpload>),
    /// Only the first ticket of a publication stays, for clients that lost the answer.
    Published(Arc<Value>),
}

impl Tickets {
    pub(crate) fn new(limits: TicketLimits) -> Self {
        Self { limits, table: Mutex::default() }
    }

    /// Makes a ticket. The outer error: the system has no random numbers.
    pub(crate) fn announce(&self, file: Announced, now: Timestamp) -> io::Result<Result<String, Full>> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let ticket = BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
        let mut table = self.table.lock();
        if let Some(full) = table.exceeded(&self.limits, &file) {
            return Ok(Err(full));
        }
        table.count(&file, true);
        let (digest, ends_at) = (Digest::of(ticket.as_bytes()), now.plus(TICKET_TTL));
        table.tickets.insert(digest, Ticket { file, ends_at, state: State::Announced });
        table.by_age.push_back((ends_at, digest));
        Ok(Ok(ticket))
    }

    /// The file that a person may upload with a ticket.
    pub(crate) fn file(&self, ticket: &str, person: &Handle, now: Timestamp) -> Option<Announced> {
        let table = self.table.lock();
        let ticket = table.tickets.get(&Digest::of(ticket.as_bytes()))?;
        let usable = ticket.file.person == *person && ticket.ends_at > now;
        (usable && !matches!(ticket.state, State::Published(_))).then(|| ticket.file.clone())
    }

    /// Keeps an upload for the publication. A repeated upload replaces the first.
    pub(crate) fn store(&self, ticket: &str, upload: StoredUpload) {
        if let Some(ticket) = self.table.lock().tickets.get_mut(&Digest::of(ticket.as_bytes()))
            && !matches!(ticket.state, State::Published(_))
        {
            ticket.state = State::Stored(Arc::new(upload));
        }
    }

    /// The uploads of a publication. Its tickets stay, so that a refused one can be repeated. The error
    /// has the path of the file.
    pub(crate) fn collect(
        &self,
        files: &[(String, Announced)],
        now: Timestamp,
    ) -> Result<Collected, (String, Unusable)> {
        let table = self.table.lock();
        let mut uploads = Vec::new();
        for (ticket, file) in files {
            let found = table.tickets.get(&Digest::of(ticket.as_bytes()));
            let found = found.filter(|found| found.file == *file && found.ends_at > now);
            match found.map(|found| &found.state) {
                Some(State::Stored(upload)) => uploads.push(Arc::clone(upload)),
                Some(State::Published(answer)) if uploads.is_empty() => {
                    return Ok(Collected::Published(Arc::clone(answer)));
                }
                Some(State::Announced) => return Err((file.path.clone(), Unusable::NotStored)),
                Some(State::Published(_)) | None => return Err((file.path.clone(), Unusable::Unknown)),
            }
        }
        Ok(Collected::Files(uploads))
    }

    /// Ends the tickets of a publication, and removes their files from the disk.
    pub(crate) fn finish(&self, files: &[(String, Announced)], answer: &Value) {
        // Dropped after the lock.
        let mut ended = Vec::new();
        let mut table = self.table.lock();
        for (ticket, _) in files.iter().skip(1) {
            ended.extend(table.remove(&Digest::of(ticket.as_bytes())));
        }
        let first = files.first().map(|(ticket, _)| Digest::of(ticket.as_bytes()));
        if let Some(digest) = first
            && let Some(ticket) = table.remove(&digest)
        {
            let state = State::Published(Arc::new(answer.clone()));
            table
                .tickets
                .insert(digest, Ticket { file: ticket.file.clone(), ends_at: ticket.ends_at, state });
            ended.push(ticket);
        }
        drop(table);
    }

    /// Removes what nobody has published in time, also from the disk.
    pub(crate) fn remove_expired(&self, now: Timestamp) {
        let ended = self.table.lock().remove_expired(now);
        drop(ended);
    }
}

impl Table {
    fn exceeded(&self, limits: &TicketLimits, file: &Announced) -> Option<Full> {
        let own = self.people.get(&file.person).copied().unwrap_or_default();
        if own.bytes.saturating_add(file.size) > limits.person_bytes || own.files >= limits.person_files {
            return Some(Full::OfPerson);
        }
        let is_full = self.all.bytes.saturating_add(file.size) > limits.bytes
            || self.all.files >= limits.files
            || self.tickets.len() >= 2 * limits.files;
        is_full.then_some(Full::OfAll)
    }

    /// Counts a file, or stops counting it.
    fn count(&mut self, file: &Announced, is_new: bool) {
        let own = self.people.entry(file.person.clone()).or_default();
        for usage in [&mut self.all, own] {
            *usage = match is_new {
                true => Usage { bytes: usage.bytes + file.size, files: usage.files + 1 },
                false => Usage { bytes: usage.bytes - file.size, files: usage.files - 1 },
            };
        }
        if *own == Usage::default() {
            self.people.remove(&file.person);
        }
    }

    fn remove(&mut self, ticket: &Digest) -> Option<Ticket> {
        let ticket = self.tickets.remove(ticket)?;
        if !matches!(ticket.state, State::Published(_)) {
            self.count(&ticket.file, false);
        }
        Some(ticket)
    }

    fn remove_expired(&mut self, now: Timestamp) -> Vec<Ticket> {
        let mut ended = Vec::new();
        while let Some((ends_at, ticket)) = self.by_age.front().copied()
            && (ends_at <= now || !self.tickets.contains_key(&ticket))
        {
            self.by_age.pop_front();
            ended.extend(self.remove(&ticket));
        }
        ended
    }
}

#[cfg(test)]
mod tests;
