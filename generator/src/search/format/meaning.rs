//! What skills and words mean, as numbers: `docs/search-index.md`, "Meaning".

use super::codec::{Damaged, Decoder};

/// Numbers of a vector, and bits of a meaning.
pub const DIMENSIONS: usize = 64;

/// The vector of a word: 64 numbers from -7 to 7, two in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordVector(pub [u8; DIMENSIONS / 2]);

impl WordVector {
    /// The vector in these bytes: 32.
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        bytes.try_into().map(Self).map_err(|_| Damaged("a vector has not 32 bytes"))
    }

    /// Adds the vector, `weight` times, to a sum of vectors.
    pub fn add_to(self, sum: &mut [i64; DIMENSIONS], weight: i64) {
        for (pair, byte) in sum.chunks_mut(2).zip(self.0) {
            for (number, half) in pair.iter_mut().zip([byte & 15, byte >> 4]) {
                *number += weight * (i64::from(half) - 8);
            }
        }
    }
}

/// The meaning of a skill. A bit is 1 if that number of the sum of its words' vectors is 0 or more. All zeros:
/// the skill has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meaning(pub [u8; DIMENSIONS / 8]);

impl Meaning {
    /// The meaning with these signs.
    pub fn of(sum: &[i64; DIMENSIONS]) -> Self {
        let mut meaning = Self::default();
        if sum.iter().any(|number| *number != 0) {
            for (at, _) in sum.iter().enumerate().filter(|(_, number)| **number >= 0) {
                meaning.0[at / 8] |= 1 << (at % 8);
            }
        }
        meaning
    }

    /// The meaning in the next bytes.
    pub fn take(decoder: &mut Decoder<'_>) -> Result<Self, Damaged> {
        let bytes = decoder.take(8)?.try_into();
        bytes.map(Self).map_err(|_| Damaged("it is cut off"))
    }

    /// Whether it is that of a skill without vectors.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// The bits in their order.
    pub fn bits(self) -> impl Iterator<Item = bool> {
        (0..DIMENSIONS).map(move |at| self.0[at / 8] >> (at % 8) & 1 == 1)
    }
}

/// Largest number of bits of a neighbourhood. Numbers are even, from 0.
pub const MAX_NEIGHBOURHOOD_BITS: usize = 10;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_a_sum_are_the_meaning() {
        let bytes: [u8; 32] = std::array::from_fn(|at| if at == 0 { 0x1f } else { 0x88 });
        let vector = WordVector::decode(&bytes).unwrap();
        let mut sum = [0; DIMENSIONS];
        vector.add_to(&mut sum, 3);
        assert_eq!((sum[0], sum[1], sum[2]), (21, -21, 0));
        let meaning = Meaning::of(&sum);
        assert_eq!(meaning.0, [0xfd, 255, 255, 255, 255, 255, 255, 255]);
        assert!(meaning.bits().enumerate().all(|(at, bit)| bit == (at != 1)));
        assert!(Meaning::of(&[0; DIMENSIONS]).is_none());
        assert_eq!(Meaning::take(&mut Decoder(&meaning.0)), Ok(meaning));
        assert!(WordVector::decode(&bytes[1..]).is_err());
    }
}
