//! The letters of texts in UTF-16, in which a secret has a zero byte between its letters.

/// The ASCII characters of `content` that are encoded in UTF-16 of either byte order, also somewhere in a binary file:
/// those with a zero byte beside them. Runs of other bytes become one zero byte. None for content without zero bytes.
pub(in crate::package) fn ascii(content: &[u8]) -> Option<Vec<u8>> {
    if !content.contains(&0) {
        return None;
    }
    let mut letters = Vec::with_capacity(content.len() / 2);
    let (mut before, mut rest) = (None, content);
    while let [byte, after @ ..] = rest {
        let is_letter = *byte != 0 && byte.is_ascii() && (before == Some(0) || after.first() == Some(&0));
        // A zero byte between two letters belongs to one of them.
        let is_part = *byte == 0 && before.is_some_and(|before| before != 0);
        if is_letter {
            letters.push(*byte);
        } else if !is_part && letters.last() != Some(&0) {
            letters.push(0);
        }
        (before, rest) = (Some(*byte), after);
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_of_either_byte_order_is_found() {
        let le = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let be = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
        for encoded in [le("\u{feff}one\ntwo"), be("\u{feff}one\ntwo"), le("one\ntwo"), be("one\ntwo")] {
            let letters = ascii(&encoded).unwrap();
            assert!(letters.ends_with(b"one\ntwo"), "{letters:?}");
        }
        let inside = [b"MZ\x90\x01\x02".to_vec(), le("token"), vec![0xff; 3]].concat();
        assert!(ascii(&inside).unwrap().windows(5).any(|text| text == b"token"));
        assert!(ascii(&le("ä日token")).unwrap().ends_with(b"token"));
        assert_eq!(ascii(b"plain"), None);
        assert_eq!(ascii(&[0, 0, 0]), Some(vec![0]));
    }
}
