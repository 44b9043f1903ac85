//! Checks that a version is in the history that a registry's keys have signed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use generator::address::Document;
use registry::api::public::RegistryKeys;
use registry::data_fault::json_fault;
use registry::names::{Coordinate, Digest, Version};
use registry::public::{DecodedRow, PublicChange, PublicRow, Published, ROWS_PER_PAGE, Revision};
use registry::transparency_log::{
    Checkpoint, Leaf, LogTile, MAX_SIGNED_NOTE, Policy, RowProof, TiledLog, TiledLogError, VerifierKey,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{HistoryError, TrustedRegistries};
use crate::source::parallel;
use crate::{ClientError, SkillReference, Source};

/// The size limit of a feed page. A page has 32 rows, and the largest possible row has about
/// 600 KiB.
const MAX_PAGE: u64 = 64 << 20;

/// The pause before the checkpoint is read again. A registry signs a version within a second after it
/// has published it.
const SIGNING_PAUSE: Duration = Duration::from_millis(500);

/// The history of a registry that is trusted by its keys. It reads each file once.
pub struct SignedHistory<'s> {
    pub(super) source: &'s Source,
    pub(super) keys: Vec<VerifierKey>,
    policy: Option<Policy>,
    /// The last checkpoint that was accepted, with its signed text.
    accepted: RefCell<Option<(Checkpoint, String)>>,
    tiles: RefCell<HashMap<LogTile, Vec<u8>>>,
}

/// A version that is in the signed history.
#[derive(Debug, Clone)]
pub struct ProvedVersion {
    /// The row, its proof and the signed checkpoint.
    pub proof: RowProof,
    /// What the row says.
    pub published: Published,
    /// The checkpoint that covers it.
    pub checkpoint: Checkpoint,
}

/// What the row of a version must say.
struct Wanted<'a> {
    coordinate: &'a Coordinate,
    version: &'a Version,
    sha256: &'a Digest,
}

impl<'s> SignedHistory<'s> {
    /// The history of a registry. None if the user trusts no key of it.
    pub fn of(source: &'s Source) -> Result<Option<Self>, ClientError> {
        let trusted = TrustedRegistries::load()?;
        let keys = trusted.keys(source.registry()).to_vec();
        let policy = trusted.policy(source.registry())?;
        Ok((!keys.is_empty()).then(|| Self::with_keys(source, keys, policy)))
    }

    /// The history of a registry with these keys, and with the witnesses of a policy.
    pub fn with_keys(source: &'s Source, keys: Vec<VerifierKey>, policy: Option<Policy>) -> Self {
        Self { source, keys, policy, accepted: RefCell::default(), tiles: RefCell::default() }
    }

    /// The number of rows that the registry has signed. Checks the signature, and that the log
    /// continues the last checkpoint that this user has seen.
    pub fn size(&self) -> Result<u64, ClientError> {
        Ok(self.accept_checkpoint(false)?.0.size)
    }

    /// Proves that the history has a version with this package. `index` is the number of its leaf,
    /// as the registry says.
    pub fn prove(
        &self,
        coordinate: &Coordinate,
        version: &Version,
        sha256: &Digest,
        index: Option<u64>,
    ) -> Result<ProvedVersion, ClientError> {
        let wanted = Wanted { coordinate, version, sha256 };
        let mut attempt = 1;
        loop {
            match self.attempt(&wanted, index, attempt > 1) {
                Err(ClientError::History(why)) if why.may_be_old() && attempt < why.attempts() => {
                    if attempt > 1 && matches!(why, HistoryError::NotSigned { .. }) {
                        std::thread::sleep(SIGNING_PAUSE);
                    }
                    attempt += 1;
                }
                done => return done,
            }
        }
    }

    fn attempt(
        &self,
        wanted: &Wanted<'_>,
        index: Option<u64>,
        is_again: bool,
    ) -> Result<ProvedVersion, ClientError> {
        let index = index.ok_or_else(|| self.not_in_log(wanted, "it names no row for it"))?;
        let known = self.accepted.borrow().clone().filter(|(known, _)| index < known.size && !is_again);
        let (checkpoint, signed_checkpoint) = match known {
            Some(known) => known,
            None => self.accept_checkpoint(is_again)?,
        };
        if index >= checkpoint.size {
            let (registry, skill) = (self.registry(), wanted.name());
            return Err(HistoryError::NotSigned { registry, skill }.into());
        }
        let row = self.row(wanted, index, is_again)?;
        let published = self.check_row(wanted, index, &row)?;
        let (leaf, inclusion) = self.in_log(checkpoint.clone(), |log| log.leaf(index))?;
        if leaf != Leaf::from(&row).hash() {
            return Err(self.not_in_log(wanted, "its row there has another text"));
        }
        Ok(ProvedVersion { proof: RowProof { row, inclusion, signed_checkpoint }, published, checkpoint })
    }

    /// Reads the checkpoint, and checks that its log continues the last one that this user has seen.
    fn accept_checkpoint(&self, is_again: bool) -> Result<(Checkpoint, String), ClientError> {
        let document = Document::Checkpoint;
        let Some(signed) = self.read(&document, MAX_SIGNED_NOTE as u64, is_again)? else {
            return Err(HistoryError::Unsigned { registry: self.registry() }.into());
        };
        let checkpoint = Checkpoint::verify(&signed, &self.keys)
            .map_err(|why| HistoryError::Checkpoint { registry: self.registry(), why })?;
        let signed = String::from_utf8_lossy(&signed).into_owned();
        if let Some(policy) = &self.policy {
            policy
                .check_quorum(&signed)
                .map_err(|why| HistoryError::Policy { registry: self.registry(), why })?;
        }
        let epoch = self.check_progress(&checkpoint, &signed)?;
        TrustedRegistries::keep(&checkpoint, &signed, epoch)?;
        Ok(self.accepted.borrow_mut().insert((checkpoint, signed)).clone())
    }

    /// Reads the row of a leaf from its feed page.
    fn row(&self, wanted: &Wanted<'_>, index: u64, is_again: bool) -> Result<PublicRow, ClientError> {
        #[derive(Deserialize)]
        struct Page<'a> {
            #[serde(borrow)]
            changes: Vec<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Numbered {
            revision: Revision,
        }
        let document = Document::Feed(index / ROWS_PER_PAGE + 1);
        let missing = || HistoryError::Missing { registry: self.registry(), file: document.name() };
        let page = self.read(&document, MAX_PAGE, is_again)?.ok_or_else(missing)?;
        let damaged = |why: serde_json::Error| self.source.invalid(&document, json_fault(&why));
        let page: Page<'_> = serde_json::from_slice(&page).map_err(damaged)?;
        let row = page.changes.get((index % ROWS_PER_PAGE) as usize);
        let json = row.ok_or_else(|| self.not_in_log(wanted, "the feed has no such row"))?.get().to_owned();
        let Numbered { revision } = serde_json::from_str(&json).map_err(damaged)?;
        Ok(PublicRow::new(revision, json))
    }

    /// Checks what a row says.
    fn check_row(&self, wanted: &Wanted<'_>, index: u64, row: &PublicRow) -> Result<Published, ClientError> {
        let decoded = DecodedRow::decode(row).map_err(|why| {
            let page = Document::Feed(index / ROWS_PER_PAGE + 1);
            self.source.invalid(&page, format!("row {}: {}", why.revision, why.cause))
        })?;
        let PublicChange::Published(published) = decoded.change else {
            return Err(self.not_in_log(wanted, "the row that it names is about something else"));
        };
        if (published.coordinate(), &published.version) != (wanted.coordinate.clone(), wanted.version) {
            let other =
                format!("{} {}", SkillReference::argument(&published.coordinate()), published.version);
            return Err(self.not_in_log(wanted, &format!("the row that it names is about {other}")));
        }
        if published.sha256 != *wanted.sha256 {
            let found = format!(
                "its row names a package with sha256 {}, but the registry offers {}",
                published.sha256, wanted.sha256
            );
            return Err(self.not_in_log(wanted, &found));
        }
        Ok(*published)
    }

    /// Asks the log of a checkpoint.
    pub(super) fn in_log<T>(
        &self,
        checkpoint: Checkpoint,
        ask: impl FnOnce(&TiledLog<'_, ClientError>) -> Result<T, TiledLogError<ClientError>>,
    ) -> Result<T, ClientError> {
        let read = |tiles: &[LogTile]| self.read_tiles(tiles);
        ask(&TiledLog::new(checkpoint, &read)).map_err(|why| match why {
            TiledLogError::Read(why) => why,
            TiledLogError::FalseTiles => {
                // They may have come from a cache of this run.
                self.tiles.borrow_mut().clear();
                HistoryError::FalseTiles { registry: self.registry() }.into()
            }
        })
    }

    fn read_tiles(&self, tiles: &[LogTile]) -> Result<Vec<Vec<u8>>, ClientError> {
        let missing: Vec<_> = tiles.iter().filter(|tile| !self.tiles.borrow().contains_key(tile)).collect();
        let source = self.source;
        let read = parallel::map(&missing, |tile| {
            let document = Document::LogTile(**tile);
            // At most 256 hashes of 32 bytes.
            let bytes = source.bytes(&document, 8192, &mut |_, _| {})?.map(|raw| raw.bytes);
            let lacks =
                || HistoryError::Missing { registry: source.address().to_string(), file: document.name() };
            Ok(bytes.ok_or_else(lacks)?)
        });
        let read = read.into_iter().collect::<Result<Vec<_>, ClientError>>()?;
        let mut known = self.tiles.borrow_mut();
        known.extend(missing.into_iter().copied().zip(read));
        Ok(tiles.iter().filter_map(|tile| known.get(tile)).cloned().collect())
    }

    pub(super) fn read(
        &self,
        document: &Document,
        most: u64,
        is_again: bool,
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let raw = match is_again {
            true => self.source.bytes_past_caches(document, most)?,
            false => self.source.bytes(document, most, &mut |_, _| {})?,
        };
        Ok(raw.map(|raw| raw.bytes))
    }

    pub(super) fn registry(&self) -> String {
        self.source.address().to_string()
    }

    fn not_in_log(&self, wanted: &Wanted<'_>, found: &str) -> ClientError {
        let (registry, skill) = (self.registry(), wanted.name());
        HistoryError::NotInLog { registry, skill, found: found.to_owned() }.into()
    }
}

impl Wanted<'_> {
    fn name(&self) -> String {
        format!("{} {}", SkillReference::argument(self.coordinate), self.version)
    }
}

/// The keys that sign the history of a registry now, as it says itself. Empty if it does not sign.
pub fn published_keys(source: &Source) -> Result<Vec<VerifierKey>, ClientError> {
    let keys: Option<RegistryKeys<'_>> = source.document(&Document::RegistryKeys)?;
    let keys = keys.map(|keys| keys.keys).unwrap_or_default();
    Ok(keys.into_iter().filter(|key| key.retired.is_none()).map(|key| key.key.into_owned()).collect())
}
