//! The manifest of the search index, as `docs/search-index.md` describes it.

use std::collections::BTreeSet;
use std::path::Path;

/// Its path in a tree.
pub const FILE: &str = "api/v1/search/_index/manifest.bin";

/// The rest of a manifest.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn varint(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = usize::from(self.take(1)[0]);
            number |= (byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return number;
            }
        }
    }

    /// The file that a digest names. An empty shard has none.
    fn piece(&mut self) -> Option<String> {
        let digest = self.take(8);
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        digest.iter().any(|byte| *byte != 0).then(|| format!("api/v1/search/_index/{name}.bin"))
    }
}

/// The files of the pieces that a manifest names.
#[track_caller]
pub fn pieces(manifest: &[u8]) -> BTreeSet<String> {
    let mut rest = Rest(manifest);
    assert_eq!(rest.take(5), b"SKSI\x05");
    rest.varint();
    for _ in 0..rest.varint() {
        // Id, stars, downloads.
        for _ in 0..3 {
            rest.varint();
        }
    }
    let mut pieces: BTreeSet<_> = (0..128).filter_map(|_| rest.piece()).collect();
    for _ in 0..rest.varint() {
        rest.varint();
        let length = rest.varint();
        rest.take(length);
        pieces.extend(rest.piece());
    }
    assert!(rest.0.is_empty(), "nothing follows");
    pieces
}

/// The expired pieces of a tree: those that its manifest does not name.
pub fn superseded(root: &Path, files: &[String]) -> BTreeSet<String> {
    let Ok(manifest) = std::fs::read(root.join(FILE)) else { return BTreeSet::new() };
    let current = pieces(&manifest);
    let is_piece = |file: &&String| file.starts_with("api/v1/search/_index/") && *file != FILE;
    files.iter().filter(|file| is_piece(file) && !current.contains(*file)).cloned().collect()
}
