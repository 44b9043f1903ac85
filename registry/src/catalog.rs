//! Both halves of the state that a prefix of the journal makes.

use crate::names::{Digest, Handle, Namespace};
use crate::private::{MemberRole, PrivateCatalog};
use crate::public::{Archive, NamespaceEntry, Person, PublicCatalog};

/// What operations decide on: a view of the registry at one revision.
#[derive(Clone, Copy)]
pub struct Catalog<'a> {
    /// What everyone may see.
    pub public: &'a PublicCatalog,
    /// What only the registry knows.
    pub private: &'a PrivateCatalog,
}

impl<'a> Catalog<'a> {
    /// A namespace by its name.
    pub fn namespace(&self, name: &Namespace) -> Option<&'a NamespaceEntry> {
        self.public.namespace(name)
    }

    /// Someone's role in a namespace.
    pub fn role(&self, namespace: &Namespace, handle: &Handle) -> Option<MemberRole> {
        self.private.membership(namespace, handle).map(|membership| membership.role)
    }

    /// How someone is shown in public from now on.
    pub fn person(&self, handle: &Handle) -> Person {
        let user = self.private.user(handle);
        user.map_or_else(|| self.public.person(handle), crate::private::User::person)
    }

    /// The archive that this registry made for a content.
    pub fn archive(&self, content: &Digest) -> Option<Archive> {
        self.public.archive(content).or_else(|| self.private.archive(content))
    }
}
