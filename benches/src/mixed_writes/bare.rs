//! The minimal cost of a durable write: an append and a sync.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Failure;

/// About what a small change adds to the journal's log: a page with its frame.
const BYTES: usize = 4096 + 24;

/// How long each of `number` appends to a new file took, one after the other.
pub fn appends(number: usize, file: &Path) -> Result<Vec<Duration>, Failure> {
    let mut file = File::create_new(file)?;
    let append = |_| {
        let start = Instant::now();
        file.write_all(&[b'x'; BYTES])?;
        file.sync_all()?;
        Ok(start.elapsed())
    };
    (0..number).map(append).collect()
}
