//! Whose bucket it is, and whether its store can be trusted.
//!
//! A writer of a bucket replaces and deletes objects. With a mistyped address, they would be those of somebody else.
//! So an object names the owner: of a tree as in a folder ([`Claimant::owns`]), of packages by the first row of the
//! registry. Tree and packages have a prefix each. The process that creates the object first has the prefix.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use generator::tree::{Claimant, Owner, Tree};
use object_store::{Error as StoreError, ObjectStoreExt, PutMode};
use registry::sanitize::escape_line;
use serde::{Deserialize, Serialize};

use crate::attributes;
use crate::error::UploadError;
use crate::keys::OWN_FOLDER;
use crate::manifest::Manifest;
use crate::objects::unique;
use crate::store::Target;
use crate::store_error::is_taken;

/// The object that names the owner of a tree, and the folder of those that try the store.
const OWNER: &str = ".skillmirror/owner.json";
const PROBES: &str = ".skillmirror/probes";

/// The most foreign objects that are counted, and the most keys that a message shows.
const MAX_COUNTED: usize = 1000;
const MAX_SHOWN: usize = 3;

/// The request of a registry or a mirror to write the tree in a bucket.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The registry, or the mirror of one.
    pub claimant: Claimant,
    /// Whether the bucket of another registry, or one with objects of somebody else, is taken over.
    pub replaces: bool,
}

/// The owner of the tree in a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TreeOwner {
    #[serde(flatten)]
    owner: Owner,
    /// How objects were put since then: see [`attributes::VERSION`].
    attributes: u32,
}

/// Creates the object that names an owner, with the text `own`. If there is one, returns its text.
pub async fn create_owner(target: &Target, key: &str, own: &str) -> Result<Option<Bytes>, StoreError> {
    let found = read_owner(target, key).await?;
    if found.is_some() {
        return Ok(found);
    }
    let place = target.path(key)?;
    match target.store.put_opts(&place, own.to_owned().into(), PutMode::Create.into()).await {
        Ok(_) => Ok(None),
        Err(why) if is_taken(&why) => Ok(Some(read_owner(target, key).await?.unwrap_or_default())),
        Err(why) => Err(why),
    }
}

/// The text of the object that names an owner. None if nobody has the prefix.
pub async fn read_owner(target: &Target, key: &str) -> Result<Option<Bytes>, StoreError> {
    match target.store.get(&target.path(key)?).await {
        Ok(found) => Ok(Some(found.bytes().await?)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(why) => Err(why),
    }
}

impl Claim {
    /// Takes a bucket, or refuses to. Returns when the object was put that names the owner, in Unix seconds of the
    /// store. Objects of that second or before may be of somebody else, or have other attributes.
    pub async fn take(&self, target: &Target, manifest: &Manifest, tree: &Tree) -> Result<i64, UploadError> {
        if !self.replaces && manifest.fact("owner")?.is_none() {
            refuse_unowned(target).await?;
        }
        probe(target).await?;
        self.write_owner(target, manifest, tree).await?;
        let place = target.path(OWNER)?;
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
        target: &Target,
        manifest: &Manifest,
        tree: &Tree,
    ) -> Result<(), UploadError> {
        let owner = self.claimant.as_owner(tree).ok_or(UploadError::Incomplete)?;
        let own = TreeOwner { owner, attributes: attributes::VERSION };
        let own = serde_json::to_string(&own).map_err(std::io::Error::other)?;
        let Some(bytes) = create_owner(target, OWNER, &own).await? else {
            manifest.forget_objects()?;
            return Ok(manifest.set_fact("owner", &own)?);
        };
        let text = String::from_utf8_lossy(&bytes);
        let found: Option<TreeOwner> = serde_json::from_str(&text).ok();
        let is_own = found.as_ref().is_some_and(|found| self.claimant.owns(&found.owner, tree));
        // A mirror may follow its source to another history.
        let is_own = is_own || manifest.fact("owner")?.as_deref() == Some(&*text);
        if is_own && found.as_ref().is_some_and(|found| found.attributes == attributes::VERSION) {
            return Ok(manifest.set_fact("owner", &text)?);
        }
        if is_own || self.replaces {
            target.store.put(&target.path(OWNER)?, own.clone().into()).await?;
            manifest.forget_objects()?;
            return Ok(manifest.set_fact("owner", &own)?);
        }
        let of = found.map_or("someone else".to_owned(), |TreeOwner { owner, .. }| {
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
pub fn tree_of_owner(key: &str) -> Option<&str> {
    key.strip_suffix(OWNER).filter(|prefix| prefix.ends_with('/'))
}

/// Refuses a bucket that has objects and no owner.
async fn refuse_unowned(target: &Target) -> Result<(), UploadError> {
    if read_owner(target, OWNER).await?.is_some() {
        return Ok(());
    }
    let listed = target.store.list(target.prefix());
    let keys = listed.try_filter_map(|object| async move { Ok(target.key(&object.location)) });
    let is_foreign = |key: &String| std::future::ready(key.split('/').next() != Some(OWN_FOLDER));
    let keys: Vec<_> = keys.try_filter(is_foreign).take(MAX_COUNTED).try_collect().await?;
    // Meanwhile another server of this registry may have claimed the bucket and put these objects.
    if keys.is_empty() || read_owner(target, OWNER).await?.is_some() {
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
async fn probe(target: &Target) -> Result<(), UploadError> {
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
