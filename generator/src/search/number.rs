//! Numbers and texts as the index' files hold them.

/// How many bytes a key has at most: each may repeat all of the one before.
const LONGEST_KEY: usize = 255;

/// A file of the index is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of the search index is damaged: {0}")]
pub struct Damaged(pub &'static str);

/// The largest number that readers in any language hold exactly.
const LARGEST: u64 = (1 << 53) - 1;

/// Appends a number: unsigned LEB128.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a text with its length.
pub fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text);
}

/// Appends a text that follows another one: without what both begin with.
pub fn put_front_coded(bytes: &mut Vec<u8>, before: &[u8], text: &[u8]) {
    let shared = before.iter().zip(text).take_while(|(a, b)| a == b).count();
    put_number(bytes, shared as u64);
    put_text(bytes, &text[shared..]);
}

/// What is left of a file while it is read.
#[derive(Debug, Clone, Copy)]
pub struct Rest<'a>(pub &'a [u8]);

impl<'a> Rest<'a> {
    /// Whether nothing is left.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// So many bytes.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Damaged> {
        let length = usize::try_from(length).ok().filter(|length| *length <= self.0.len());
        let (taken, rest) = self.0.split_at(length.ok_or(Damaged("it is cut off"))?);
        self.0 = rest;
        Ok(taken)
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.0.split_first().ok_or(Damaged("it is cut off"))?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        // Most are below 128.
        if let [first @ 0..0x80, rest @ ..] = self.0 {
            self.0 = rest;
            return Ok(u64::from(*first));
        }
        let mut number = 0;
        for shift in (0..56).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number).filter(|n| *n <= LARGEST).ok_or(Damaged("a number is too large"));
            }
        }
        Err(Damaged("a number is too large"))
    }

    /// How many of something follow, each of which takes a byte at least.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).ok().filter(|count| *count <= self.0.len());
        count.ok_or(Damaged("it is cut off"))
    }

    /// A text with its length.
    pub fn text(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.number()?;
        self.take(length)
    }

    /// A text that follows another one, which it takes the place of.
    pub fn front_coded(&mut self, before: &mut Vec<u8>) -> Result<(), Damaged> {
        let shared = usize::try_from(self.number()?).ok().filter(|shared| *shared <= before.len());
        let rest = self.text()?;
        let shared = shared.filter(|shared| shared + rest.len() <= LONGEST_KEY);
        let shared = shared.ok_or(Damaged("a text continues one that is shorter, or is too long"))?;
        if before.get(shared..).is_some_and(|old| !old.is_empty() && rest <= old) {
            return Err(Damaged("its texts are in no order"));
        }
        before.truncate(shared);
        before.extend_from_slice(rest);
        Ok(())
    }
}

/// 65536 times the fourth roots of 2, 4 and 8, rounded up.
const ROOTS: [u64; 3] = [77_936, 92_682, 110_218];

/// Four times the binary logarithm, rounded down; 0 of 0.
pub fn log(number: u64) -> u64 {
    let Some(octave) = number.checked_ilog2() else { return 0 };
    // 16 bits behind the highest one.
    let mantissa = (u128::from(number) << 16) >> octave;
    let quarters = ROOTS.iter().filter(|root| mantissa >= u128::from(**root)).count();
    u64::from(octave) * 4 + quarters as u64
}

/// The smallest number above 7 with that [`log`], which is that of a number from 8
/// to 2^40.
pub fn least_with_log(log: u64) -> u64 {
    let root = match log % 4 {
        0 => 1 << 16,
        quarters => ROOTS[quarters as usize - 1],
    };
    (root << (log / 4)).div_ceil(1 << 16)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        for (number, expected) in
            [(0, 0), (1, 0), (2, 4), (3, 6), (4, 8), (5, 9), (7, 11), (8, 12), (1000, 39)]
        {
            assert_eq!(log(number), expected, "{number}");
        }
        assert!((1..100_000).is_sorted_by_key(log));
        for number in 8..100_000 {
            let least = least_with_log(log(number));
            assert!(least <= number && log(least) == log(number) && log(least - 1) < log(number), "{number}");
        }
    }

    #[test]
    fn damaged_numbers_are_refused() {
        for bytes in
            [&[][..], &[0x80], &[0xff; 8], &[0xff; 20], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x10]]
        {
            assert!(Rest(bytes).number().is_err(), "{bytes:?}");
        }
        assert!(Rest(&[5, 1, 2]).text().is_err());
        assert!(Rest(&[1, 0]).front_coded(&mut Vec::new()).is_err());
    }

    proptest::proptest! {
        #[test]
        fn numbers_come_back(number in 0..=LARGEST) {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut rest = Rest(&bytes);
            proptest::prop_assert_eq!(rest.number().unwrap(), number);
            proptest::prop_assert!(rest.is_empty());
        }
    }
}
