//! The requests of a query to a reader of index files.

use std::sync::Arc;

use generator::search::words::{is_stop_word, words};
use generator::search::{self, Damaged, Index, IndexFiles, Manifest, PieceName, SharedIndex};

use super::Skill;
use super::catalog::catalog;
use super::class::Class;
use super::query::Query;
use crate::Failure;
use crate::numbers::percentile;
use crate::table::{Bound, Row};

/// The files of an index, counted as they are read.
struct Counting<'a> {
    index: &'a Index,
    requests: usize,
    bytes: usize,
}

/// Asks a query of the files of an index, from the manifest on. Returns the requests and the bytes.
pub(super) fn cold(index: &Index, query: &str) -> Result<(usize, usize), Failure> {
    let manifest = index.manifest().encode();
    let mut files = Counting { index, requests: 1, bytes: manifest.len() };
    search::find(&Manifest::decode(&manifest)?, &mut files, &search::Query::new(query), None)?;
    Ok((files.requests, files.bytes))
}

impl IndexFiles for Counting<'_> {
    type Error = Damaged;

    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Damaged> {
        let mut read = Vec::with_capacity(names.len());
        for name in names {
            let bytes = self.index.piece(*name).ok_or(Damaged("a file is not there"))?;
            self.requests += 1;
            self.bytes += bytes.len();
            read.push(search::unpack(&bytes)?.into());
        }
        Ok(read)
    }
}

/// The most requests of a cold query.
const MAX_REQUESTS: f64 = 8.0;
/// The most KiB of a cold query.
const MAX_KIBIBYTES: f64 = 200.0;

/// Queries of a kind.
struct Kind {
    what: &'static str,
    takes: fn(&Query) -> bool,
}

/// The words that are looked for, as the reader counts them.
fn length(query: &Query) -> usize {
    words(&query.text).iter().filter(|word| !is_stop_word(word)).count()
}

fn is_mistyped(query: &Query) -> bool {
    matches!(query.class, Class::NameTypo | Class::WordTypo)
}

fn is_begun(query: &Query) -> bool {
    matches!(query.class, Class::Prefix | Class::WordAndPrefix)
}

const KINDS: [Kind; 4] = [
    Kind {
        what: "up to three words",
        takes: |query| {
            // A compound that is no word is corrected like a mistyped word.
            let is_known = !is_mistyped(query) && query.class != Class::Compound;
            length(query) <= 3 && is_known && !is_begun(query)
        },
    },
    Kind {
        what: "one or two words, the last one begun",
        takes: |query| length(query) <= 2 && is_begun(query),
    },
    Kind { what: "one or two words, one mistyped", takes: |query| length(query) <= 2 && is_mistyped(query) },
    Kind { what: "a sentence", takes: |query| query.class == Class::Sentence },
];

/// Asks each query of the files of an index, from the manifest on.
pub(super) fn rows(skills: &[Skill], queries: &[Query]) -> Result<Vec<Row>, Failure> {
    let (catalog, index) = (catalog(skills)?, SharedIndex::default());
    let index = index.current(&catalog);
    let manifest = index.manifest().encode();
    let kibibytes = |bytes: usize| bytes as f64 / 1024.0;
    let count = skills.len();
    let files = index.pieces().filter_map(|name| index.piece(name)).map(|bytes| bytes.len());
    let size = files.sum::<usize>() + manifest.len();
    let mut rows = vec![
        Row::of(format!("manifest, {count} skills"), kibibytes(manifest.len()), "KiB"),
        Row::of(
            format!("files of the index, for each of {count} skills"),
            size as f64 / count as f64,
            "bytes",
        ),
        Row::of(format!("pieces, {count} skills"), index.manifest().pieces.len() as f64, ""),
    ];
    for kind in KINDS {
        let (mut requests, mut bytes) = (Vec::new(), Vec::new());
        for query in queries.iter().filter(|query| (kind.takes)(query)) {
            let (asked, size) = cold(&index, &query.text)?;
            requests.push(asked as f64);
            bytes.push(kibibytes(size));
        }
        for (percent, title) in [(50, "p50"), (100, "the most")] {
            let of = |values: &[f64]| percentile(values, percent).ok_or("there are no such queries");
            let most = |most| if percent == 100 { Bound::Most(most) } else { Bound::None };
            let what = format!("a cold query of {}, {count} skills, {title}", kind.what);
            rows.push(Row::of(&what, of(&requests)?, "requests").bound(most(MAX_REQUESTS)));
            rows.push(Row::of("— the same", of(&bytes)?, "KiB").bound(most(MAX_KIBIBYTES)));
        }
    }
    Ok(rows)
}
