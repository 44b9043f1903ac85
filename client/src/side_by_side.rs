//! Several requests at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::http::CONNECTIONS;

/// What `ask` gives for each of some items, in their order, a few at a time.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], ask: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if let [one] = items {
        return vec![ask(one)];
    }
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..items.len().min(CONNECTIONS) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let answer = ask(item);
                    // Whoever has panicked here has left the list whole.
                    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(place) = answers.get_mut(at) {
                        *place = Some(answer);
                    }
                }
            });
        }
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_items() {
        for count in [0, 1, 7, 100] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(
                side_by_side(&items, |item| item * 2),
                items.iter().map(|i| i * 2).collect::<Vec<_>>()
            );
        }
    }
}
