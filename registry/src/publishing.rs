//! Publishing a package.
//!
//! The order of the steps matters: a refused package must not leave a blob in the store,
//! and no row may name a missing blob.

use crate::api::private::PublishReply;
use crate::disk_health::Part;
use crate::journal::JournalError;
use crate::names::Digest;
use crate::ops::publish::publish;
pub use crate::ops::publish::{FromSource, PublishInput};
use crate::package::{ArchiveError, Package};
use crate::public::Archive;
use crate::registry::{Caller, CommitError, Committed, Registry};

/// Whether to write anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishMode {
    /// Only check the package and return the reply.
    DryRun,
    /// Publish the package.
    Commit,
}

/// Why a package was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The archive cannot be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The package is refused, or the journal cannot be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

/// A package's archive.
#[derive(Debug)]
pub struct Prepared {
    archive: Archive,
    /// The bytes, unless they are stored.
    to_store: Option<Vec<u8>>,
}

impl Registry {
    /// Finds the stored archive of a content. The archive is then kept for at least a day,
    /// even if no version names it any longer. None if it is unknown or lost.
    pub fn stored_archive(&self, content: &Digest) -> Result<Option<Archive>, JournalError> {
        let Some(archive) = self.read(|catalog| catalog.archive(content)) else { return Ok(None) };
        let is_there = self.disk_health.record(
            Part::Packages,
            0,
            self.blobs().renew_blob(archive.sha256, archive.size),
        )?;
        Ok(is_there.then_some(archive))
    }

    /// Publishes a package: finds or makes its archive, checks the request, stores a new
    /// archive, and then commits. `revision` is None if nothing was written: in a dry run,
    /// or if the version is already published or waits for review.
    pub fn publish(
        &self,
        caller: &Caller,
        input: PublishInput<'_>,
        mode: PublishMode,
    ) -> Result<Committed<PublishReply>, PublishError> {
        let prepared = self.prepare(input.package)?;
        if mode == PublishMode::DryRun {
            let reply = self.dry_run(caller, |context| publish(context, &input, prepared.archive))?;
            return Ok(Committed { reply, revision: None, is_public: false });
        }
        let published = self.publish_prepared(caller, &input, prepared)?;
        self.make_durable(published.revision).map_err(CommitError::from)?;
        Ok(published)
    }

    /// Finds or makes the archive of a package. Writes nothing.
    pub fn prepare(&self, package: &Package) -> Result<Prepared, PublishError> {
        if let Some(archive) = self.stored_archive(&package.content_digest).map_err(CommitError::from)? {
            return Ok(Prepared { archive, to_store: None });
        }
        let bytes = package.archive()?;
        let archive = Archive { sha256: Digest::of(&bytes), size: bytes.len() as u64 };
        Ok(Prepared { archive, to_store: Some(bytes) })
    }

    /// Stores the archive if it is new and the package would be published now. Several
    /// threads may do this while another calls [`Self::publish_prepared`]. The disk then
    /// syncs their files together.
    pub fn store_if_accepted(
        &self,
        caller: &Caller,
        input: &PublishInput<'_>,
        prepared: &mut Prepared,
    ) -> Result<PublishReply, PublishError> {
        let reply = self.dry_run(caller, |context| publish(context, input, prepared.archive))?;
        if reply.is_new
            && let Some(bytes) = prepared.to_store.take()
        {
            self.put_blob(&bytes).map_err(CommitError::from)?;
        }
        Ok(reply)
    }

    /// Publishes a prepared package like [`Self::publish`], but returns before its row is
    /// durable. Call [`Self::make_durable`] before you report the outcome.
    pub fn publish_prepared(
        &self,
        caller: &Caller,
        input: &PublishInput<'_>,
        mut prepared: Prepared,
    ) -> Result<Committed<PublishReply>, PublishError> {
        if prepared.to_store.is_some() {
            let reply = self.store_if_accepted(caller, input, &mut prepared)?;
            if !reply.is_new {
                return Ok(Committed { reply, revision: None, is_public: false });
            }
        }
        Ok(self.commit_unsynced(caller, |context| publish(context, input, prepared.archive))?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::access::Credential;
    use crate::journal::{BlobSource, Journal, MemoryJournal};
    use crate::ops::publish::NamespaceConflict;
    use crate::ops::set_up::{SetUp, set_up};
    use crate::package::{Limits, LooseFile, Package, ReadOptions, Strictness};
    use crate::private::Secret;

    fn package(text: &str) -> Package {
        let content = format!("---\nname: hello\ndescription: {text}\n---\n").into_bytes();
        let file = LooseFile { path: "SKILL.md".into(), executable: false, content };
        let options = ReadOptions {
            source_name: None,
            strictness: Strictness::Strict,
            limits: &Limits::default(),
            allowed_files: &[],
        };
        Package::from_files(vec![file], &options).unwrap()
    }

    fn to_publish<'a>(package: &'a Package, namespace: &str) -> PublishInput<'a> {
        PublishInput {
            package,
            namespace: Some(namespace.parse().unwrap()),
            requested_name: None,
            on_namespace_conflict: NamespaceConflict::Refuse,
            version: None,
            changelog: String::new(),
            tags: Vec::new(),
            source_published_at: None,
            attestation: None,
            wait_level: None,
            source: None,
            quotas: crate::quotas::Quotas::UNLIMITED,
        }
    }

    fn by(handle: Option<&str>) -> Caller {
        let acting_as = handle.map(|handle| handle.parse().unwrap());
        Caller { credential: Credential::Operator { acting_as }, request: None }
    }

    /// A registry with an admin, and its journal.
    fn set_up_registry() -> (Registry, Arc<MemoryJournal>) {
        let journal = Arc::new(MemoryJournal::new());
        let registry = Registry::open(Arc::clone(&journal)).unwrap();
        let secret = Secret::generate().unwrap();
        let input =
            SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
        registry.commit(&by(None), |context| set_up(context, &input)).unwrap();
        (registry, journal)
    }

    #[test]
    fn publish_writes_only_new_and_accepted_packages() {
        let (registry, journal) = set_up_registry();
        let admin = by(Some("admin"));
        let package = package("Says hello.");
        let blob = Digest::of(&package.archive().unwrap());
        let state = || (journal.head().unwrap(), journal.open_blob(blob).unwrap().is_some());

        let refused = registry.publish(&admin, to_publish(&package, "nobodys"), PublishMode::Commit);
        assert!(matches!(refused, Err(PublishError::Commit(CommitError::Op(_)))));
        let rehearsed =
            registry.publish(&admin, to_publish(&package, "global"), PublishMode::DryRun).unwrap();
        assert_eq!((rehearsed.reply.is_new, rehearsed.revision, state()), (true, None, (1, false)));

        let published =
            registry.publish(&admin, to_publish(&package, "global"), PublishMode::Commit).unwrap();
        assert_eq!((published.reply.is_new, published.revision, state()), (true, Some(2), (2, true)));
        let again = registry.publish(&admin, to_publish(&package, "global"), PublishMode::Commit).unwrap();
        assert_eq!((again.reply.is_new, again.revision, state()), (false, None, (2, true)));
    }

    #[test]
    fn package_whose_row_could_not_be_read_again_is_not_published() {
        let (registry, journal) = set_up_registry();
        let mut package = package("Says hello.");
        // The reader of front matter refuses this key. It is put in behind its back.
        let unreadable = serde_json::json!({ "$serde_json::private::RawValue": "{" });
        package.manifest.front_matter.insert("metadata".into(), unreadable);
        let refused =
            registry.publish(&by(Some("admin")), to_publish(&package, "global"), PublishMode::Commit);
        assert!(matches!(refused, Err(PublishError::Commit(CommitError::Journal(_)))));
        assert_eq!(journal.head().unwrap(), 1);
    }
}
