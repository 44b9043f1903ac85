//! The threads that render, compress and write documents.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Documents wait for the processors and for the file system. More threads than this only
/// wait for the file system.
const MAX_THREADS: usize = 8;

/// With fewer items, the work is done before a second thread has started.
const MIN_ITEMS: usize = 4;

/// The publisher has a pool of its own because its work waits for locks. A thread of the
/// common pool could pick up such work while it holds the same lock itself.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS);
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    pool.thread_name(|number| format!("writer-{number}")).build().ok()
});

/// Calls `each` for all items, in parallel if there are several. Returns the results in the order
/// of the items.
///
/// Threads take the items one by one, because a large document takes a hundred times as long as
/// a small one. In halves of the list, one thread would often wait for the other.
pub(super) fn map<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    match &*POOL {
        Some(pool) if items.len() >= MIN_ITEMS => {
            pool.install(|| items.par_iter().with_max_len(1).map(each).collect())
        }
        _ => items.iter().map(each).collect(),
    }
}
