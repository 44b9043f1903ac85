//! Metrics of the disks.

use std::path::Path;

use rustix::fs::statvfs;
use server::metrics::Reading;

use crate::config::Config;
use crate::storage::stores::journal_size;

/// Reads the free space of data folder and output folder, and the size of the journal. What cannot
/// be read is left out.
#[allow(clippy::cast_precision_loss, reason = "metrics are floating-point numbers")]
pub fn of_folders(config: &Config) -> impl Fn() -> Vec<Reading> + Send + Sync + use<> {
    let folders = [("data", config.data.clone()), ("public", config.public.clone())];
    let journal_size = journal_size(config);
    move || {
        let free = |folder: &Path| statvfs(folder).ok();
        let disks: Vec<_> = folders.iter().filter_map(|(name, path)| Some((*name, free(path)?))).collect();
        let bytes = disks.iter().map(|(name, disk)| {
            let bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
            Reading::new("disk_free_bytes", "Bytes that are free for files of the folder", bytes as f64)
                .of("folder", *name)
        });
        let files = disks.iter().map(|(name, disk)| {
            Reading::new(
                "disk_free_files",
                "Files that can still be made in the folder",
                disk.f_favail as f64,
            )
            .of("folder", *name)
        });
        let release = env!("CARGO_PKG_VERSION");
        let release = Reading::new("info", "The running release", 1.0).of("version", release);
        let journal =
            journal_size().map(|size| Reading::new("journal_bytes", "Bytes of the journal", size as f64));
        bytes.chain(files).chain(journal).chain([release]).collect()
    }
}
