//! The pieces of an index, cut again only near a change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::piece_cutter::{CutPiece, PieceCutter, is_too_full_for, starts_chunk};
use super::piece_input::PieceInput;
use super::two_threads::by_two_threads;
use crate::search::format::piece_file::IndexFile;
use crate::search::format::piece_name::PieceName;

/// A piece of a chunk.
#[derive(Clone)]
struct ChunkPiece {
    /// Its first group.
    first: Arc<[u8]>,
    name: PieceName,
    /// Its size as estimated while it was cut.
    size: usize,
}

/// The groups from `start` on, and before `end` if there is one.
#[derive(Clone, Copy)]
struct GroupRange<'a> {
    start: &'a [u8],
    end: Option<&'a [u8]>,
}

/// The pieces, by chunks of groups. A change cuts only the pieces with one of its groups again,
/// and those after them up to the end of their chunk.
#[derive(Default)]
pub struct Chunks {
    /// By the group that starts each. The first chunk has the empty name.
    chunks: BTreeMap<Arc<[u8]>, Vec<ChunkPiece>>,
    pub files: HashMap<PieceName, IndexFile>,
    /// Number of pieces that were ever cut.
    pub pieces_cut: u64,
}

impl Chunks {
    /// Cuts all pieces. Chunks do not depend on each other, so a second thread cuts those from the first one on
    /// that starts after the middle.
    pub fn of(input: PieceInput<'_>) -> Self {
        let second_half = input.postings.groups(input.postings.middle(), None);
        let middle = second_half.map(|group| group.name()).find(|name| starts_chunk(name));
        let first = GroupRange { start: &[], end: middle };
        let Some(start) = middle else { return Self::of_range(input, first) };
        let second = GroupRange { start, end: None };
        let [mut all, second] =
            by_two_threads(|| Self::of_range(input, first), || Self::of_range(input, second));
        all.chunks.extend(second.chunks);
        all.files.extend(second.files);
        all.pieces_cut += second.pieces_cut;
        all
    }

    fn of_range(input: PieceInput<'_>, range: GroupRange<'_>) -> Self {
        let mut chunks = Self::default();
        chunks.cut(input, range, &BTreeSet::new());
        chunks
    }

    /// The pieces in order, each with its first group.
    pub fn pieces(&self) -> impl Iterator<Item = (Arc<[u8]>, PieceName)> {
        self.chunks.values().flatten().map(|piece| (Arc::clone(&piece.first), piece.name))
    }

    /// Cuts the pieces of the first chunk with one of the `groups` from `from` on again. Returns where the
    /// next chunk begins; `None` after the last one.
    pub fn update_next(
        &mut self,
        input: PieceInput<'_>,
        groups: &BTreeSet<Arc<[u8]>>,
        from: &[u8],
    ) -> Option<Arc<[u8]>> {
        let group = groups.range::<[u8], _>((Bound::Included(from), Bound::Unbounded)).next()?;
        let start = self.start_of_chunk(input, group);
        // A chunk whose first group is gone is part of the one before it.
        let after = self.chunks.range::<[u8], _>((Bound::Excluded(&**group), Bound::Unbounded));
        let mut starts = after.map(|(start, _)| start).filter(|start| input.postings.has_group(start));
        let end = starts.next().cloned();
        self.cut(input, GroupRange { start: &start, end: end.as_deref() }, groups);
        end
    }

    /// Start of the chunk that contains `group`.
    fn start_of_chunk(&self, input: PieceInput<'_>, group: &[u8]) -> Arc<[u8]> {
        let before = self.chunks.range::<[u8], _>((Bound::Unbounded, Bound::Included(group))).rev();
        let mut starts = before.map(|(start, _)| start);
        starts.find(|start| start.is_empty() || input.postings.has_group(start)).cloned().unwrap_or_default()
    }

    /// Cuts the pieces of some groups again, and keeps the clean ones.
    ///
    /// A piece is clean if it has none of the `changed` groups, and the next group is not among
    /// them either, or still starts a piece: where a piece ends depends on what comes next.
    fn cut(&mut self, input: PieceInput<'_>, range: GroupRange<'_>, changed: &BTreeSet<Arc<[u8]>>) {
        let GroupRange { start, end } = range;
        let old = self.take(range);
        let is_clean = |at: usize| {
            let ChunkPiece { first, size, .. } = &old[at];
            let next = old.get(at + 1).map(|piece| &*piece.first).or(end);
            let to = next.map_or(Bound::Unbounded, Bound::Included);
            let Some(group) = changed.range::<[u8], _>((Bound::Included(&**first), to)).next() else {
                return true;
            };
            let mut after = input.postings.groups(group, None);
            next == Some(&**group)
                && after.next().is_some_and(|next| next.name() == &**group && is_too_full_for(*size, &next))
        };
        let first = old.first().map(|piece| &*piece.first);
        let is_first = |first: &&[u8]| {
            let before = (Bound::Included(start), Bound::Excluded(*first));
            changed.range::<[u8], _>(before).next().is_none()
        };
        let (mut pieces, mut new_files) = (Vec::<ChunkPiece>::new(), HashMap::new());
        let mut cutter = PieceCutter::new(input);
        let mut from: Option<Box<[u8]>> = Some(first.filter(is_first).unwrap_or(start).into());
        while let Some(group) = from.take() {
            if let Ok(at) = old.binary_search_by(|piece| (*piece.first).cmp(&group))
                && is_clean(at)
            {
                pieces.push(old[at].clone());
                from = old.get(at + 1).map(|piece| (*piece.first).into());
            } else if let Some(CutPiece { first, content, size, next }) = cutter.cut(&group, end) {
                let file = IndexFile::of(content);
                pieces.push(ChunkPiece { first, name: file.name, size });
                new_files.insert(file.name, file);
                from = next;
            }
        }
        self.pieces_cut += new_files.len() as u64;
        let names: BTreeSet<_> = pieces.iter().map(|piece| piece.name).collect();
        for gone in old.iter().filter(|piece| !names.contains(&piece.name)) {
            self.files.remove(&gone.name);
        }
        for (name, file) in new_files {
            self.files.entry(name).or_insert(file);
        }
        self.put(start, pieces);
    }

    /// Removes the chunks that start with some groups, and returns their pieces.
    fn take(&mut self, range: GroupRange<'_>) -> Vec<ChunkPiece> {
        let bounds = (Bound::Included(range.start), range.end.map_or(Bound::Unbounded, Bound::Excluded));
        let starts: Vec<_> =
            self.chunks.range::<[u8], _>(bounds).map(|(start, _)| Arc::clone(start)).collect();
        starts.iter().filter_map(|start| self.chunks.remove(start)).flatten().collect()
    }

    /// Divides pieces into chunks.
    fn put(&mut self, start: &[u8], pieces: Vec<ChunkPiece>) {
        let mut start: Arc<[u8]> = start.into();
        for piece in pieces {
            if starts_chunk(&piece.first) {
                start = Arc::clone(&piece.first);
            }
            self.chunks.entry(Arc::clone(&start)).or_default().push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::postings::Postings;
    use super::*;
    use crate::search::format::keys::Key;

    #[test]
    fn two_halves_equal_one_cut() {
        for (groups, has_chunks) in [(0, false), (1, false), (5_000, true)] {
            let skill = |number: u32| {
                // Multiplied, because only few of the words that count up start a chunk.
                let word = format!("{:08x}", number.wrapping_mul(2_654_435_761));
                (u64::from(number), BTreeMap::from([(Key::Word(&word).encode(), 9)]))
            };
            let postings = Postings::of((1..=groups).map(skill), |_, _| {});
            let input = PieceInput { postings: &postings, cards: &HashMap::new() };
            let whole = Chunks::of_range(input, GroupRange { start: &[], end: None });
            let halves = Chunks::of(input);
            let starts = |chunks: &Chunks| chunks.chunks.keys().cloned().collect::<Vec<_>>();
            assert_eq!(starts(&halves), starts(&whole), "{groups}");
            assert_eq!(starts(&halves).len() > 2, has_chunks, "{groups}");
            assert!(halves.pieces().eq(whole.pieces()), "{groups}");
            assert_eq!((halves.files.len(), halves.pieces_cut), (whole.files.len(), whole.pieces_cut));
        }
    }
}
