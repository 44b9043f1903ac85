//! Makes repositories out of packages, within limits on time and memory. Networks take turns, and packs
//! that were made are remembered.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use generator::address::RepositoryName;
use generator::git::{ObjectId, Repository};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use registry::fair_share::Owner;
use registry::journal::PublicStore;
use registry::names::Digest;
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::security::shares::{Share, Shares};
use crate::security::turns::{Front, Turns};

/// As many trees are remembered.
const MAX_TREES: usize = 10_000;

/// The most bytes of packs that are remembered.
const MAX_REMEMBERED: u64 = 64 << 20;

/// The most bytes of packs that are made or sent at once, besides those that are remembered.
const MAX_MEMORY: u64 = 256 << 20;

/// The most files whose entity tags are remembered.
const MAX_TAGS: usize = 10_000;

/// How long a clone waits for memory. One that makes a pack keeps a processor meanwhile.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);

/// When a refused clone may be tried again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// Repositories that no file has.
pub struct Repositories {
    /// By [`Repository::content`], because unpacking takes longest.
    trees: Cache<Digest, ObjectId>,
    /// By [`Repository::key`].
    packs: Cache<Digest, Pack, PackWeight>,
    /// By repository, length and time of the file.
    tags_of_files: Cache<(RepositoryName, u64, SystemTime), Digest>,
    memory: Shares,
    /// Unpacking, compressing and hashing keep a processor busy.
    turns: Turns,
}

/// A request for what takes time or memory.
pub struct Asker {
    /// The client.
    pub owner: Owner,
    /// Closes its connection, if it takes its time with a pack while others need the memory.
    pub disconnect: CancellationToken,
}

/// A pack, and its entity tag.
#[derive(Clone)]
pub struct Pack {
    /// The response of `git-upload-pack`.
    pub bytes: Bytes,
    /// The digest of the bytes.
    pub etag: Digest,
}

#[derive(Clone)]
struct PackWeight;

impl Weighter<Digest, Pack> for PackWeight {
    fn weight(&self, _: &Digest, pack: &Pack) -> u64 {
        pack.bytes.len() as u64
    }
}

/// A pack that is sent. Its part of the memory is given back when the last copy is dropped.
struct SentPack {
    bytes: Bytes,
    _memory: Share,
}

impl AsRef<[u8]> for SentPack {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Default for Repositories {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            trees: Cache::new(MAX_TREES),
            packs: Cache::with_weighter(64, MAX_REMEMBERED, PackWeight),
            tags_of_files: Cache::new(MAX_TAGS),
            memory: Shares::new(MAX_MEMORY, u64::MAX),
            turns: Turns::new(processors),
        }
    }
}

impl Repositories {
    /// The commit of a repository.
    pub async fn commit(
        &self,
        repository: &Repository,
        store: &Arc<dyn PublicStore>,
        asker: &Asker,
    ) -> Result<ObjectId, Problem> {
        let content = repository.content();
        let tree = match self.trees.get(&content) {
            Some(tree) => tree,
            None => {
                let front = self.front(asker).await?;
                let (made, store) = (repository.clone(), Arc::clone(store));
                let make = async { in_turn(front.turn().await, move || made.tree(&*store)).await };
                self.trees.get_or_insert_async(&content, make).await?
            }
        };
        Ok(repository.commit(tree))
    }

    /// The pack of a repository, if it is remembered.
    pub fn remembered(&self, repository: &Repository) -> Option<Pack> {
        self.packs.get(&repository.key())
    }

    /// The pack of a repository. Of several requests for it at once, one makes it.
    pub async fn pack(
        &self,
        repository: &Repository,
        store: &Arc<dyn PublicStore>,
        asker: &Asker,
    ) -> Result<Pack, Problem> {
        let key = repository.key();
        let pack = match self.packs.get(&key) {
            Some(pack) => pack,
            None => {
                let front = self.front(asker).await?;
                let (made, store) = (repository.clone(), Arc::clone(store));
                let make = async {
                    let turn = front.turn().await;
                    // For the package, and the pack made from it.
                    let memory = self.reserve(asker, 2 * repository.package_size()).await?;
                    in_turn((turn, memory), move || {
                        let bytes = made.pack(&*store)?;
                        Ok(Pack { etag: Digest::of(&bytes), bytes: bytes.into() })
                    })
                    .await
                };
                self.packs.get_or_insert_async(&key, make).await?
            }
        };
        let memory = self.reserve(asker, pack.bytes.len() as u64).await?;
        memory.set_revocable(Some(&asker.disconnect));
        Ok(Pack { bytes: Bytes::from_owner(SentPack { bytes: pack.bytes, _memory: memory }), ..pack })
    }

    /// The entity tag of a pack in the tree, and when the file was written.
    pub async fn tag_of_file(
        &self,
        name: &RepositoryName,
        file: &File,
        asker: &Asker,
    ) -> Result<(Digest, SystemTime), Problem> {
        let mut file = file.try_clone().map_err(Problem::internal)?;
        let metadata = file.metadata().map_err(Problem::internal)?;
        let modified = metadata.modified().map_err(Problem::internal)?;
        let key = (name.clone(), metadata.len(), modified);
        let etag = match self.tags_of_files.get(&key) {
            Some(etag) => etag,
            None => {
                let front = self.front(asker).await?;
                let read =
                    async { in_turn(front.turn().await, move || Ok(Digest::of_reader(&mut file)?.0)).await };
                self.tags_of_files.get_or_insert_async(&key, read).await?
            }
        };
        Ok((etag, modified))
    }

    /// The asker's place at the front. Only who then makes something takes a processor: others would keep it
    /// while they wait for that.
    async fn front(&self, asker: &Asker) -> Result<Front, Problem> {
        let front = self.turns.front(&asker.owner).await;
        front.ok_or_else(|| busy("Too many clones from your address at once"))
    }

    async fn reserve(&self, asker: &Asker, bytes: u64) -> Result<Share, Problem> {
        let memory = self.memory.take_within(WAIT_TIMEOUT, &asker.owner, bytes.min(MAX_MEMORY)).await;
        memory.ok_or_else(|| busy("Too many clones at once"))
    }
}

fn busy(what: &str) -> Problem {
    Problem::unavailable(format!("{what}: try again in a moment."), RETRY_AFTER)
}

/// Runs work that keeps a processor busy. It keeps its turn and its memory to the end, even if the
/// client has gone.
async fn in_turn<T: Send + 'static>(
    held: impl Send + 'static,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Problem> {
    blocking(move || {
        let _held = held;
        work().map_err(Problem::internal)
    })
    .await
}
