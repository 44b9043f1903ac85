//! Both halves of the state of a registry.

use crate::journal::Revision;
use crate::names::{Coordinate, Digest, Handle, Namespace, reserved_like};
use crate::private::{MemberRole, PrivateCatalog, Review, Takedown};
use crate::public::{Archive, NamespaceEntry, Person, PublicCatalog};

/// The most look-alikes that a reviewer is shown.
const MAX_LOOK_ALIKES: usize = 10;

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

    /// Submitter and author of a review, as far as their accounts are disabled.
    pub fn disabled_accounts(&self, review: &'a Review) -> Vec<&'a Handle> {
        let source = review.source.as_ref().and_then(|(skill, _)| self.public.skill_by_id(*skill));
        let author = source.map_or(&review.author, |source| &source.author);
        let mut people = vec![&review.submitted_by, author];
        people.dedup();
        people.retain(|handle| self.private.user(handle).is_some_and(|user| user.disabled));
        people
    }

    /// Other names that the name of a skill is easily taken for, at most ten: `@namespace`,
    /// `@namespace/slug`, or the name of a reserved namespace.
    pub fn look_alikes(&self, name: &Coordinate, source: Option<&Coordinate>) -> Vec<String> {
        let (namespace, slug) = (name.namespace.as_str(), name.slug.as_str());
        let is_built_in = name.namespace.is_global();
        let reserved = reserved_like(namespace).filter(|_| !is_built_in);
        let similar = self.public.namespaces_like(namespace).filter(|_| !is_built_in);
        let namespaces = similar.chain(self.public.namespaces_like(slug));
        let namespaces = namespaces.filter(|other| **other != name.namespace).map(|name| format!("@{name}"));
        let skills = self.public.skills_like(name).filter(|other| Some(*other) != source);
        let mut found: Vec<String> = Vec::new();
        for other in
            reserved.map(str::to_owned).into_iter().chain(namespaces).chain(skills.map(Coordinate::scoped))
        {
            if !found.contains(&other) {
                found.push(other);
            }
            if found.len() == MAX_LOOK_ALIKES {
                break;
            }
        }
        found
    }

    /// A skill with a version of this content that the registry's staff took down, alone or with the skill.
    pub fn taken_down_by_staff(&self, content: &Digest) -> Option<&'a Coordinate> {
        self.private.takedowns.by_staff().find_map(|Takedown { skill, version }| {
            let name = self.public.name_of(*skill)?;
            let skill = self.public.skill(name).or_else(|| self.public.removed(name))?;
            let mut taken_down =
                skill.versions.iter().filter(|entry| version.is_none_or(|version| version == entry.id));
            taken_down.any(|entry| entry.content_digest == *content).then_some(&skill.coordinate)
        })
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
