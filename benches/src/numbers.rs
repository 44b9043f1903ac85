//! Medians and percentiles.

use std::time::Duration;

/// The median. Of an even number of values it is the lower middle one. `None` without values.
pub fn median<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    percentile(values, 50)
}

/// The least value that `percent` of the values do not exceed. `percent` is at
/// most 100.
pub fn percentile<T: PartialOrd + Copy>(values: &[T], percent: usize) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Bytes in MiB.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let values: Vec<u32> = (1..=200).rev().collect();
        let found: Vec<_> = [1, 50, 95, 99, 100].map(|percent| percentile(&values, percent)).into();
        assert_eq!(found, [Some(2), Some(100), Some(190), Some(198), Some(200)]);
        assert_eq!((median(&[3.0, 1.0, 2.0]), median::<u8>(&[])), (Some(2.0), None));
    }
}
