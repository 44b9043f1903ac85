//! Compares the folder, the bucket and the manifest.

use std::time::SystemTime;

use futures_util::{StreamExt, TryStreamExt};
use generator::address::Document;
use generator::tree::{Tree, TreeFile};
use object_store::ObjectMeta;

use super::changes::Changes;
use super::requests::normal_etag;
use super::step::Step;
use crate::error::UploadError;
use crate::keys::OWN_FOLDER;
use crate::manifest::{Manifest, Object};
use crate::owner::tree_of_owner;
use crate::store::Target;

/// Listed objects that are recorded together.
const LISTED_AT_ONCE: usize = 1000;

/// Finds out what differs. Adds the documents that the bucket lacks or has otherwise, and those that
/// the folder lacks. Returns the keys in the bucket that no document has. Of objects from before
/// `claimed_at` nothing is known, whatever their tags are: see [`Claim::take`](crate::owner::Claim).
/// The trees of other registries below the prefix are left alone.
pub async fn compare(
    target: &Target,
    manifest: &Manifest,
    tree: &Tree,
    changes: &Changes,
    claimed_at: i64,
) -> Result<Vec<String>, UploadError> {
    manifest.begin_comparison()?;
    let mut other_trees = Vec::new();
    let mut listing = target.store.list(target.prefix()).try_chunks(LISTED_AT_ONCE);
    while let Some(listed) = listing.next().await {
        let listed = listed.map_err(|why| why.1)?;
        manifest.together(|manifest| {
            listed.iter().try_for_each(|object| {
                let Some(key) = target.key(&object.location) else { return Ok(()) };
                other_trees.extend(tree_of_owner(&key).map(str::to_owned));
                list(manifest, &key, object, claimed_at)
            })
        })?;
    }
    manifest.forget_unlisted()?;
    manifest.together(|manifest| -> Result<(), UploadError> {
        for file in tree.all_files() {
            compare_file(target, manifest, changes, &file?)?;
        }
        Ok(())
    })?;
    let mut strays = Vec::new();
    let is_elsewhere = |key: &str| other_trees.iter().any(|tree| key.starts_with(tree));
    for key in manifest.unexpected()?.into_iter().filter(|key| !is_elsewhere(key)) {
        match target.keys.document(&key) {
            Some(document) => changes.add(Step::remove(document)),
            None => strays.push(key),
        }
    }
    Ok(strays)
}

fn list(manifest: &Manifest, key: &str, object: &ObjectMeta, claimed_at: i64) -> Result<(), UploadError> {
    if key.split('/').next() == Some(OWN_FOLDER) {
        return Ok(());
    }
    let is_of_owner = object.last_modified.timestamp() > claimed_at;
    Ok(manifest.list(key, object.size, &normal_etag(object.e_tag.clone()), is_of_owner)?)
}

/// Adds a change for each key of a file whose object is missing or different.
fn compare_file(
    target: &Target,
    manifest: &Manifest,
    changes: &Changes,
    file: &TreeFile,
) -> Result<(), UploadError> {
    // Gzip siblings have no object: stores and CDNs compress by themselves.
    if file.document.file().as_deref() != Some(&file.path) {
        return Ok(());
    }
    for key in target.keys.of(&file.document) {
        manifest.mark_expected(&key)?;
        if !manifest.object(&key)?.is_some_and(|object| fits(&object, file)) {
            changes.add(Step::put(file.document.clone()));
        }
    }
    Ok(())
}

/// Whether an object was made of a file as it is now.
fn fits(object: &Object, file: &TreeFile) -> bool {
    // The time of a piece says whether it has expired. Its name says what it holds.
    let is_piece = matches!(file.document, Document::SearchPiece(_));
    let same_time = |time: SystemTime| is_piece || object.modified == time;
    object.sha256.is_some() && object.size == file.size() && same_time(file.modified())
}
