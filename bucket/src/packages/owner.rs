//! Whose packages a bucket has. A removal deletes each package that the registry does not name: with a
//! mistyped address that would be those of another registry. So an object names the owner.

use std::sync::atomic::Ordering;

use object_store::{Error as StoreError, ObjectStoreExt, PutMode};
use registry::journal::JournalError;
use registry::names::Digest;

use super::BucketBlobs;
use crate::claim::is_taken;
use crate::upload::UploadError;

/// The object that names the owner, by the link of its first row.
const OWNER: &str = "packages-of";

/// Whose packages a bucket has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Nobody's yet.
    Unclaimed,
    /// This registry's.
    Own,
    /// Another registry's, or a registry's whose journal is lost.
    Foreign,
}

impl BucketBlobs {
    /// Looks whose packages the bucket has. Changes nothing.
    pub fn ownership(&self) -> Result<Ownership, JournalError> {
        let origin = (self.origin)()?;
        let owner = self.objects.run(0, |target| async move {
            match target.store.get(&target.path(OWNER)?).await {
                Ok(found) => Ok(Some(found.bytes().await?)),
                Err(StoreError::NotFound { .. }) => Ok(None),
                Err(why) => Err(why),
            }
        });
        let owner = owner.map_err(|why| self.failed(&why))?;
        let is_own = |text: &[u8]| origin.is_some_and(|origin| text == origin.to_string().as_bytes());
        Ok(match owner {
            None => Ownership::Unclaimed,
            Some(text) if is_own(&text) => Ownership::Own,
            Some(_) => Ownership::Foreign,
        })
    }

    /// Takes the bucket, if nobody has it. Before the first row of the registry this does nothing.
    ///
    /// Errors: the bucket has the packages of another registry, or the store fails.
    pub fn claim(&self) -> Result<(), JournalError> {
        if self.is_own.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut ownership = self.ownership()?;
        if ownership == Ownership::Unclaimed {
            let Some(origin) = (self.origin)()? else { return Ok(()) };
            self.create(origin)?;
            // Another registry may have been faster, or the store may have overwritten.
            ownership = self.ownership()?;
        }
        match ownership {
            Ownership::Own => {
                self.is_own.store(true, Ordering::Relaxed);
                Ok(())
            }
            Ownership::Unclaimed | Ownership::Foreign => Err(JournalError::Storage(self.refusal().into())),
        }
    }

    /// Says that the bucket is another registry's, and what to do.
    pub fn refusal(&self) -> String {
        format!(
            "{} has the packages of another registry: correct storage.packages, or name another prefix",
            self.name()
        )
    }

    fn create(&self, origin: Digest) -> Result<(), JournalError> {
        let created = self.objects.run(0, move |target| async move {
            let place = target.path(OWNER)?;
            target.store.put_opts(&place, origin.to_string().into(), PutMode::Create.into()).await.map(drop)
        });
        match created {
            Ok(()) => Ok(()),
            Err(UploadError::Store(why)) if is_taken(&why) => Ok(()),
            Err(why) => Err(self.failed(&why)),
        }
    }
}
