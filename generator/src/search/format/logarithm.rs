//! The logarithm that ranking counts with: whole numbers, so that every reader gets the same.

/// 65536 times the fourth roots of 2, 4 and 8, rounded up.
const ROOTS: [u64; 3] = [77_936, 92_682, 110_218];

/// Four times the binary logarithm, rounded down; 0 for 0.
pub fn log(number: u64) -> u64 {
    let Some(exponent) = number.checked_ilog2() else { return 0 };
    // The highest bit and 16 bits after it.
    let mantissa = (u128::from(number) << 16) >> exponent;
    let quarters = ROOTS.iter().filter(|root| mantissa >= u128::from(**root)).count();
    u64::from(exponent) * 4 + quarters as u64
}

/// The smallest number with this [`log`], which is that of a number from 8 to 2^40.
pub fn smallest_with_log(log: u64) -> u64 {
    let root = match log % 4 {
        0 => 1 << 16,
        quarters => ROOTS[quarters as usize - 1],
    };
    (root << (log / 4)).div_ceil(1 << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_of_small_and_neighbouring_numbers() {
        for (number, expected) in
            [(0, 0), (1, 0), (2, 4), (3, 6), (4, 8), (5, 9), (7, 11), (8, 12), (1000, 39)]
        {
            assert_eq!(log(number), expected, "{number}");
        }
        assert!((1..100_000).is_sorted_by_key(log));
        for number in 8..100_000 {
            let smallest = smallest_with_log(log(number));
            assert!(smallest <= number && log(smallest) == log(number), "{number}");
            assert!(log(smallest - 1) < log(number), "{number}");
        }
    }
}
