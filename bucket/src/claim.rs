//! Whose bucket it is, and whether its store can be trusted.
//!
//! A writer of a bucket replaces objects. It deletes objects that a registry has put and that its own
//! tree does not have. A mistyped address may be the bucket of somebody else. So an object names the
//! owner, as in a folder (`generator/src/tree/owner.rs`), and a bucket with objects but without an owner
//! is refused.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use generator::tree::{Claimant, Tree};
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt, PutMode};
use registry::journal::Epoch;
use registry::sanitize::escape_line;
use serde::{Deserialize, Serialize};

use crate::attributes;
use crate::keys::OWN_FOLDER;
use crate::manifest::Manifest;
use crate::objects::unique;
use crate::target::Target;
use crate::upload::UploadError;

/// The object that names the owner, and the folder of those that try the store.
const OWNER: &str = ".skillmirror/owner.json";
const PROBES: &str = ".skillmirror/probes";

/// The most foreign objects that are counted, and the most keys that a message shows.
const MAX_COUNTED: usize = 1000;
const MAX_SHOWN: usize = 3;

/// Who wants to write a bucket.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The registry, or the mirror of one.
    pub claimant: Claimant,
    /// Whether the bucket of another registry, or one with objects of somebody else, is taken over.
    pub replaces: bool,
}

/// The owner of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Owner {
    /// Whether it is the mirror of a registry.
    is_mirror: bool,
    /// The name of its history when it took the bucket.
    epoch: Epoch,
    /// How objects were put since then: see [`attributes::VERSION`].
    attributes: u32,
}

impl Claim {
    /// Takes a bucket, or refuses to. Returns when the object was put that names the owner, in Unix seconds of the
    /// store. Objects of that second or before may be of somebody else, or have other attributes.
    pub(crate) async fn take(
        &self,
        target: &Target,
        manifest: &Manifest,
        tree: &Tree,
    ) -> Result<i64, UploadError> {
        let place = target.path(OWNER)?;
        if !self.replaces && manifest.fact("owner")?.is_none() {
            refuse_unowned(target, &place).await?;
        }
        probe(target).await?;
        self.write_owner(&place, target, manifest, tree).await?;
        // A listing, as for the objects: not every store says it otherwise.
        let mut listed = target.store.list(Some(&target.path(OWN_FOLDER)?));
        while let Some(object) = listed.try_next().await? {
            if object.location == place {
                return Ok(object.last_modified.timestamp());
            }
        }
        let why = "the store does not list the object that names the owner";
        Err(std::io::Error::new(std::io::ErrorKind::NotFound, why).into())
    }

    /// Creates the object that names the owner, or checks it.
    async fn write_owner(
        &self,
        place: &Path,
        target: &Target,
        manifest: &Manifest,
        tree: &Tree,
    ) -> Result<(), UploadError> {
        let epochs = match &self.claimant {
            Claimant::Registry(epochs) => epochs.clone(),
            Claimant::Mirror => tree.head().map(|head| head.epoch).into_iter().collect(),
        };
        let is_mirror = self.claimant == Claimant::Mirror;
        let Some(epoch) = epochs.last().cloned() else { return Err(UploadError::Incomplete) };
        let own = Owner { is_mirror, epoch, attributes: attributes::VERSION };
        let own = serde_json::to_string(&own).map_err(std::io::Error::other)?;
        match target.store.put_opts(place, own.clone().into(), PutMode::Create.into()).await {
            Ok(_) => {
                manifest.forget_objects()?;
                return Ok(manifest.set_fact("owner", &own)?);
            }
            Err(why) if is_taken(&why) => {}
            Err(why) => return Err(why.into()),
        }
        let bytes = read_owner(target, place).await?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let owner: Option<Owner> = serde_json::from_str(&text).ok();
        let is_own =
            owner.as_ref().is_some_and(|owner| owner.is_mirror == is_mirror && epochs.contains(&owner.epoch));
        // A mirror may follow its source to another history.
        let is_own = is_own || manifest.fact("owner")?.as_deref() == Some(&*text);
        if is_own && owner.as_ref().is_some_and(|owner| owner.attributes == attributes::VERSION) {
            return Ok(manifest.set_fact("owner", &text)?);
        }
        if is_own || self.replaces {
            target.store.put(place, own.clone().into()).await?;
            manifest.forget_objects()?;
            return Ok(manifest.set_fact("owner", &own)?);
        }
        let of = owner.map_or("someone else".to_owned(), |owner| {
            let what = if owner.is_mirror { "a mirror of another registry" } else { "another registry" };
            format!("{what} (epoch {})", owner.epoch)
        });
        Err(UploadError::Refused(format!(
            "{} belongs to {of}: name another prefix in mirror.target, or add --replace-tree to delete all its objects",
            target.name()
        )))
    }
}

/// The prefix of another registry's tree, with its final slash, if the key is that of its owner object.
pub(crate) fn tree_of_owner(key: &str) -> Option<&str> {
    key.strip_suffix(OWNER).filter(|prefix| prefix.ends_with('/'))
}

async fn read_owner(target: &Target, place: &Path) -> Result<Option<Bytes>, UploadError> {
    match target.store.get(place).await {
        Ok(found) => Ok(Some(found.bytes().await?)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

/// Refuses a bucket that has objects and no owner.
async fn refuse_unowned(target: &Target, place: &Path) -> Result<(), UploadError> {
    if read_owner(target, place).await?.is_some() {
        return Ok(());
    }
    let listed = target.store.list(target.prefix());
    let keys = listed.try_filter_map(|object| async move { Ok(target.key(&object.location)) });
    let is_foreign = |key: &String| std::future::ready(key.split('/').next() != Some(OWN_FOLDER));
    let keys: Vec<_> = keys.try_filter(is_foreign).take(MAX_COUNTED).try_collect().await?;
    // Meanwhile another server of this registry may have claimed the bucket and put these objects.
    if keys.is_empty() || read_owner(target, place).await?.is_some() {
        return Ok(());
    }
    let count = match keys.len() {
        1 => "1 object".to_owned(),
        MAX_COUNTED => format!("{MAX_COUNTED} objects or more"),
        count => format!("{count} objects"),
    };
    let shown: Vec<_> = keys.iter().take(MAX_SHOWN).map(escape_line).collect();
    let more = if keys.len() > MAX_SHOWN { ", …" } else { "" };
    Err(UploadError::Occupied(format!(
        "{} has {count} of somebody else ({}{more}), and nothing says that it belongs to this registry: name an empty \
         prefix in mirror.target, or add --replace-tree to write the tree among them (it replaces objects that have \
         the key of a document, and leaves the others alone)",
        target.name(),
        shown.join(", "),
    )))
}

/// Refuses a store that overwrites an object that must be created. Each process tries an object of its
/// own, because another one could delete it meanwhile.
pub(crate) async fn probe(target: &Target) -> Result<(), UploadError> {
    let place = target.path(&format!("{PROBES}/{}", unique()))?;
    for attempt in 1..=2 {
        match target.store.put_opts(&place, "probe".into(), PutMode::Create.into()).await {
            Ok(_) if attempt == 1 => {}
            Err(why) if is_taken(&why) => {}
            Ok(_) => {
                return Err(UploadError::Refused(format!(
                    "the store of {} ignores conditional puts (If-None-Match: *), so two writers would overwrite each \
                     other: use a store that has them",
                    target.name()
                )));
            }
            Err(why) => return Err(why.into()),
        }
    }
    Ok(target.store.delete(&place).await?)
}

pub(crate) fn is_taken(why: &StoreError) -> bool {
    matches!(why, StoreError::AlreadyExists { .. } | StoreError::Precondition { .. })
}
