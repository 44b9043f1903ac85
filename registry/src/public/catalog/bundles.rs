//! The bundles of a catalog.

use super::PublicCatalog;
use crate::names::{BundleName, Coordinate, Namespace};
use crate::public::{Bundle, BundleEntry, MAX_BUNDLES, Revision, Skill, VersionEntry};
use crate::time::Timestamp;

impl PublicCatalog {
    /// Ignores bundles of a namespace that this registry does not have: a partial mirror leaves some out. A bundle beyond
    /// a limit, which only a false feed has, is removed.
    pub(super) fn set_bundle(&mut self, revision: Revision, at: Timestamp, bundle: Bundle) {
        if !self.namespaces.contains_key(&bundle.name.namespace) {
            return;
        }
        self.remove_bundle(&bundle.name);
        if self.bundles_of(&bundle.name.namespace).count() >= MAX_BUNDLES
            || self.full_of_bundles(&bundle).is_some()
        {
            return;
        }
        for member in &bundle.members {
            self.bundled.entry(member.coordinate()).or_default().insert(bundle.name.clone());
        }
        let of = self.bundles.entry(bundle.name.namespace.clone()).or_default();
        of.insert(bundle.name.name.clone(), BundleEntry { bundle, updated_at: at, revision });
    }

    pub(super) fn remove_bundle(&mut self, name: &BundleName) {
        let Some(of) = self.bundles.get_mut(&name.namespace) else { return };
        let Some(entry) = of.remove(&name.name) else { return };
        for member in entry.bundle.members {
            let c = member.coordinate();
            if let Some(of) = self.bundled.get_mut(&c) {
                of.remove(name);
                if of.is_empty() {
                    self.bundled.remove(&c);
                }
            }
        }
    }

    /// The bundle with this name.
    pub fn bundle(&self, name: &BundleName) -> Option<&BundleEntry> {
        self.bundles.get(&name.namespace)?.get(&name.name)
    }

    /// The bundles of a namespace, by name.
    pub fn bundles_of(&self, namespace: &Namespace) -> impl Iterator<Item = &BundleEntry> {
        self.bundles.get(namespace).into_iter().flat_map(|of| of.values())
    }

    /// A skill of a bundle that as many other bundles have as may. Its own namespace always has room for it.
    pub(crate) fn full_of_bundles(&self, bundle: &Bundle) -> Option<Coordinate> {
        let foreign = |c: &Coordinate| {
            let others = self.bundles_with(c).filter(|name| name.namespace != c.namespace);
            others.filter(|name| **name != bundle.name).count()
        };
        let members = bundle.members.iter().map(|member| member.coordinate());
        let mut guests = members.filter(|c| c.namespace != bundle.name.namespace);
        guests.find(|c| foreign(c) >= MAX_BUNDLES)
    }

    /// The bundles that have a skill, by name.
    pub fn bundles_with(&self, skill: &Coordinate) -> impl Iterator<Item = &BundleName> {
        self.bundled.get(skill).into_iter().flatten()
    }
}

impl BundleEntry {
    /// The members in the versions that they stand for today, by slug. Those without one are left out.
    pub fn versions<'a>(&'a self, catalog: &'a PublicCatalog) -> Vec<(&'a Skill, &'a VersionEntry)> {
        let shown = self.bundle.members.iter().filter_map(|member| {
            let skill = catalog.skill(&member.coordinate())?;
            Some((skill, skill.required(&member.requirement)?))
        });
        let mut shown: Vec<_> = shown.collect();
        shown.sort_by_key(|(skill, _)| &skill.coordinate.slug);
        shown
    }
}
