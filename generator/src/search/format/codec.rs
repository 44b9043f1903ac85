//! Numbers and texts as the index's files hold them.

use crate::search::words::MAX_WORD_LENGTH;

/// Largest length of a key in bytes: a root, a separator and a word, whose code points have at most
/// four bytes. It is bounded because each key may repeat all of the one before it.
const MAX_KEY_LENGTH: usize = 2 * 4 * MAX_WORD_LENGTH + 1;

/// The largest number that readers in every language hold exactly.
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// A file of the index does not have the bytes that it should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of the search index is damaged: {0}")]
pub struct Damaged(pub &'static str);

/// Appends a number as unsigned LEB128.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a text after its length.
pub fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text);
}

/// Appends a text without the start that it shares with the text before it.
pub fn put_front_coded(bytes: &mut Vec<u8>, before: &[u8], text: &[u8]) {
    let shared = before.iter().zip(text).take_while(|(a, b)| a == b).count();
    put_number(bytes, shared as u64);
    put_text(bytes, &text[shared..]);
}

/// Decodes a file from its start. It holds the bytes that are left.
#[derive(Debug, Clone, Copy)]
pub struct Decoder<'a>(pub &'a [u8]);

impl<'a> Decoder<'a> {
    /// Whether no bytes are left.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next `length` bytes.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Damaged> {
        let length = usize::try_from(length).ok().filter(|length| *length <= self.0.len());
        let (taken, left) = self.0.split_at(length.ok_or(Damaged("it is cut off"))?);
        self.0 = left;
        Ok(taken)
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        Ok(self.take(1)?[0])
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        // Most are below 128.
        if let [first @ 0..0x80, left @ ..] = self.0 {
            self.0 = left;
            return Ok(u64::from(*first));
        }
        let mut number = 0;
        for (at, byte) in self.0.iter().enumerate().take(8) {
            number |= u64::from(byte & 0x7f) << (7 * at);
            if *byte < 0x80 {
                self.0 = &self.0[at + 1..];
                return Some(number).filter(|n| *n <= MAX_NUMBER).ok_or(Damaged("a number is too large"));
            }
        }
        Err(Damaged(if self.0.len() < 8 { "it is cut off" } else { "a number is too large" }))
    }

    /// The number of items that follow. Each takes at least one byte, so that a count is
    /// never larger than the file.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).ok().filter(|count| *count <= self.0.len());
        count.ok_or(Damaged("it is cut off"))
    }

    /// A text after its length.
    pub fn text(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.number()?;
        self.take(length)
    }

    /// Replaces the text before by the one that follows, which must sort after it.
    pub fn front_coded(&mut self, text: &mut Vec<u8>) -> Result<(), Damaged> {
        let shared = usize::try_from(self.number()?).ok().filter(|shared| *shared <= text.len());
        let end = self.text()?;
        let shared = shared.filter(|shared| shared + end.len() <= MAX_KEY_LENGTH);
        let shared = shared.ok_or(Damaged("a text continues one that is shorter, or is too long"))?;
        if text.get(shared..).is_some_and(|old| !old.is_empty() && end <= old) {
            return Err(Damaged("its texts are not sorted"));
        }
        text.truncate(shared);
        text.extend_from_slice(end);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn decoder_with_damaged_bytes_is_an_error() {
        for bytes in
            [&[][..], &[0x80], &[0xff; 8], &[0xff; 20], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x10]]
        {
            assert!(Decoder(bytes).number().is_err(), "{bytes:?}");
        }
        assert!(Decoder(&[5, 1, 2]).text().is_err());
        assert!(Decoder(&[1, 0]).front_coded(&mut Vec::new()).is_err());
    }

    proptest::proptest! {
        #[test]
        fn numbers_are_decoded_as_they_were_encoded(number in 0..=MAX_NUMBER) {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut decoder = Decoder(&bytes);
            proptest::prop_assert_eq!(decoder.number().unwrap(), number);
            proptest::prop_assert!(decoder.is_empty());
        }
    }
}
