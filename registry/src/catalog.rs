//! Both halves of the state of a registry.

use crate::journal::Revision;
use crate::names::{Digest, Handle, Namespace};
use crate::private::{MemberRole, PrivateCatalog};
use crate::public::{Archive, NamespaceEntry, Person, PublicCatalog};

/// A package that has to be in the blob store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedPackage {
    /// The row that names it.
    pub revision: Revision,
    /// The archive.
    pub archive: Archive,
}

/// The state of the registry at one revision. Operations decide on it.
#[derive(Clone, Copy)]
pub struct Catalog<'a> {
    /// The public half.
    pub public: &'a PublicCatalog,
    /// The private half.
    pub private: &'a PrivateCatalog,
}

impl<'a> Catalog<'a> {
    /// The namespace with this name.
    pub fn namespace(&self, name: &Namespace) -> Option<&'a NamespaceEntry> {
        self.public.namespace(name)
    }

    /// The role of a user in a namespace.
    pub fn role(&self, namespace: &Namespace, handle: &Handle) -> Option<MemberRole> {
        self.private.membership(namespace, handle).map(|membership| membership.role)
    }

    /// How a user is shown in public from now on.
    pub fn person(&self, handle: &Handle) -> Person {
        let user = self.private.user(handle);
        user.map_or_else(|| self.public.person(handle), crate::private::User::person)
    }

    /// The archive that this registry has created for a content.
    pub fn archive(&self, content: &Digest) -> Option<Archive> {
        self.public.archive(content).or_else(|| self.private.reviews.archive(content))
    }

    /// Every package that a live, pending or restorable version names. A package
    /// appears once for each version. Other packages may be removed, so
    /// [`Catalog::archive`] never returns them.
    pub fn packages(&self) -> impl Iterator<Item = NamedPackage> + use<'a> {
        // A skill keeps its versions as long as they can be restored.
        let skills = self.public.skills().chain(self.public.all_removed());
        let public = skills.flat_map(|skill| &skill.versions).map(|version| NamedPackage {
            revision: version.revision,
            archive: Archive { sha256: version.sha256, size: version.package_size },
        });
        let waiting = self.private.reviews.all_pending().map(|review| NamedPackage {
            revision: review.id.0,
            archive: Archive { sha256: review.sha256, size: review.package_size },
        });
        public.chain(waiting)
    }
}
