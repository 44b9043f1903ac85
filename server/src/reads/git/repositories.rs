//! Makes repositories out of packages, within limits: that takes time and memory.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use generator::git::{ObjectId, Repository};
use quick_cache::sync::Cache;
use registry::journal::PublicStore;
use registry::names::Digest;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::blocking::blocking;
use crate::problem::Problem;

/// The trees of as many packages are remembered.
const MAX_TREES: usize = 10_000;

/// KiB of packs that are made or sent at once.
const MEMORY_KIB: u32 = 256 << 10;

/// How long a clone waits until others have ended.
const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

/// Repositories that no file has.
pub struct Repositories {
    /// The tree of each package, because unpacking takes longest.
    trees: Cache<Digest, ObjectId>,
    memory: Arc<Semaphore>,
    /// Unpacking and hashing keep a processor busy.
    unpacking: Arc<Semaphore>,
}

/// A pack. Its part of the memory is given back when the last copy is dropped.
struct ReservedPack {
    bytes: Vec<u8>,
    _memory: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for ReservedPack {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Default for Repositories {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // Lossless: a machine with 32-bit addresses has as many permits.
        let memory = Semaphore::new(MEMORY_KIB as usize);
        let (memory, unpacking) = (Arc::new(memory), Arc::new(Semaphore::new(processors)));
        Self { trees: Cache::new(MAX_TREES), memory, unpacking }
    }
}

impl Repositories {
    /// The commit of a repository.
    pub async fn commit(
        &self,
        repository: &Repository,
        store: &Arc<dyn PublicStore>,
    ) -> Result<ObjectId, Problem> {
        if let Some(tree) = self.trees.get(&repository.sha256) {
            return Ok(repository.commit(tree));
        }
        let tree = self.unpack(repository, store, Repository::tree).await?;
        self.trees.insert(repository.sha256, tree);
        Ok(repository.commit(tree))
    }

    /// The response with the pack of a repository.
    pub async fn pack(
        &self,
        repository: &Repository,
        store: &Arc<dyn PublicStore>,
    ) -> Result<Bytes, Problem> {
        // The package, and the pack made from it.
        let needed = repository.package_size / 512 + 64;
        let needed = u32::try_from(needed).unwrap_or(u32::MAX).min(MEMORY_KIB);
        let memory = tokio::time::timeout(WAIT_TIMEOUT, Arc::clone(&self.memory).acquire_many_owned(needed));
        let busy = || Problem::unavailable("Too many clones at once: try again in a moment.", WAIT_TIMEOUT);
        let memory = memory.await.map_err(|_| busy())?.map_err(Problem::internal)?;
        let bytes = self.unpack(repository, store, Repository::pack).await?;
        Ok(Bytes::from_owner(ReservedPack { bytes, _memory: memory }))
    }

    async fn unpack<T: Send + 'static>(
        &self,
        repository: &Repository,
        store: &Arc<dyn PublicStore>,
        work: fn(&Repository, &dyn PublicStore) -> io::Result<T>,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.unpacking).acquire_owned().await.map_err(Problem::internal)?;
        let (repository, store) = (repository.clone(), Arc::clone(store));
        blocking(move || {
            let _permit = permit;
            work(&repository, &*store).map_err(Problem::internal)
        })
        .await
    }
}
