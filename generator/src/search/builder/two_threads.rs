//! Two halves of a build, done at the same time.

/// Does `first` here and `second` in another thread.
///
/// Not by rayon: the caller holds the lock of the index. A thread of rayon that waits runs
/// other tasks meanwhile, and one of these may wait for that lock.
pub fn by_two_threads<T: Send>(first: impl FnOnce() -> T, second: impl Fn() -> T + Sync) -> [T; 2] {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, &second);
        let first = first();
        // If the other thread cannot be started, this one does its half, too.
        let second = thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(&second);
        [first, second]
    })
}
