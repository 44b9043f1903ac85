//! A piece of the index: some keys in order, and cards of the candidates of their lists.

use std::sync::Arc;

use super::codec::{Damaged, Decoder, put_front_coded, put_number, put_text};
use super::keys::SCOPED_PREFIX;
use super::posting::{EncodedList, List};

/// What a result shows of a skill without reading its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card<'a> {
    /// The canonical slug.
    pub slug: &'a str,
    /// The name; empty if it is the slug in title case.
    pub name: &'a str,
}

impl<'a> Card<'a> {
    /// Decodes the output of [`encode`](Self::encode).
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let mut decoder = Decoder(bytes);
        let mut text = || {
            let text = std::str::from_utf8(decoder.text()?);
            text.map_err(|_| Damaged("a card is not UTF-8"))
        };
        Ok(Self { slug: text()?, name: text()? })
    }

    /// Encodes the card, without the id that a piece has before it.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.slug.len() + self.name.len() + 2);
        put_text(&mut bytes, self.slug.as_bytes());
        put_text(&mut bytes, self.name.as_bytes());
        bytes
    }
}

/// Encodes a piece from encoded cards by id, and sorted keys with encoded lists.
pub fn encode<'a>(
    cards: impl ExactSizeIterator<Item = (u64, &'a [u8])>,
    keys: impl ExactSizeIterator<Item = (&'a [u8], &'a [u8])>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_number(&mut bytes, cards.len() as u64);
    let mut before = 0;
    for (id, card) in cards {
        put_number(&mut bytes, id.saturating_sub(before));
        bytes.extend_from_slice(card);
        before = id;
    }
    put_number(&mut bytes, keys.len() as u64);
    let mut before: &[u8] = &[];
    for (key, list) in keys {
        put_front_coded(&mut bytes, before, key);
        put_text(&mut bytes, list);
        before = key;
    }
    bytes
}

/// A piece whose cards and lists are decoded on demand.
#[derive(Debug, Clone)]
pub struct Piece {
    bytes: Arc<[u8]>,
    /// Ids of the skills with cards, and where each card starts; by id.
    cards: Vec<(u64, usize)>,
    /// Where the keys start.
    keys: usize,
}

impl Piece {
    /// Finds the cards and the keys of a piece.
    pub fn read(bytes: Arc<[u8]>) -> Result<Self, Damaged> {
        let mut decoder = Decoder(&bytes);
        let count = decoder.count()?;
        let mut cards = Vec::with_capacity(count);
        let mut id = 0u64;
        for _ in 0..count {
            id = id.saturating_add(decoder.number()?);
            cards.push((id, bytes.len() - decoder.0.len()));
            decoder.text()?;
            decoder.text()?;
        }
        let keys = bytes.len() - decoder.0.len();
        Ok(Self { cards, keys, bytes })
    }

    /// Calls `visit` with each key and its list, in order, until it returns false.
    pub fn each_key(&self, visit: &mut dyn FnMut(&[u8], EncodedList<'_>) -> bool) -> Result<(), Damaged> {
        let mut decoder = Decoder(&self.bytes[self.keys..]);
        let mut key = Vec::new();
        for _ in 0..decoder.count()? {
            decoder.front_coded(&mut key)?;
            if !visit(&key, EncodedList(decoder.text()?)) {
                return Ok(());
            }
        }
        if decoder.is_empty() { Ok(()) } else { Err(Damaged("it continues after its end")) }
    }

    /// Calls `visit` with each key that is a word, in order, and its `df`.
    pub fn each_word(&self, visit: &mut dyn FnMut(&str, u64)) -> Result<(), Damaged> {
        let mut damaged = None;
        self.each_key(&mut |key, list| {
            if key.iter().all(|byte| *byte > SCOPED_PREFIX) {
                match (std::str::from_utf8(key), list.df()) {
                    (Ok(word), Ok(df)) => visit(word, df),
                    (Err(_), _) => damaged = Some(Damaged("a key is not UTF-8")),
                    (_, Err(why)) => damaged = Some(why),
                }
            }
            true
        })?;
        damaged.map_or(Ok(()), Err)
    }

    /// The lists of some keys, which are sorted. None for each key that the piece lacks.
    pub fn lists<const N: usize>(&self, keys: [&[u8]; N]) -> Result<[Option<List>; N], Damaged> {
        let mut lists = [const { None }; N];
        let (mut next, mut damaged) = (0, None);
        self.each_key(&mut |key, encoded| {
            while next < N && keys[next] < key {
                next += 1;
            }
            if next < N && keys[next] == key {
                match encoded.list() {
                    Ok(list) => lists[next] = Some(list),
                    Err(why) => damaged = Some(why),
                }
                next += 1;
            }
            next < N
        })?;
        damaged.map_or(Ok(lists), Err)
    }

    /// The card of a skill. None if the piece lacks it.
    pub fn card(&self, id: u64) -> Result<Option<Card<'_>>, Damaged> {
        let Ok(at) = self.cards.binary_search_by_key(&id, |(id, _)| *id) else { return Ok(None) };
        Card::decode(&self.bytes[self.cards[at].1..]).map(Some)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::posting::{Posting, encode_list};
    use super::*;

    #[test]
    fn encoded_piece_is_read_back() {
        let card = Card { slug: "acme--pdf", name: "PDF" };
        let postings = [(3, 5), (6, 9)].map(|(id, impact)| Posting { id, impact });
        let list = List { df: 9, postings: postings.to_vec() };
        let (encoded, body) = (card.encode(), encode_list(list.df, 2, postings.into_iter()));
        let cards = [(3, &encoded[..])];
        let keys = [(&b"pd\0"[..], &body[..]), (&b"pdf"[..], &body[..])];
        let bytes = encode(cards.into_iter(), keys.into_iter());
        let piece = Piece::read(bytes.as_slice().into()).unwrap();
        assert_eq!(piece.card(3), Ok(Some(card)));
        assert_eq!(piece.card(4), Ok(None));
        assert_eq!(piece.lists([b"pa", b"pdf", b"z"]), Ok([None, Some(list.clone()), None]));
        let mut found = Vec::new();
        piece
            .each_key(&mut |key, encoded| {
                found.push((key.to_vec(), encoded.list().unwrap()));
                true
            })
            .unwrap();
        assert_eq!(found, [(b"pd\0".to_vec(), list.clone()), (b"pdf".to_vec(), list)]);
        for end in 0..bytes.len() {
            let cut = Piece::read(bytes[..end].into()).and_then(|piece| piece.each_key(&mut |_, _| true));
            assert!(cut.is_err(), "{end}");
        }
    }
}
