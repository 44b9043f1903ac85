//! One process at a time decides what an empty data folder begins with.

use std::fs::File;
use std::path::Path;

use super::LocalError;
use crate::journal::folder;

/// While it lives, no other process opens or sets up the data folder.
#[derive(Debug)]
pub struct DataFolderLock(#[expect(dead_code, reason = "dropping it is what ends the lock")] File);

/// Waits for the lock of the folder `data`, which is made where it is missing.
///
/// Opening journal and local store takes the same lock: who holds it must not
/// open either, and keeps everyone waiting who does, so it is for a moment.
pub fn lock_data_folder(data: &Path) -> Result<DataFolderLock, LocalError> {
    folder::make(data)?;
    Ok(DataFolderLock(folder::lock(data)?))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn it_is_ones_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("data");
        let dropped = AtomicBool::new(false);
        let held = lock_data_folder(&data).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _second = lock_data_folder(&data).unwrap();
                assert!(dropped.load(Ordering::SeqCst), "the second had to wait");
            });
            dropped.store(true, Ordering::SeqCst);
            drop(held);
        });
    }

    #[test]
    fn a_file_is_no_folder() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("data"), "").unwrap();
        assert!(matches!(lock_data_folder(&root.path().join("data")), Err(LocalError::Storage(_))));
    }
}
