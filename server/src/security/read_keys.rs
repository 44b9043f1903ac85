//! The check of read keys, whose records are beside the tree.

use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

use generator::tree::Tree;
use parking_lot::Mutex;
use registry::read_key::ReadKey;
use registry::time::Timestamp;

/// How long a valid key is not looked up again. A key that is revoked on this machine may be used so long.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The most keys that are remembered. Others are looked up for each request.
const MAX_REMEMBERED: usize = 10_000;

/// Checks read keys.
pub struct ReadKeys {
    tree: Tree,
    /// The texts of valid keys, the end of each, and when it was looked up.
    valid: Mutex<HashMap<String, (Timestamp, Instant)>>,
}

impl ReadKeys {
    /// Checks the keys of a tree.
    pub fn of(tree: Tree) -> Self {
        Self { tree, valid: Mutex::default() }
    }

    /// Whether a text was found to be a valid key a moment ago. Does no I/O, and computes no digest.
    pub fn is_known(&self, text: &str) -> bool {
        let known = self.valid.lock().get(text).copied();
        known.is_some_and(|(ends, at)| at.elapsed() < RECHECK_INTERVAL && Timestamp::now() < ends)
    }

    /// Whether a key is valid. Reads its record.
    ///
    /// Errors: the record cannot be read.
    pub fn is_valid(&self, key: &ReadKey) -> io::Result<bool> {
        let record = self.tree.read_key(key.id())?;
        let is_valid = record.is_some_and(|record| record.admits(key, Timestamp::now()));
        let mut valid = self.valid.lock();
        if !is_valid {
            valid.remove(key.reveal());
        } else if valid.len() < MAX_REMEMBERED || valid.contains_key(key.reveal()) {
            valid.insert(key.reveal().to_owned(), (key.ends(), Instant::now()));
        }
        Ok(is_valid)
    }
}
