//! Reads packages on all processors, some at a time.

use std::path::Path;
use std::thread::available_parallelism;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use walkdir::WalkDir;

use super::found_package::FoundPackage;
use crate::Failure;

/// The most packages that are read together and then made durable together.
const MAX_PACKAGES: usize = 64;

/// The most bytes of their files on the disk, unless one package alone has more. Unpacked packages
/// are in memory until the batch is published.
const MAX_BYTES: u64 = 8 << 20;

/// Threads for each processor: they also wait for the disk. Each has caches of its own (the search
/// for secrets has large ones), so more threads take longer.
const THREADS_PER_PROCESSOR: usize = 2;

/// The packages to import, in batches.
pub struct Batches<'a> {
    left: &'a [FoundPackage],
    threads: ThreadPool,
}

impl<'a> Batches<'a> {
    /// Splits `packages` in this order.
    pub fn new(packages: &'a [FoundPackage]) -> Result<Self, Failure> {
        let threads = THREADS_PER_PROCESSOR * available_parallelism().map_or(1, usize::from);
        Ok(Self { left: packages, threads: ThreadPoolBuilder::new().num_threads(threads).build()? })
    }

    /// The packages of the next batch, in order.
    pub fn next(&mut self) -> Option<&'a [FoundPackage]> {
        let mut bytes = 0;
        let fits = |package: &&FoundPackage| {
            bytes += size_on_disk(&package.path);
            bytes <= MAX_BYTES
        };
        let count = self.left.iter().take(MAX_PACKAGES).take_while(fits).count().max(1);
        let (batch, left) = self.left.split_at_checked(count)?;
        self.left = left;
        Some(batch)
    }

    /// Calls `each` for all items, several at once. Returns the results in the order of the items.
    pub fn in_parallel<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        each: impl Fn(T) -> R + Send + Sync,
    ) -> Vec<R> {
        self.threads.install(|| items.into_par_iter().map(each).collect())
    }
}

/// The size of a zip, or of the files in a folder. Reading reports what cannot be read.
fn size_on_disk(path: &Path) -> u64 {
    let files = WalkDir::new(path).into_iter().flatten().flat_map(|entry| entry.metadata());
    files.map(|metadata| metadata.len()).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_the_order_and_split_large_packages() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = [MAX_BYTES, 1, MAX_BYTES + 1, 5, 5];
        let packages: Vec<_> = (0..)
            .zip(sizes)
            .map(|(number, size)| {
                let path = folder.path().join(format!("{number}.zip"));
                std::fs::File::create(&path).unwrap().set_len(size).unwrap();
                FoundPackage::at(path)
            })
            .collect();
        let mut batches = Batches::new(&packages).unwrap();
        let mut found = Vec::new();
        while let Some(batch) = batches.next() {
            found.push(batches.in_parallel(batch.iter().collect(), |package| package.name().unwrap()));
        }
        assert_eq!(found, [vec!["0"], vec!["1"], vec!["2"], vec!["3", "4"]]);
    }
}
