//! Compares a bucket with the folder that it follows.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use futures_util::{StreamExt, TryStreamExt, stream};
use generator::address::Document;
use generator::tree::{Fault, Tree};
use object_store::ObjectStoreExt;
use registry::names::Digest;
use serde::Serialize;

use crate::error::UploadError;
use crate::keys::OWN_FOLDER;
use crate::manifest::Manifest;
use crate::store::Target;
use crate::upload::{REQUESTS_AT_ONCE, normal_etag};

/// An object that differs from its file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ObjectDifference {
    /// The key below the prefix.
    pub key: String,
    /// Missing, other bytes, or without a file.
    pub fault: Fault,
}

/// Compares all objects with their files. Reads those whose bytes the manifest does not know. Leaves out expired
/// pieces of the search index: the bucket has those of the server that writes it.
///
/// While the folder is written, files that the bucket does not have yet are differences too.
pub fn compare(target: &Target, tree: &Tree) -> Result<BTreeSet<ObjectDifference>, UploadError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let manifest = Manifest::open(&tree.state_folder(), &target.identity())?;
    runtime.block_on(async {
        let mut listed = BTreeMap::new();
        let mut listing = target.store.list(target.prefix());
        while let Some(object) = listing.try_next().await? {
            if let Some(key) = target.key(&object.location)
                && key.split('/').next() != Some(OWN_FOLDER)
            {
                listed.insert(key, (object.size, normal_etag(object.e_tag)));
            }
        }
        let (mut differences, mut unknown) = (BTreeSet::new(), Vec::new());
        for file in tree.files()? {
            let file = file?;
            if file.document.file().as_deref() != Some(&file.path) {
                continue;
            }
            let mut digest = None;
            for key in target.keys.of(&file.document) {
                let Some((size, etag)) = listed.remove(&key) else {
                    differences.insert(ObjectDifference { key, fault: Fault::Missing });
                    continue;
                };
                if size != file.size() {
                    differences.insert(ObjectDifference { key, fault: Fault::Differs });
                    continue;
                }
                let digest = match digest {
                    Some(digest) => digest,
                    None => *digest.insert(digest_of(tree, &file.document)?),
                };
                let known = manifest.object(&key)?.filter(|known| known.etag == etag && !etag.is_empty());
                if known.and_then(|known| known.sha256).is_none_or(|known| Some(known) != digest) {
                    unknown.push((key, digest));
                }
            }
        }
        let is_piece = |key: &str| matches!(target.keys.document(key), Some(Document::SearchPiece(_)));
        let unexpected = listed.into_keys().filter(|key| !is_piece(key));
        let unexpected = unexpected.map(|key| ObjectDifference { key, fault: Fault::Unexpected });
        differences.extend(unexpected);
        differences.extend(read(target, unknown).await?);
        Ok(differences)
    })
}

/// The digest of a document's file. None if it was removed since it was listed.
fn digest_of(tree: &Tree, document: &Document) -> io::Result<Option<Digest>> {
    tree.open(document)?.map(|file| Digest::of_reader(file).map(|(digest, _)| digest)).transpose()
}

/// Reads objects, and returns those with another digest.
async fn read(
    target: &Target,
    objects: Vec<(String, Option<Digest>)>,
) -> Result<Vec<ObjectDifference>, UploadError> {
    let one = |(key, expected): (String, Option<Digest>)| async move {
        let bytes = match target.store.get(&target.path(&key)?).await {
            Ok(found) => Some(found.bytes().await?),
            Err(object_store::Error::NotFound { .. }) => None,
            Err(why) => return Err(UploadError::from(why)),
        };
        let is_same = bytes.map(|bytes| Digest::of(&bytes)) == expected;
        Ok((!is_same).then_some(ObjectDifference { key, fault: Fault::Differs }))
    };
    let compared = stream::iter(objects).map(one).buffer_unordered(REQUESTS_AT_ONCE);
    compared.try_filter_map(|difference| async move { Ok(difference) }).try_collect().await
}
