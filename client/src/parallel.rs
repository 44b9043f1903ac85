//! Sends several requests at once.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::http::CONNECTIONS;

/// Calls `ask` for each item, on up to [`CONNECTIONS`] threads. The answers are in the order
/// of the items.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], ask: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if let [only] = items {
        return vec![ask(only)];
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return answers };
            answers.push((at, ask(item)));
        }
    };
    let mut answers: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..items.len().min(CONNECTIONS)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)))
            .collect()
    });
    answers.sort_unstable_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_answers_in_the_order_of_the_items() {
        for count in [0, 1, 7, 100] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|i| i * 2).collect::<Vec<_>>());
        }
    }
}
