//! The letters of texts in UTF-16, in which a secret has a zero byte between its letters.

/// The ASCII characters of `content` that are encoded in UTF-16, also somewhere in a binary file. Runs of other bytes
/// become one zero byte. None for content without zero bytes.
pub(super) fn ascii(content: &[u8]) -> Option<Vec<u8>> {
    let zeros = |odd: usize| content.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if even + odd == 0 {
        return None;
    }
    // Texts with most zeros at even offsets are big-endian.
    let is_big_endian = even > odd;
    let mut letters = Vec::with_capacity(content.len() / 2);
    let mut rest = content;
    while let [first, second, after @ ..] = rest {
        let (letter, zero) = if is_big_endian { (second, first) } else { (first, second) };
        if *zero == 0 && letter.is_ascii() && *letter != 0 {
            letters.push(*letter);
            rest = after;
        } else {
            if letters.last() != Some(&0) {
                letters.push(0);
            }
            rest = rest.get(1..).unwrap_or_default();
        }
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
