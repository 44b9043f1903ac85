//! A piece of the index: some keys in order, and cards of the candidates of their lists.

use std::sync::Arc;

use super::codec::{Damaged, Decoder, put_front_coded, put_number, put_text};
use super::keys::{Key, group_of};
use super::meaning::{Meaning, WordVector};
use super::posting::{EncodedList, List, Posting};

/// What a result shows of a skill without reading its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card<'a> {
    /// The canonical slug.
    pub slug: &'a str,
    /// The name; empty if it is the slug in title case.
    pub name: &'a str,
    /// What the skill means.
    pub meaning: Meaning,
    /// Only in pieces with a word that is important for the skill.
    pub details: Option<Details<'a>>,
}

/// The larger part of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Details<'a> {
    /// The latest version.
    pub version: &'a str,
    /// The start of the description: [`shortened`].
    pub description: &'a str,
}

/// The part of a card that ranking compares with the query. Texts are bytes, because few candidates have names
/// like the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardNames<'a> {
    /// The canonical slug.
    pub slug: &'a [u8],
    /// As in [`Card`].
    pub name: &'a [u8],
    /// As in [`Card`].
    pub meaning: Meaning,
}

/// Number of code points of a description in a card.
const MAX_DESCRIPTION_LENGTH: usize = 160;

/// The start of a description, as cards have it: its words with one blank between, up to 160 code
/// points.
pub fn shortened(description: &str) -> String {
    let text = description.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_DESCRIPTION_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl<'a> Card<'a> {
    /// The name to show.
    pub fn shown_name(&self) -> String {
        if !self.name.is_empty() {
            return self.name.to_owned();
        }
        let slug = self.slug.split_once("--").map_or(self.slug, |(_, slug)| slug);
        let parts = slug.split('-').map(|part| match part.split_at_checked(1) {
            Some((first, rest)) => first.to_ascii_uppercase() + rest,
            None => String::new(),
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Decodes the output of [`encode`](Self::encode).
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Damaged> {
        Self::take(&mut Decoder(bytes))
    }

    fn take(decoder: &mut Decoder<'a>) -> Result<Self, Damaged> {
        let (slug, name, meaning) = (text(decoder)?, text(decoder)?, Meaning::take(decoder)?);
        let details = match text(decoder)? {
            "" => None,
            version => Some(Details { version, description: text(decoder)? }),
        };
        Ok(Self { slug, name, meaning, details })
    }

    /// Encodes the card, without the id that a piece has before it.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.slug.len() + self.name.len() + 11);
        put_text(&mut bytes, self.slug.as_bytes());
        put_text(&mut bytes, self.name.as_bytes());
        bytes.extend_from_slice(&self.meaning.0);
        match self.details {
            None => put_text(&mut bytes, b""),
            Some(Details { version, description }) => {
                put_text(&mut bytes, version.as_bytes());
                put_text(&mut bytes, description.as_bytes());
            }
        }
        bytes
    }
}

/// The next text of a card.
fn text<'a>(decoder: &mut Decoder<'a>) -> Result<&'a str, Damaged> {
    std::str::from_utf8(decoder.text()?).map_err(|_| Damaged("a card is not UTF-8"))
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

/// What a piece has of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// Each with its key, in order.
    pub lists: Vec<(Vec<u8>, List)>,
    /// What its root means.
    pub vector: Option<WordVector>,
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
            Meaning::take(&mut decoder)?;
            if !decoder.text()?.is_empty() {
                decoder.text()?;
            }
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

    /// Calls `visit` with each word among the keys, in order.
    pub fn each_word(&self, visit: &mut dyn FnMut(&str)) -> Result<(), Damaged> {
        let mut damaged = None;
        self.each_key(&mut |key, _| {
            match Key::decode(key) {
                Some(Key::Word(word)) => visit(word),
                Some(_) => {}
                None => damaged = Some(Damaged("it has an unknown key")),
            }
            true
        })?;
        damaged.map_or(Ok(()), Err)
    }

    /// The lists of a group that `is_wanted`, and the vector of its root.
    pub fn group(&self, group: &[u8], is_wanted: &dyn Fn(Key<'_>) -> bool) -> Result<Group, Damaged> {
        let (mut found, mut damaged) = (Group::default(), None);
        self.each_key(&mut |key, encoded| {
            if group_of(key) != group {
                // The keys of a group are neighbours.
                return key < group;
            }
            let taken = match Key::decode(key) {
                Some(Key::Vector(_)) => {
                    WordVector::decode(encoded.0).map(|vector| found.vector = Some(vector))
                }
                Some(wanted) if is_wanted(wanted) => {
                    encoded.list().map(|list| found.lists.push((key.to_vec(), list)))
                }
                _ => Ok(()),
            };
            damaged = damaged.or(taken.err());
            true
        })?;
        damaged.map_or(Ok(found), Err)
    }

    /// The list of a namespace or neighbourhood. None if the piece lacks it.
    pub fn set(&self, key: &[u8]) -> Result<Option<List>, Damaged> {
        let lists = self.group(key, &|_| true)?.lists;
        Ok(lists.into_iter().find(|(found, _)| found == key).map(|(_, list)| list))
    }

    /// The lists of the first `max` words that are longer than `start` and begin so, with the `df`
    /// of each.
    pub fn longer_words(&self, start: &str, max: usize) -> Result<Vec<(Vec<Posting>, u64)>, Damaged> {
        let (mut lists, mut damaged) = (Vec::new(), None);
        self.each_key(&mut |key, encoded| {
            if matches!(Key::decode(key), Some(Key::Word(word)) if word.starts_with(start)) {
                match encoded.list() {
                    Ok(list) => lists.push((list.postings, list.df)),
                    Err(why) => damaged = Some(why),
                }
            }
            lists.len() < max
        })?;
        damaged.map_or(Ok(lists), Err)
    }

    /// The card of a skill. None if the piece lacks it.
    pub fn card(&self, id: u64) -> Result<Option<Card<'_>>, Damaged> {
        self.encoded_card(id).map(Card::decode).transpose()
    }

    /// The names on the card of a skill.
    pub fn names(&self, id: u64) -> Result<Option<CardNames<'_>>, Damaged> {
        let Some(card) = self.encoded_card(id) else { return Ok(None) };
        let mut decoder = Decoder(card);
        let (slug, name) = (decoder.text()?, decoder.text()?);
        Ok(Some(CardNames { slug, name, meaning: Meaning::take(&mut decoder)? }))
    }

    /// Whether the piece has the card of a skill.
    pub fn has_card(&self, id: u64) -> bool {
        self.encoded_card(id).is_some()
    }

    /// The bytes from the card of a skill on.
    fn encoded_card(&self, id: u64) -> Option<&[u8]> {
        let at = self.cards.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.bytes[self.cards[at].1..])
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::posting::encode_list;
    use super::*;

    #[test]
    fn encoded_piece_is_read_back() {
        let details = Some(Details { version: "1.0.0", description: "Reads PDF." });
        let meaning = Meaning([1, 2, 3, 4, 5, 6, 7, 8]);
        let card = Card { slug: "acme--pdf", name: "PDF", meaning, details };
        let postings = [(3, 5), (6, 9)].map(|(id, impact)| Posting::new(id, impact));
        let list = List { df: 9, postings: postings.to_vec() };
        let (encoded, body) = (card.encode(), encode_list(list.df, &postings));
        let cards = [(3, &encoded[..])];
        let keys =
            [(&b"pdf\0pdf"[..], &body[..]), (&b"pdf\0pdfs"[..], &body[..]), (&b"pdf\x01pdf"[..], &body[..])];
        let bytes = encode(cards.into_iter(), keys.into_iter());
        let piece = Piece::read(bytes.as_slice().into()).unwrap();
        assert_eq!(piece.card(3), Ok(Some(card)));
        assert_eq!(piece.names(3), Ok(Some(CardNames { slug: b"acme--pdf", name: b"PDF", meaning })));
        assert_eq!(piece.card(4), Ok(None));
        let words = piece.group(b"pdf", &|key| matches!(key, Key::Word(_))).unwrap().lists;
        assert_eq!(words, [(b"pdf\0pdf".to_vec(), list.clone()), (b"pdf\0pdfs".to_vec(), list.clone())]);
        assert_eq!(piece.group(b"pd", &|_| true), Ok(Group::default()));
        let mut found = Vec::new();
        piece.each_word(&mut |word| found.push(word.to_owned())).unwrap();
        assert_eq!(found, ["pdf", "pdfs"]);
        for end in 0..bytes.len() {
            let cut = Piece::read(bytes[..end].into()).and_then(|piece| piece.each_key(&mut |_, _| true));
            assert!(cut.is_err(), "{end}");
        }
    }
}
