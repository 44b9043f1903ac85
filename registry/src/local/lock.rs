//! The lock under which one process sets up an empty data folder.

use std::fs::File;
use std::path::Path;

use super::LocalError;
use crate::journal::folder;

/// While it lives, no other process opens or sets up the data folder.
#[derive(Debug)]
pub struct DataFolderLock(#[expect(dead_code, reason = "dropping it releases the lock")] File);

/// Waits for the lock of the folder `data`, which is created if missing.
///
/// Opening the journal or the local store takes the same lock. So the holder must
/// open neither, and should drop the lock soon.
pub fn lock_data_folder(data: &Path) -> Result<DataFolderLock, LocalError> {
    folder::make(data)?;
    Ok(DataFolderLock(folder::lock(data)?))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn lock_data_folder_waits_for_the_other_process() {
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
    fn lock_data_folder_of_a_file_is_a_storage_error() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("data"), "").unwrap();
        assert!(matches!(lock_data_folder(&root.path().join("data")), Err(LocalError::Storage(_))));
    }
}
