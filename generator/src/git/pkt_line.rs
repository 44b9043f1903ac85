//! pkt-lines (gitprotocol-common(5)): the frames of git's protocol.

/// The end of a section.
pub const FLUSH: &[u8] = b"0000";

/// The server has none of the commits that the client has.
pub const NAK: &[u8] = b"0008NAK\n";

/// Bytes of a pkt-line in front of its content: the length of all.
const LENGTH: usize = 4;

/// The largest pkt-line.
const MAX_BYTES: usize = 65_520;

/// The band of a pack, in front of each piece.
const BAND_OF_PACKS: u8 = 1;

/// A pkt-line of a text. Longer texts are cut.
pub fn pkt_line(text: &str) -> Vec<u8> {
    let text = &text.as_bytes()[..text.len().min(MAX_BYTES - LENGTH)];
    let mut line = format!("{:04x}", text.len() + LENGTH).into_bytes();
    line.extend_from_slice(text);
    line
}

/// A message that makes the client fail with this text.
pub fn error(text: &str) -> Vec<u8> {
    pkt_line(&format!("ERR {text}\n"))
}

/// Appends pieces of a pack to a response that has side bands.
pub(super) struct SideBand<'o> {
    to: &'o mut Vec<u8>,
    /// Where the open pkt-line starts.
    start: usize,
}

impl<'o> SideBand<'o> {
    pub fn new(to: &'o mut Vec<u8>) -> Self {
        let start = to.len();
        let mut band = Self { to, start };
        band.open();
        band
    }

    pub fn write(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = MAX_BYTES - (self.to.len() - self.start);
            if room == 0 {
                self.close();
                self.open();
                continue;
            }
            let (now, later) = bytes.split_at(bytes.len().min(room));
            self.to.extend_from_slice(now);
            bytes = later;
        }
    }

    /// Ends the pack.
    pub fn finish(mut self) {
        self.close();
        self.to.extend_from_slice(FLUSH);
    }

    fn open(&mut self) {
        self.start = self.to.len();
        self.to.extend_from_slice(b"0000");
        self.to.push(BAND_OF_PACKS);
    }

    fn close(&mut self) {
        let length = format!("{:04x}", self.to.len() - self.start);
        if let Some(place) = self.to.get_mut(self.start..self.start + LENGTH) {
            place.copy_from_slice(length.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pkt_line_starts_with_its_length() {
        assert_eq!(pkt_line("NAK\n"), NAK);
        assert_eq!(pkt_line(""), b"0004");
        assert_eq!(error("no"), b"000bERR no\n");
        assert_eq!(pkt_line(&"x".repeat(100_000)).len(), MAX_BYTES);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn side_band_has_all_pieces(pieces in proptest::collection::vec(prop_oneof![0..10usize, Just(65_515), 0..200_000usize], 0..5)) {
            let mut response = NAK.to_vec();
            let mut band = SideBand::new(&mut response);
            pieces.iter().for_each(|length| band.write(&vec![7; *length]));
            band.finish();
            let (mut rest, mut bytes) = (&response[NAK.len()..], 0);
            loop {
                let length = std::str::from_utf8(&rest[..4]).unwrap();
                let length = usize::from_str_radix(length, 16).unwrap();
                if length == 0 {
                    break;
                }
                prop_assert!(length <= MAX_BYTES && rest[4] == BAND_OF_PACKS);
                prop_assert!(rest[5..length].iter().all(|byte| *byte == 7));
                bytes += length - 5;
                rest = &rest[length..];
            }
            prop_assert_eq!(rest, FLUSH);
            prop_assert_eq!(bytes, pieces.iter().sum::<usize>());
        }
    }
}
