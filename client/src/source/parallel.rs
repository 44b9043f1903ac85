//! Sends several requests at once.

use std::panic::resume_unwind;

use crate::http::CONNECTIONS;

/// Calls `ask` for each item, on up to [`CONNECTIONS`] threads. The answers are in the order
/// of the items.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], ask: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let share = items.len().div_ceil(CONNECTIONS).max(1);
    let ask = &ask;
    std::thread::scope(|scope| {
        let work = |share| scope.spawn(move || Vec::from_iter(<[T]>::iter(share).map(ask)));
        let threads: Vec<_> = items.chunks(share).map(work).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)))
            .collect()
    })
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
