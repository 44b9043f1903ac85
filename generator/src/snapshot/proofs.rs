//! The proofs in a snapshot: one for each version, if the history is signed.

use std::io::{self, Read};

use registry::journal::PublicRow;
use registry::public::{DecodedRow, PublicCatalog, PublicChange};
use registry::transparency_log::{Checkpoint, Leaf, LogIndex, MAX_PROOF, RowProof};

use super::SnapshotError;
use super::entry::Entry;
use crate::address::Document;
use crate::feed::page::{ExpectedPage, parse};
use crate::tree::{FrozenTree, Tree};
use registry::api::public::Head;

/// Adds the proofs to a copy of a tree. A tree without a checkpoint gets none, and neither does a
/// version that is not signed yet.
pub fn add_proofs(frozen: &FrozenTree, head: &Head) -> io::Result<()> {
    let tree = frozen.tree();
    let Some((checkpoint, signed_checkpoint)) = checkpoint(tree)? else { return Ok(()) };
    let mut log = LogIndex::default();
    for_each_row(tree, head, |row| {
        log.push(&Leaf::from(&row));
        Ok(())
    })?;
    for_each_row(tree, head, |row| {
        let decoded = DecodedRow::decode(&row).map_err(io::Error::other)?;
        let PublicChange::Published(published) = decoded.change else { return Ok(()) };
        let (coordinate, version) = (published.coordinate(), published.version.clone());
        let exists = frozen.has(&Document::Version(coordinate.clone(), version.clone()));
        let index = log.index_of(row.revision).filter(|_| exists);
        let Some(inclusion) = index.and_then(|index| log.prove(index, checkpoint.size)) else {
            return Ok(());
        };
        let proof = RowProof { row, inclusion, signed_checkpoint: signed_checkpoint.clone() };
        frozen.put(&Document::Proof(coordinate, version), proof.to_string().as_bytes())
    })
}

/// Checks a proof in a snapshot: that its row is that of the version, and in the log of the
/// snapshot's checkpoint. `tree` was made from the snapshot's rows.
pub(super) fn check_proof(tree: &Tree, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError> {
    let refused = |why: &str| SnapshotError::refused(&entry.path, why.to_owned());
    let mut bytes = Vec::new();
    content.take(MAX_PROOF).read_to_end(&mut bytes).map_err(SnapshotError::of_read)?;
    let text = String::from_utf8(bytes).map_err(|_| refused("is no proof: it is not UTF-8"))?;
    let proof = RowProof::parse(&text).map_err(|why| refused(&format!("is no proof: {why}")))?;
    let row = DecodedRow::decode(&proof.row).map_err(|_| refused("has an unknown row"))?;
    let of = match row.change {
        PublicChange::Published(published) => {
            Some(Document::Proof(published.coordinate(), published.version.clone()))
        }
        _ => None,
    };
    let Some((checkpoint, signed)) = checkpoint(tree).map_err(SnapshotError::Read)? else {
        return Err(refused("is a proof, but the history is not signed"));
    };
    let holds = proof.inclusion.check(&checkpoint, &Leaf::from(&proof.row)).is_ok();
    match of == Some(entry.document.clone()) && proof.signed_checkpoint == signed && holds {
        true => Ok(()),
        false => Err(refused("is not the proof of this version and checkpoint")),
    }
}

fn checkpoint(tree: &Tree) -> io::Result<Option<(Checkpoint, String)>> {
    let Some(signed) = tree.note(&Document::Checkpoint)? else { return Ok(None) };
    Ok(Checkpoint::read_unverified(signed.as_bytes()).ok().map(|checkpoint| (checkpoint, signed)))
}

fn for_each_row(
    tree: &Tree,
    head: &Head,
    mut visit: impl FnMut(PublicRow) -> io::Result<()>,
) -> io::Result<()> {
    let mut feed = PublicCatalog::new(head.epoch.clone()).feed().clone();
    for number in 1..=head.pages {
        let damaged = |why: String| io::Error::other(format!("{} {why}", Document::Feed(number).name()));
        let mut text = String::new();
        let file = tree.open(&Document::Feed(number))?;
        let mut file = file.ok_or_else(|| damaged("does not exist".into()))?;
        file.read_to_string(&mut text)?;
        let previous = number.checked_sub(1).and_then(|before| feed.page(before)).map(|page| page.digest);
        let expected = ExpectedPage { number, epoch: &head.epoch, previous };
        for row in parse(&text, &expected).map_err(damaged)? {
            feed.push(&row.row);
            visit(row.row)?;
        }
    }
    Ok(())
}
