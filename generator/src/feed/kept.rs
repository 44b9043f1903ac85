//! What a follower keeps beside its tree, in `<output>.state/feed/`: the head
//! that was verified last with its settings, the pages of the feed, and the
//! packages that are not in the tree yet.
//!
//! All of it may be lost: it is read from the source again then.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use registry::journal::BlobReader;
use registry::names::{Digest, DigestBuilder};
use registry::public::CounterShards;

/// The folder.
pub(super) struct Kept {
    root: PathBuf,
}

/// Where a row is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub page: u64,
    pub start: usize,
    pub length: usize,
}

/// None where there is no such file.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

impl Kept {
    /// Opens the folder, making it where it is missing. Packages of a run that
    /// did not come to its end stay if they are whole: nothing here is synced,
    /// and a power loss may have been the reason.
    pub fn at(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(root.join("pages"))?;
        fs::create_dir_all(root.join("packages"))?;
        for entry in fs::read_dir(root.join("packages"))? {
            let path = entry?.path();
            let mut running = DigestBuilder::default();
            io::copy(&mut File::open(&path)?, &mut running)?;
            if path.file_name() != Some(running.finish().to_string().as_ref()) {
                fs::remove_file(&path)?;
            }
        }
        Ok(Self { root })
    }

    /// The head that was verified last, and its settings.
    pub fn head(&self) -> Option<(String, String)> {
        let read = |name| fs::read_to_string(self.root.join(name)).ok();
        Some((read("head.json")?, read("settings.json")?))
    }

    /// Keeps a head whose pages and packages are verified and kept.
    pub fn set_head(&self, head: &str, settings: &[u8]) -> io::Result<()> {
        self.write(&self.root.join("settings.json"), settings)?;
        self.write(&self.root.join("head.json"), head.as_bytes())
    }

    /// The counters that were verified last, a shard a line.
    pub fn counters(&self, epoch: &str) -> Option<CounterShards> {
        let text = fs::read_to_string(self.counters_path(epoch)).ok()?;
        let texts: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
        CounterShards::read(&texts.try_into().ok()?).ok()
    }

    /// Keeps counters that are verified.
    pub fn set_counters(&self, epoch: &str, counters: &CounterShards) -> io::Result<()> {
        let texts: String = (0..=u8::MAX).map(|shard| counters.text(shard)).collect();
        self.write(&self.counters_path(epoch), texts.as_bytes())
    }

    /// Ids mean something else in another history.
    fn counters_path(&self, epoch: &str) -> PathBuf {
        self.root.join("counters").join(format!("{epoch}.jsonl"))
    }

    fn page_path(&self, epoch: &str, number: u64) -> PathBuf {
        self.root.join("pages").join(epoch).join(format!("{number}.json"))
    }

    /// A page of the feed.
    pub fn page(&self, epoch: &str, number: u64) -> io::Result<Option<String>> {
        found(fs::read_to_string(self.page_path(epoch, number)))
    }

    /// Keeps a page.
    pub fn set_page(&self, epoch: &str, number: u64, text: &str) -> io::Result<()> {
        self.write(&self.page_path(epoch, number), text.as_bytes())
    }

    /// Forgets the pages after `number`, which turned out to be false.
    pub fn forget_pages_after(&self, epoch: &str, number: u64) -> io::Result<()> {
        let mut next = number + 1;
        while found(fs::remove_file(self.page_path(epoch, next)))?.is_some() {
            next += 1;
        }
        Ok(())
    }

    /// Forgets the pages of all other histories.
    pub fn forget_pages_but(&self, epoch: &str) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join("pages"))? {
            let entry = entry?;
            if entry.file_name() != epoch {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// Reads a row from its page.
    pub fn row(&self, epoch: &str, place: Place) -> io::Result<String> {
        let mut file = File::open(self.page_path(epoch, place.page))?;
        file.seek(SeekFrom::Start(place.start as u64))?;
        let mut bytes = vec![0; place.length];
        file.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    fn package_path(&self, digest: Digest) -> PathBuf {
        self.root.join("packages").join(digest.to_string())
    }

    /// Opens a package.
    pub fn package(&self, digest: Digest) -> io::Result<Option<KeptPackage>> {
        let Some(file) = found(File::open(self.package_path(digest)))? else { return Ok(None) };
        let size = file.metadata()?.len();
        Ok(Some(KeptPackage::new(file, size)))
    }

    /// Keeps a package, if what `from` gives is the one of that digest and size;
    /// returns the digest of what was read, which tells.
    pub fn set_package(&self, digest: Digest, size: u64, from: &mut dyn Read) -> io::Result<Digest> {
        let path = self.package_path(digest);
        let temporary = path.with_extension("tmp");
        let mut file = File::create(&temporary)?;
        let mut running = DigestBuilder::default();
        let mut buffer = vec![0; 64 * 1024];
        let mut from = from.take(size + 1);
        let read = loop {
            match from.read(&mut buffer)? {
                0 => break running.finish(),
                length => {
                    running.update(&buffer[..length]);
                    file.write_all(&buffer[..length])?;
                }
            }
        };
        if read != digest {
            fs::remove_file(&temporary)?;
            return Ok(read);
        }
        drop(file);
        fs::rename(&temporary, &path)?;
        Ok(read)
    }

    /// Forgets all packages: the tree has them.
    pub fn forget_packages(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join("packages"))? {
            fs::remove_file(entry?.path())?;
        }
        Ok(())
    }

    /// Writes a file that appears whole.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension("tmp");
        fs::write(&temporary, bytes)?;
        fs::rename(&temporary, path)
    }
}

/// An open package.
pub(super) struct KeptPackage {
    file: File,
    size: u64,
}

impl KeptPackage {
    /// An open file that is one, of that many bytes.
    pub fn new(file: File, size: u64) -> Self {
        Self { file, size }
    }
}

impl Read for KeptPackage {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Seek for KeptPackage {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl BlobReader for KeptPackage {
    fn as_file(&self) -> Option<&File> {
        Some(&self.file)
    }

    fn size(&self) -> u64 {
        self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_package_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::at(folder.path().join("feed")).unwrap();
        let digest = Digest::of(b"package");
        for wrong in [&b"packagf"[..], b"package and more", b"pack", b"<html>"] {
            assert_ne!(kept.set_package(digest, 7, &mut &*wrong).unwrap(), digest);
            assert!(kept.package(digest).unwrap().is_none());
        }
        assert_eq!(kept.set_package(digest, 7, &mut &b"package"[..]).unwrap(), digest);
        assert_eq!(kept.package(digest).unwrap().unwrap().size(), 7);
        let kept = Kept::at(folder.path().join("feed")).unwrap();
        assert!(kept.package(digest).unwrap().is_some());
        fs::write(kept.package_path(digest), "").unwrap();
        let kept = Kept::at(folder.path().join("feed")).unwrap();
        assert!(kept.package(digest).unwrap().is_none(), "a file that a power loss has emptied");
        kept.set_package(digest, 7, &mut &b"package"[..]).unwrap();
        kept.forget_packages().unwrap();
        assert!(kept.package(digest).unwrap().is_none());
    }

    #[test]
    fn false_pages_and_other_histories_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::at(folder.path().join("feed")).unwrap();
        (1..=4).for_each(|number| kept.set_page("a", number, "0123456789").unwrap());
        kept.set_page("b", 1, "x").unwrap();
        kept.forget_pages_after("a", 2).unwrap();
        assert!(kept.page("a", 2).unwrap().is_some() && kept.page("a", 3).unwrap().is_none());
        assert!(kept.page("a", 4).unwrap().is_none());
        assert_eq!(kept.row("a", Place { page: 1, start: 3, length: 2 }).unwrap(), "34");
        kept.forget_pages_but("a").unwrap();
        assert!(kept.page("b", 1).unwrap().is_none() && kept.page("a", 1).unwrap().is_some());
    }
}
