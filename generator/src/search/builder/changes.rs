//! What a change of skills changes in the index.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::search::format::keys::group_of;

/// The keys and groups that a change of skills affects.
#[derive(Default)]
pub struct IndexChanges {
    /// Keys under which the set of skills is different.
    pub keys: BTreeSet<Arc<[u8]>>,
    /// Groups that are written differently.
    pub groups: BTreeSet<Arc<[u8]>>,
}

impl IndexChanges {
    /// Notes that a group is written differently.
    pub fn note_group(&mut self, key: &[u8]) {
        let group = group_of(key);
        if !self.groups.contains(group) {
            self.groups.insert(group.into());
        }
    }
}
