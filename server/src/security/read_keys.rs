//! The check of read keys, whose records are beside the tree.

use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

use generator::tree::Tree;
use parking_lot::Mutex;
use registry::read_key::{ReadKey, ReadKeyId};
use registry::time::Timestamp;

/// How long a valid key is not looked up again. A key that is revoked on this machine may be used so long.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The most keys that are remembered. Others are looked up for each request.
const MAX_REMEMBERED: usize = 10_000;

/// Checks read keys.
pub struct ReadKeys {
    tree: Tree,
    /// Valid keys, and when each was looked up.
    valid: Mutex<HashMap<ReadKeyId, (ReadKey, Instant)>>,
}

impl ReadKeys {
    /// Checks the keys of a tree.
    pub fn of(tree: Tree) -> Self {
        Self { tree, valid: Mutex::default() }
    }

    /// Whether a key was found to be valid a moment ago. Does no I/O.
    pub fn is_known(&self, key: &ReadKey) -> bool {
        let is_fresh = |known: &(ReadKey, Instant)| known.0 == *key && known.1.elapsed() < RECHECK_INTERVAL;
        Timestamp::now() < key.ends() && self.valid.lock().get(key.id()).is_some_and(is_fresh)
    }

    /// Whether a key is valid. Reads its record.
    ///
    /// Errors: the record cannot be read.
    pub fn is_valid(&self, key: &ReadKey) -> io::Result<bool> {
        let record = self.tree.read_key(key.id())?;
        let is_valid = record.is_some_and(|record| record.admits(key, Timestamp::now()));
        let mut valid = self.valid.lock();
        if !is_valid {
            valid.remove(key.id());
        } else if valid.len() < MAX_REMEMBERED || valid.contains_key(key.id()) {
            valid.insert(key.id().clone(), (key.clone(), Instant::now()));
        }
        Ok(is_valid)
    }
}
