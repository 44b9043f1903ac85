//! Caches finished worlds, so that only the first run makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use registry::journal::SqliteJournal;

use super::make::{Size, make};
use crate::Failure;

/// Raised when worlds of a size become others than before.
const WORLD_FORMAT: u32 = 2;

/// A file system in memory, where a sync costs nothing.
const MEMORY: &str = "/dev/shm";

/// A finished world. All runs share it, so a run that writes makes a copy.
#[derive(Debug, Clone)]
pub struct World(PathBuf);

/// The folder of the worlds: `SKILLMIRROR_BENCH_WORLDS`, or `target/bench-worlds` in the working
/// folder.
pub fn folder() -> PathBuf {
    std::env::var_os("SKILLMIRROR_BENCH_WORLDS").map_or_else(|| "target/bench-worlds".into(), PathBuf::from)
}

impl World {
    /// The world of that size, made where it is not there yet or of a journal
    /// layout that the program no longer reads.
    pub fn of(size: Size) -> Result<Self, Failure> {
        let Size { skills, versions, packages } = size;
        let what = if packages { "" } else { "-rows" };
        let kept = folder().join(format!("world-{WORLD_FORMAT}-{skills}x{versions}{what}"));
        if kept.exists() && SqliteJournal::open(&kept).is_err() {
            fs::remove_dir_all(&kept)?;
        }
        if !kept.exists() {
            Self::put(&kept, size)?;
        }
        Ok(Self(kept))
    }

    /// Makes a world at `out`, which is not there yet and appears whole: in
    /// memory first, because 300,000 packages are as many syncs.
    pub fn put(out: &Path, size: Size) -> Result<(), Failure> {
        let start = Instant::now();
        let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let first = if Path::new(MEMORY).is_dir() { Path::new(MEMORY) } else { parent };
        let made = tempfile::Builder::new().prefix("skillmirror-world-").tempdir_in(first)?;
        make(&made.path().join("data"), size)?;
        let whole = tempfile::Builder::new().prefix("world-").tempdir_in(parent)?;
        copy(&["-a"], &made.path().join("data"), &whole.path().join("data"))?;
        fs::rename(whole.path().join("data"), out)?;
        let Size { skills, versions, .. } = size;
        eprintln!("made {skills} skills with {versions} versions in {:.0} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Its data folder, for reading.
    pub fn data(&self) -> &Path {
        &self.0
    }

    /// Copies it to the new folder `to`. Packages are hard links, because they never change.
    pub fn copy_to(&self, to: &Path) -> Result<(), Failure> {
        fs::create_dir(to)?;
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let how: &[&str] = if entry.file_name() == "blobs" { &["-a", "--link"] } else { &["-a"] };
            copy(how, &entry.path(), &to.join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// Copies a file or a folder with its modes and times.
fn copy(how: &[&str], from: &Path, to: &Path) -> Result<(), Failure> {
    let status = Command::new("cp").args(how).arg(from).arg(to).status()?;
    if status.success() { Ok(()) } else { Err(format!("{} cannot be copied", from.display()).into()) }
}
