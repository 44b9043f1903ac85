//! The threads that render, compress and write documents.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Documents wait for the processors and for the file system. More threads than this only
/// wait for the file system.
const MAX_THREADS: usize = 8;

/// With fewer items per thread, the work is done before a second thread has started.
const MIN_ITEMS_PER_THREAD: usize = 16;

/// Runs `work` so that its parallel iterators use the publisher's threads.
///
/// The publisher has a pool of its own because its work waits for locks. A thread of the
/// common pool could pick up such work while it holds the same lock itself.
pub(super) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS);
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.thread_name(|number| format!("writer-{number}")).build().ok()
    });
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Calls `each` for all items in any order: in parallel if there are many.
///
/// Threads take the items one by one, because a large document takes a hundred times as long as
/// a small one. In halves of the list, one thread would often wait for the other.
pub(super) fn for_each<T: Sync>(items: &[T], each: impl Fn(&T) + Send + Sync) {
    if items.len() < 2 * MIN_ITEMS_PER_THREAD {
        items.iter().for_each(each);
    } else {
        in_pool(|| items.par_iter().with_max_len(1).for_each(each));
    }
}
