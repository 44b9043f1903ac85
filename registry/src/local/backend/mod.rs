//! What a store of local data has to do, by subject. [`super::LocalStore`] decides on
//! top of it: how long failures count, when a use is written, what a key is.
//!
//! Any number of processes, on one machine or on several, may have the same store
//! open. Each method is atomic: it happens as a whole or not at all, and the next one
//! in any process sees it.

mod device_logins;
mod uploads;
mod write_counts;

pub use device_logins::{
    DeviceCodeDigest, DeviceLoginState, DeviceLogins, DeviceVerdict, NetworkLogins, NewDeviceLogin,
    StoredDeviceLogin,
};
pub use uploads::{NewUpload, PersonUploads, Room, UploadLimits, Uploads};
pub use write_counts::{WriteCount, WriteCounts, WriteLimit};

use super::downloads::{
    CountedDownloads, Download, DownloadDay, KnownLog, LogCounted, LogPosition, LogStart,
};
use super::export::LocalRecord;
use super::{HistoryContents, ImportError, LocalError, PasswordChange};
use crate::names::{Digest, Handle};
use crate::public::{Counters, Id};
use crate::time::{Day, Timestamp};

/// A store of all local data.
pub trait Local:
    Accounts
    + LoginFailures
    + DeviceLogins
    + Uploads
    + WriteCounts
    + TokenUses
    + PublishedCounters
    + Downloads
    + AccessLogs
    + History
    + Records
{
}

impl<T> Local for T where
    T: Accounts
        + LoginFailures
        + DeviceLogins
        + Uploads
        + WriteCounts
        + TokenUses
        + PublishedCounters
        + Downloads
        + AccessLogs
        + History
        + Records
{
}

/// A session to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// The digest of its key.
    pub digest: &'a str,
    /// Its public id.
    pub id: &'a str,
    /// The account.
    pub handle: &'a Handle,
    /// The hash of the password with which they signed in.
    pub phc: &'a str,
    /// The time of the login.
    pub now: Timestamp,
    /// The end, used or not.
    pub expires_at: Timestamp,
    /// The most sessions of the account.
    pub max: u32,
}

/// What a session is found by.
#[derive(Debug, Clone, Copy)]
pub enum SessionName<'a> {
    /// The digest of its key.
    Digest(&'a str),
    /// Its public id.
    Id(&'a str),
}

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The public id.
    pub id: String,
    /// The account.
    pub handle: String,
    /// The last written use (Unix seconds).
    pub used_at: i64,
    /// The end (Unix seconds).
    pub expires_at: i64,
}

/// Passwords and sessions.
pub trait Accounts: Send + Sync {
    /// Stores the hash of a password, and ends all sessions of its owner.
    fn set_password(&self, handle: &Handle, phc: &str) -> Result<(), LocalError>;

    /// The stored hash, or None.
    fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError>;

    /// Replaces a password and ends all sessions of its owner but one. Returns false,
    /// and changes nothing, unless the stored hash is `old_phc`.
    fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError>;

    /// Removes expired sessions of everybody and the account's least recently used ones
    /// above `max - 1`, then begins the session. Returns false, and begins none, unless
    /// the stored hash of the account is `phc`.
    fn begin_session(&self, session: &NewSession<'_>) -> Result<bool, LocalError>;

    /// A session that has not ended `now`.
    fn session(&self, name: SessionName<'_>, now: Timestamp) -> Result<Option<StoredSession>, LocalError>;

    /// Stores when a session was used.
    fn note_session_use(&self, id: &str, now: Timestamp) -> Result<(), LocalError>;

    /// Ends a session, if there is one.
    fn end_session(&self, id: &str) -> Result<(), LocalError>;
}

/// Failed logins.
pub trait LoginFailures: Send + Sync {
    /// The time (Unix seconds) of a failure of `subject` after `since`: the last one for
    /// `index` 0, the one before for 1, and so on.
    fn login_failure(&self, subject: &Digest, since: i64, index: u32) -> Result<Option<i64>, LocalError>;

    /// Stores a failure of each subject, and forgets all up to `forget` (Unix seconds).
    fn record_login_failure(
        &self,
        subjects: &[Digest],
        now: Timestamp,
        forget: i64,
    ) -> Result<(), LocalError>;
}

/// When tokens were used.
pub trait TokenUses: Send + Sync {
    /// Stores uses, each unless a later one is stored.
    fn put_token_uses(&self, uses: &[(String, Timestamp)]) -> Result<(), LocalError>;

    /// The stored use of a token.
    fn token_use(&self, token: &str) -> Result<Option<Timestamp>, LocalError>;
}

/// The counters that documents show.
pub trait PublishedCounters: Send + Sync {
    /// Stores counters as `generation`.
    ///
    /// Errors: [`LocalError::Conflict`] unless the last generation is smaller.
    fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError>;

    /// The counters published after `generation`, with their generations, by these and
    /// then by skill.
    fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError>;

    /// The last generation, or 0. It never falls.
    fn counter_generation(&self) -> Result<u64, LocalError>;

    /// Publishes counters as the generation after `generation`, and counts their
    /// downloads as earlier ones, unless any counters were published.
    fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError>;
}

/// Counted downloads.
pub trait Downloads: Send + Sync {
    /// Counts downloads `today`, each client once for a version and day.
    fn count_downloads(&self, downloads: &[Download], today: Day) -> Result<CountedDownloads, LocalError>;

    /// Erases the clients of days whose key was last used
    /// [`super::KEY_TTL_DAYS`] days before `today`, or earlier.
    fn forget_clients(&self, today: Day) -> Result<(), LocalError>;

    /// The totals that changed after the change `since`, by skill, and the last change. A
    /// number that this store has not reached counts as 0.
    fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError>;

    /// The downloads of a skill, by version and day.
    fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError>;
}

/// How far access logs were counted.
pub trait AccessLogs: Send + Sync {
    /// The positions in the logs with this start, by bytes.
    fn known_log(&self, start: LogStart) -> Result<KnownLog, LocalError>;

    /// Counts downloads and stores the position `to`. The one at `from` is removed if it
    /// is given.
    fn count_log(
        &self,
        known: &KnownLog,
        from: Option<LogPosition>,
        to: LogPosition,
        downloads: &[Download],
        today: Day,
    ) -> Result<LogCounted, LocalError>;
}

/// The history that the store belongs to.
pub trait History: Send + Sync {
    /// The epoch of the history, or None before the first one.
    fn history_epoch(&self) -> Result<Option<String>, LocalError>;

    /// Stores the epoch, unless there is one.
    fn begin_history(&self, epoch: &str) -> Result<(), LocalError>;

    /// Stores another epoch, and removes what does not belong to `contents`: all sessions,
    /// logins with a code, uploads and token uses, and passwords, downloads, earlier downloads and published counters
    /// of anything else.
    fn replace_history(&self, epoch: &str, contents: &HistoryContents) -> Result<(), LocalError>;
}

/// The part of the store that is copied and backed up.
pub trait Records: Send + Sync {
    /// Calls `visit` with all records of one state: passwords by handle, downloads by
    /// skill, version and day, earlier downloads by skill.
    fn export(&self, visit: &mut dyn FnMut(LocalRecord) -> Result<(), LocalError>) -> Result<(), LocalError>;

    /// Stores records that belong to the history `epoch`, or none of them.
    ///
    /// Errors: those of the iterator, and [`ImportError::Line`] with its number, from 1,
    /// for a record that is stored already.
    fn import(
        &self,
        epoch: &str,
        records: &mut dyn Iterator<Item = Result<LocalRecord, ImportError>>,
    ) -> Result<(), ImportError>;
}
