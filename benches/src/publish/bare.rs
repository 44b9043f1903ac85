//! The bare writes: the same files with the same sizes and syncs, and nothing else.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::written::Written;
use crate::Failure;

/// How a file is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Truncates the file and writes it again. Readers may see half of it.
    Overwritten,
    /// A new file is written and renamed, as a tree with readers needs.
    Renamed,
}

/// A folder of bare writes.
pub struct Bare {
    style: Style,
    folder: PathBuf,
    /// How many times it has been written.
    times: usize,
    bytes: Vec<u8>,
}

impl Bare {
    /// Writes into a folder of its own in `parent`.
    pub fn new(style: Style, parent: &Path) -> Self {
        Self { style, folder: parent.join(format!("{style:?}")), times: 0, bytes: Vec::new() }
    }

    /// Writes what `written` says once. The syncs are those of a publication:
    /// the package, the folder it is in, and the journal's log.
    pub fn write(&mut self, written: &Written) -> Result<Duration, Failure> {
        let (log, blobs) = (self.folder.join("log"), self.folder.join("blobs"));
        let new = self.folder.join(format!("new-{}", self.times));
        if self.times == 0 {
            fs::create_dir_all(&blobs)?;
        }
        self.times += 1;
        let most = written.replaced.iter().chain(&written.made).chain([&written.blob, &written.log]).max();
        self.bytes.resize(most.map_or(0, |most| usize::try_from(*most).unwrap_or(usize::MAX)), b'x');
        let blob = blobs.join(self.times.to_string());
        let start = Instant::now();
        let temporary = self.folder.join("next");
        let mut file = File::create(&temporary)?;
        file.write_all(self.first(written.blob))?;
        file.sync_all()?;
        fs::rename(&temporary, &blob)?;
        File::open(&blobs)?.sync_all()?;
        let mut file = File::options().create(true).append(true).open(&log)?;
        file.write_all(self.first(written.log))?;
        file.sync_all()?;
        fs::create_dir(&new)?;
        for (number, size) in written.made.iter().enumerate() {
            self.put(&new.join(number.to_string()), *size)?;
        }
        for (number, size) in written.replaced.iter().enumerate() {
            self.put(&self.folder.join(number.to_string()), *size)?;
        }
        for number in 0..written.links {
            fs::hard_link(new.join("0"), new.join(format!("link-{number}")))?;
        }
        Ok(start.elapsed())
    }

    fn put(&self, path: &Path, size: u64) -> io::Result<()> {
        match self.style {
            Style::Overwritten => fs::write(path, self.first(size)),
            Style::Renamed => {
                let temporary = self.folder.join("next");
                fs::write(&temporary, self.first(size))?;
                fs::rename(&temporary, path)
            }
        }
    }

    fn first(&self, size: u64) -> &[u8] {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        self.bytes.get(..size).unwrap_or(&self.bytes)
    }
}
