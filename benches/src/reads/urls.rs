//! The documents to read. Their order is the same for every server.

use crate::world::{namespace, slug};

/// How many documents are popular.
const POPULAR: usize = 1_000;

/// How many requests there are before they begin again.
const REQUESTS: usize = 200_000;

/// A thousand documents, the nth with a share of 1/n (Zipf), as in most registries.
pub fn hot(skills: usize) -> Vec<String> {
    let popular = POPULAR.min(skills);
    let weights: Vec<f64> = (1..=popular).map(|rank| 1.0 / rank as f64).collect();
    let all: f64 = weights.iter().sum();
    let mut urls: Vec<String> = Vec::with_capacity(REQUESTS);
    for (rank, weight) in weights.iter().enumerate() {
        let share = (REQUESTS as f64 * weight / all).round() as usize;
        // Spread over the registry, because neighbours share folders.
        let url = document(rank * (skills / popular));
        urls.extend(std::iter::repeat_n(url, share.max(1)));
    }
    scattered(urls)
}

/// Every document as often as any other.
pub fn uniform(skills: usize) -> Vec<String> {
    scattered((0..skills).map(document).collect())
}

/// The document of a skill: about 1 KB.
fn document(skill: usize) -> String {
    format!("/api/v1/skills/{}/{}", namespace(skill), slug(skill))
}

/// Shuffles the URLs: steps of a size that is coprime to their number visit each once.
fn scattered(urls: Vec<String>) -> Vec<String> {
    let number = urls.len().max(1);
    let shares_a_factor = |step: &usize| {
        let (mut a, mut b) = (*step, number);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a > 1
    };
    let step = (number * 618 / 1_000..).find(|step| *step > 0 && !shares_a_factor(step)).unwrap_or(1);
    (0..urls.len()).filter_map(|at| urls.get(at * step % number).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_asked_for_once_and_not_in_order() {
        let urls = uniform(1_000);
        let mut sorted: Vec<&String> = urls.iter().collect();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 1_000);
        assert_ne!(urls.get(1), Some(&document(1)));
        let hot = hot(5_000);
        let first = hot.iter().filter(|url| **url == document(0)).count();
        let second = hot.iter().filter(|url| **url == document(5)).count();
        assert!(first.abs_diff(2 * second) < 10, "{first} {second}");
    }
}
