//! The same work on many things by several threads.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads write at most. Rendering, compressing and the file system
/// share the processors; more threads than these only wait for the latter.
const MOST_THREADS: usize = 8;

/// How many things there are for each thread at least: with fewer, the work is done
/// before another one has started.
const LEAST: usize = 16;

/// How many threads share the work. Asking the system reads files.
pub(super) fn threads() -> usize {
    static THREADS: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS));
    *THREADS
}

/// Does something with each of `all`, in no order, by up to `threads` threads of which
/// the caller's is one. A panic of any of them is one of this.
pub(super) fn for_each<T: Sync>(all: &[T], threads: usize, each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            each(one);
        }
    };
    let others = threads.min(all.len() / LEAST).saturating_sub(1);
    if others == 0 {
        return work();
    }
    thread::scope(|scope| {
        for _ in 0..others {
            // Fewer threads than wished for do the same work.
            if thread::Builder::new().name("writer".into()).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;
    use std::time::Duration;

    use parking_lot::Mutex;

    use super::*;

    #[test]
    fn each_has_its_turn_once() {
        for (count, threads) in [(0, 4), (1, 4), (LEAST * 2, 1), (LEAST * 2, 2), (1_000, 8)] {
            let turns: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for_each(&turns, threads, |turn| {
                turn.fetch_add(1, Ordering::Relaxed);
            });
            let turns: Vec<_> = turns.into_iter().map(AtomicUsize::into_inner).collect();
            assert_eq!(turns, vec![1; count]);
        }
    }

    #[test]
    fn many_things_are_shared_and_few_are_not() {
        let caller = thread::current().id();
        let (came, comes) = mpsc::channel();
        let (came, comes) = (Mutex::new(came), Mutex::new(comes));
        let is_waiting = AtomicBool::new(true);
        for_each(&[(); LEAST * 2], 2, |()| {
            if thread::current().id() != caller {
                came.lock().send(()).unwrap();
            } else if is_waiting.swap(false, Ordering::Relaxed) {
                // The caller's thread does not go on before another one has come.
                comes.lock().recv_timeout(Duration::from_secs(60)).unwrap();
            }
        });
        for_each(&[(); LEAST * 2 - 1], 2, |()| assert_eq!(thread::current().id(), caller));
    }
}
