//! A piece of the index: some keys in order, and cards of the skills that they
//! lead to best.

use std::sync::Arc;

use super::number::{Damaged, Rest, least_with_log, log, put_front_coded, put_number, put_text};

/// How many skills of a key have cards at least: what any page of results shows.
pub const BEST: usize = 160;

/// How many of them an answer that is a file of its own shows.
pub const SHOWN: usize = crate::address::DEFAULT_SIZE as usize;

/// How many postings a key has at most, of a word or of a prefix.
pub const fn most(is_prefix: bool) -> usize {
    if is_prefix { 1_500 } else { 3_000 }
}

/// How many postings a key with a namespace has at most, of a word or of a prefix.
pub const fn most_in_namespace(is_prefix: bool) -> usize {
    if is_prefix { 500 } else { 1_000 }
}

/// The df that a list of so many skills is written with, where it has a posting for
/// `most` of them at most: how many they are, or, where some have none, the smallest
/// number above `most` that counts the same in ranking. So a list does not change
/// with every skill that has no posting in it.
pub fn written_df(skills: usize, most: usize) -> u64 {
    let df = skills as u64;
    if skills <= most { df } else { least_with_log(log(df)).max(most as u64 + 1) }
}

/// Between a word and what makes another key of it.
pub const PREFIX: u8 = 0;
/// The word, in a namespace.
pub const SCOPED: u8 = 1;
/// The prefix, in a namespace.
pub const SCOPED_PREFIX: u8 = 2;

/// The word or prefix that a key is of.
pub fn base(key: &[u8]) -> &[u8] {
    let end = key.iter().position(|byte| *byte <= SCOPED_PREFIX).unwrap_or(key.len());
    &key[..end]
}

/// A key of a word or prefix, in a namespace where one is given.
pub fn key_of(word: &str, is_prefix: bool, namespace: Option<&str>) -> Vec<u8> {
    let mut key = word.as_bytes().to_vec();
    match (is_prefix, namespace) {
        (false, None) => {}
        (true, None) => key.push(PREFIX),
        (false, Some(_)) => key.push(SCOPED),
        (true, Some(_)) => key.push(SCOPED_PREFIX),
    }
    key.extend_from_slice(namespace.unwrap_or_default().as_bytes());
    key
}

/// The key of a word's prefix.
pub fn prefix_of(word: &[u8]) -> Vec<u8> {
    [word, &[PREFIX]].concat()
}

/// The key of a word or prefix, `key`, in a namespace.
pub fn in_namespace(key: &[u8], namespace: &str) -> Vec<u8> {
    let mark = if key.ends_with(&[PREFIX]) { SCOPED_PREFIX } else { SCOPED };
    [base(key), &[mark], namespace.as_bytes()].concat()
}

/// A skill under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Its id.
    pub id: u64,
    /// How much the word weighs in it, 1 to 63.
    pub impact: u8,
}

/// Of postings by id, the `most` with the largest impact (of equal ones those
/// with the smallest ids), by id.
pub fn best(postings: &[Posting], most: usize) -> impl Iterator<Item = Posting> + '_ {
    let mut counts = [0usize; 64];
    for posting in postings {
        counts[usize::from(posting.impact & 63)] += 1;
    }
    // All above the least impact are in, and the first ones with it.
    let (mut least, mut left) = (0, most);
    for impact in (0..64u8).rev() {
        let count = counts[usize::from(impact)];
        if count >= left {
            least = impact;
            break;
        }
        left -= count;
    }
    postings.iter().copied().filter(move |posting| {
        posting.impact > least
            || posting.impact == least && {
                let is_in = left > 0;
                left = left.saturating_sub(1);
                is_in
            }
    })
}

/// What a key leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// How many skills are under the key; where some have no posting, about
    /// ([`written_df`]).
    pub df: u64,
    /// By id.
    pub postings: Vec<Posting>,
}

/// The bytes of a list in a piece: so many postings, by id.
pub fn encode_list(df: u64, count: usize, postings: impl Iterator<Item = Posting>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count * 3 + 8);
    put_number(&mut bytes, df);
    put_number(&mut bytes, count as u64);
    let mut before = 0;
    for Posting { id, impact } in postings {
        put_number(&mut bytes, (id.saturating_sub(before) << 6) | u64::from(impact));
        before = id;
    }
    bytes
}

impl List {
    fn decode(mut rest: Rest<'_>) -> Result<Self, Damaged> {
        let df = rest.number()?;
        let count = rest.count()?;
        let mut postings = Vec::with_capacity(count);
        let mut id = 0u64;
        for _ in 0..count {
            let number = rest.number()?;
            id = id.saturating_add(number >> 6);
            postings.push(Posting { id, impact: (number & 63) as u8 });
        }
        Ok(Self { df, postings })
    }
}

/// What a result shows of a skill without its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card<'a> {
    /// Its id.
    pub id: u64,
    /// Its canonical slug.
    pub slug: &'a str,
    /// Its name; empty where that is made from the slug.
    pub name: &'a str,
}

impl<'a> Card<'a> {
    /// Reads what [`encode`](Self::encode) makes, of the skill with this id.
    pub fn decode(id: u64, bytes: &'a [u8]) -> Result<Self, Damaged> {
        let mut rest = Rest(bytes);
        let no_text = |_| Damaged("a card is no text");
        let slug = std::str::from_utf8(rest.text()?).map_err(no_text)?;
        let name = std::str::from_utf8(rest.text()?).map_err(no_text)?;
        Ok(Self { id, slug, name })
    }

    /// Its bytes behind the id.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.slug.len() + self.name.len() + 2);
        put_text(&mut bytes, self.slug.as_bytes());
        put_text(&mut bytes, self.name.as_bytes());
        bytes
    }
}

/// Puts a piece together: cards by id, each with its bytes, and keys in order,
/// each with those of its list.
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

/// A piece while it is read.
#[derive(Debug, Clone)]
pub struct Piece {
    bytes: Arc<[u8]>,
    /// By id: where a card begins behind it.
    cards: Vec<(u64, usize)>,
    /// Where the keys begin.
    keys: usize,
}

impl Piece {
    /// Reads the cards of a piece.
    pub fn read(bytes: Arc<[u8]>) -> Result<Self, Damaged> {
        let mut rest = Rest(&bytes);
        let count = rest.count()?;
        let mut cards = Vec::with_capacity(count);
        let mut id = 0u64;
        for _ in 0..count {
            id = id.saturating_add(rest.number()?);
            cards.push((id, bytes.len() - rest.0.len()));
            rest.text()?;
            rest.text()?;
        }
        let keys = bytes.len() - rest.0.len();
        Ok(Self { cards, keys, bytes })
    }

    /// Calls `visit` with each key, in order, and its list, until it returns
    /// false.
    pub fn each_key(&self, visit: &mut dyn FnMut(&[u8], Encoded<'_>) -> bool) -> Result<(), Damaged> {
        let mut rest = Rest(&self.bytes[self.keys..]);
        let mut key = Vec::new();
        for _ in 0..rest.count()? {
            rest.front_coded(&mut key)?;
            if !visit(&key, Encoded(rest.text()?)) {
                return Ok(());
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(Damaged("it goes on behind its end")) }
    }

    /// The lists of some keys, given in order; None for each that is not there.
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

    /// A skill's card. None where the piece has none of it.
    pub fn card(&self, id: u64) -> Result<Option<Card<'_>>, Damaged> {
        let Ok(at) = self.cards.binary_search_by_key(&id, |(id, _)| *id) else { return Ok(None) };
        Card::decode(id, &self.bytes[self.cards[at].1..]).map(Some)
    }
}

/// A list as a piece has it.
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'a>(&'a [u8]);

impl Encoded<'_> {
    /// Reads all of it.
    pub fn list(self) -> Result<List, Damaged> {
        List::decode(Rest(self.0))
    }

    /// Reads how many skills are under the key.
    pub fn df(self) -> Result<u64, Damaged> {
        Rest(self.0).number()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn postings(impacts: &[u8]) -> Vec<Posting> {
        let numbered = impacts.iter().zip(1..);
        numbered.map(|(impact, id)| Posting { id: id * 3, impact: *impact }).collect()
    }

    #[test]
    fn the_best_have_the_largest_impact_and_then_the_smallest_ids() {
        let all = postings(&[5, 9, 5, 5, 1]);
        let ids = |most| best(&all, most).map(|posting| posting.id / 3).collect::<Vec<_>>();
        assert!(ids(0).is_empty());
        assert_eq!(ids(1), [2]);
        assert_eq!(ids(3), [1, 2, 3]);
        assert_eq!(ids(5), [1, 2, 3, 4, 5]);
        assert_eq!(ids(9), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_piece_comes_back() {
        let card = Card { id: 3, slug: "acme--pdf", name: "PDF" };
        let list = List { df: 9, postings: postings(&[5, 9]) };
        let (encoded, body) =
            (card.encode(), encode_list(list.df, list.postings.len(), list.postings.iter().copied()));
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

    #[test]
    fn keys_have_their_word() {
        for key in [
            key_of("pdf", false, None),
            key_of("pdf", true, None),
            key_of("pdf", false, Some("acme")),
            key_of("pdf", true, Some("acme")),
        ] {
            assert_eq!(base(&key), b"pdf");
        }
    }
}
