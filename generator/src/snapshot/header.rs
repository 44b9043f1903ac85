//! Headers of the archive.

use std::io;

use tar::{EntryType, Header};

/// The length of a header, and the unit that contents are padded to.
pub const BLOCK: usize = 512;

/// The longest path that a header has as the target of a link.
const MAX_TARGET: usize = 100;

/// 2020-01-01T00:00:00Z, which the modification times of a tree count from.
const START: u64 = 1_577_836_800;

/// What a header says.
#[derive(Debug, Clone, Copy)]
pub struct HeaderFields<'a> {
    pub path: &'a str,
    pub size: u64,
    /// The target of a link.
    pub target: Option<&'a str>,
    /// Revision and counter generation together.
    pub state: u64,
}

impl HeaderFields<'_> {
    /// The header. There is only one for the same fields, so that a reader compares bytes.
    pub fn header(&self) -> io::Result<Header> {
        let mut header = Header::new_ustar();
        header.set_path(self.path)?;
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        // Hosts make validators of time and size, so another state has another time.
        header.set_mtime(time_of(self.state));
        header.set_size(self.size);
        header.set_entry_type(EntryType::Regular);
        if let Some(target) = self.target {
            header.set_entry_type(EntryType::Link);
            header.set_link_name_literal(target)?;
        }
        header.set_device_major(0)?;
        header.set_device_minor(0)?;
        header.set_cksum();
        Ok(header)
    }
}

/// The modification time of all files of a snapshot, in Unix seconds.
pub fn time_of(state: u64) -> u64 {
    START.saturating_add(state)
}

/// Whether a path can be the target of a link.
pub fn can_be_target(path: &str) -> bool {
    path.len() <= MAX_TARGET
}

/// The number of zeros after a content of this size.
pub fn padding(size: u64) -> usize {
    let rest = (size % BLOCK as u64) as usize;
    if rest == 0 { 0 } else { BLOCK - rest }
}
