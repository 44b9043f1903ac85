//! The cache of a follower, in `<output>.state/feed/`: the last verified head with its
//! settings and counters, the pages of the feed, and packages on their way to the tree.
//!
//! All of it may be lost. It is then downloaded from the source again.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use registry::names::{Digest, copy_with_digest};
use registry::public::CounterShards;

/// The folder of the cache.
pub(super) struct FeedCache {
    root: PathBuf,
}

/// The folder of accepted and refused checkpoints. They are named for their epoch.
///
/// It is not part of the cache, because the source could lie about what it has signed before.
pub(super) struct CheckpointFolder {
    pub root: PathBuf,
}

impl CheckpointFolder {
    /// Reads a checkpoint.
    pub fn read(&self, epoch: &str, kind: &str) -> io::Result<Option<String>> {
        if_exists(fs::read_to_string(self.root.join(format!("{epoch}.{kind}"))))
    }

    /// Stores a checkpoint.
    pub fn write(&self, epoch: &str, kind: &str, text: &str) -> io::Result<()> {
        write(&self.root.join(format!("{epoch}.{kind}")), text.as_bytes())
    }
}

/// Where a row is in the cached pages, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowPosition {
    pub page: u64,
    pub start: usize,
    pub length: usize,
}

/// None if the file does not exist.
fn if_exists<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

impl FeedCache {
    /// Opens the cache, and creates its folder if needed. Packages of an interrupted run are
    /// kept only if they are whole: files are not synced, so a power loss may empty them.
    pub fn at(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(root.join("pages"))?;
        fs::create_dir_all(root.join("packages"))?;
        for entry in fs::read_dir(root.join("packages"))? {
            let path = entry?.path();
            if path.file_name() != Some(Digest::of_reader(File::open(&path)?)?.0.to_string().as_ref()) {
                fs::remove_file(&path)?;
            }
        }
        Ok(Self { root })
    }

    /// The last verified head, and its settings.
    pub fn head(&self) -> Option<(String, String)> {
        let read = |name| fs::read_to_string(self.root.join(name)).ok();
        Some((read("head.json")?, read("settings.json")?))
    }

    /// Stores a head whose pages and packages are verified and stored.
    pub fn set_head(&self, head: &str, settings: &[u8]) -> io::Result<()> {
        write(&self.root.join("settings.json"), settings)?;
        write(&self.root.join("head.json"), head.as_bytes())
    }

    /// A signed note that the tree shows: `checkpoint` or `epoch`.
    pub fn note(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.root.join(name)).ok()
    }

    /// Stores a signed note that the tree shows. None if it does not show it.
    pub fn set_note(&self, name: &str, text: Option<&str>) -> io::Result<()> {
        let path = self.root.join(name);
        match text {
            Some(text) => write(&path, text.as_bytes()),
            None => if_exists(fs::remove_file(path)).map(|_| ()),
        }
    }

    /// The last verified counters.
    pub fn counters(&self, epoch: &str) -> Option<CounterShards> {
        let text = fs::read_to_string(self.counters_path(epoch)).ok()?;
        let texts: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
        CounterShards::read(&texts.try_into().ok()?).ok()
    }

    /// Stores verified counters, one line for each shard.
    pub fn set_counters(&self, epoch: &str, counters: &CounterShards) -> io::Result<()> {
        let texts: String = (0..=u8::MAX).map(|shard| counters.text(shard)).collect();
        write(&self.counters_path(epoch), texts.as_bytes())
    }

    /// Counters are kept by epoch, because ids mean something else in another one.
    fn counters_path(&self, epoch: &str) -> PathBuf {
        self.root.join("counters").join(format!("{epoch}.jsonl"))
    }

    fn page_path(&self, epoch: &str, number: u64) -> PathBuf {
        self.root.join("pages").join(epoch).join(format!("{number}.json"))
    }

    /// A page of the feed.
    pub fn page(&self, epoch: &str, number: u64) -> io::Result<Option<String>> {
        if_exists(fs::read_to_string(self.page_path(epoch, number)))
    }

    /// Stores a page.
    pub fn set_page(&self, epoch: &str, number: u64, text: &str) -> io::Result<()> {
        write(&self.page_path(epoch, number), text.as_bytes())
    }

    /// Removes the pages after `number`, because they turned out to be false.
    pub fn remove_pages_after(&self, epoch: &str, number: u64) -> io::Result<()> {
        let mut next = number + 1;
        while if_exists(fs::remove_file(self.page_path(epoch, next)))?.is_some() {
            next += 1;
        }
        Ok(())
    }

    /// Removes the pages of all other epochs.
    pub fn remove_other_epochs(&self, epoch: &str) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join("pages"))? {
            let entry = entry?;
            if entry.file_name() != epoch {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// Reads a row from its page.
    pub fn row(&self, epoch: &str, position: RowPosition) -> io::Result<String> {
        let mut file = File::open(self.page_path(epoch, position.page))?;
        file.seek(SeekFrom::Start(position.start as u64))?;
        let mut bytes = vec![0; position.length];
        file.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    fn package_path(&self, digest: Digest) -> PathBuf {
        self.root.join("packages").join(digest.to_string())
    }

    /// Opens a package.
    pub fn package(&self, digest: Digest) -> io::Result<Option<File>> {
        if_exists(File::open(self.package_path(digest)))
    }

    /// Stores the package in `from` if it has this digest and size. Returns its digest.
    pub fn set_package(&self, digest: Digest, size: u64, from: &mut dyn Read) -> io::Result<Digest> {
        let path = self.package_path(digest);
        let temporary = path.with_extension("tmp");
        // One byte more than the size is enough to have another digest.
        let (read, _) = copy_with_digest(from.take(size + 1), File::create(&temporary)?)?;
        if read == digest { fs::rename(&temporary, &path) } else { fs::remove_file(&temporary) }?;
        Ok(read)
    }

    /// Removes all packages, after the tree has them.
    pub fn remove_packages(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join("packages"))? {
            fs::remove_file(entry?.path())?;
        }
        Ok(())
    }
}

/// Writes a file that is never seen in part.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, bytes)?;
    fs::rename(&temporary, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_package_with_other_bytes_stores_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FeedCache::at(folder.path().join("feed")).unwrap();
        let digest = Digest::of(b"package");
        for wrong in [&b"packagf"[..], b"package and more", b"pack", b"<html>"] {
            assert_ne!(cache.set_package(digest, 7, &mut &*wrong).unwrap(), digest);
            assert!(cache.package(digest).unwrap().is_none());
        }
        assert_eq!(cache.set_package(digest, 7, &mut &b"package"[..]).unwrap(), digest);
        assert_eq!(cache.package(digest).unwrap().unwrap().metadata().unwrap().len(), 7);
        let cache = FeedCache::at(folder.path().join("feed")).unwrap();
        assert!(cache.package(digest).unwrap().is_some());
        fs::write(cache.package_path(digest), "").unwrap();
        let cache = FeedCache::at(folder.path().join("feed")).unwrap();
        assert!(cache.package(digest).unwrap().is_none(), "a file that a power loss has emptied");
        cache.set_package(digest, 7, &mut &b"package"[..]).unwrap();
        cache.remove_packages().unwrap();
        assert!(cache.package(digest).unwrap().is_none());
    }

    #[test]
    fn removed_pages_and_epochs_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FeedCache::at(folder.path().join("feed")).unwrap();
        (1..=4).for_each(|number| cache.set_page("a", number, "0123456789").unwrap());
        cache.set_page("b", 1, "x").unwrap();
        cache.remove_pages_after("a", 2).unwrap();
        assert!(cache.page("a", 2).unwrap().is_some() && cache.page("a", 3).unwrap().is_none());
        assert!(cache.page("a", 4).unwrap().is_none());
        assert_eq!(cache.row("a", RowPosition { page: 1, start: 3, length: 2 }).unwrap(), "34");
        cache.remove_other_epochs("a").unwrap();
        assert!(cache.page("b", 1).unwrap().is_none() && cache.page("a", 1).unwrap().is_some());
    }
}
