//! Decides which pages of lists for browsers a change outdates. (Other pages say it in the table.)
//!
//! A namespace's pages list skills by the beginnings of their slugs, and the pages of namespaces are sorted by
//! name. So a changed entry outdates one page of them.

use registry::journal::Revision;
use registry::names::{Coordinate, Namespace};

use super::{Plan, page_range};
use crate::address::{Document, WebPage};
use crate::documents::Prefix;
use crate::documents::groups::{SKILLS_PER_GROUP, all, count, page_of};
use crate::documents::list_pages::{MAX_NAMESPACE_PAGES, NAMESPACES_PER_PAGE};

impl Plan<'_> {
    pub(super) fn page(&mut self, page: WebPage) {
        self.outdated.insert(Document::Page(page));
    }

    /// The page that shows a skill which its namespace had before.
    pub(super) fn entry_pages(&mut self, c: &Coordinate) {
        let Some(entry) = self.catalog.namespace(&c.namespace) else { return };
        self.page(match page_of(entry, c) {
            Some(prefix) => WebPage::Group(c.namespace.clone(), prefix),
            None => WebPage::Namespace(c.namespace.clone()),
        });
    }

    /// The pages that show a skill that the row at `revision` added, removed or restored: those of all beginnings
    /// of its slug, and the list of namespaces, which shows a new number of skills. Pages of its promoted copies
    /// link to it while it exists.
    pub(super) fn member_pages(&mut self, c: &Coordinate, revision: Revision) {
        for copy in self.catalog.promoted_from(c) {
            self.page(WebPage::Skill(copy.coordinate.clone()));
        }
        self.page(WebPage::Namespace(c.namespace.clone()));
        for prefix in Prefix::all_of(c) {
            self.page(WebPage::Group(c.namespace.clone(), prefix));
        }
        self.divided_pages(c, revision);
        let listed = self.catalog.namespaces().filter(|entry| entry.is_listed());
        let before = listed.take_while(|entry| entry.state.slug != c.namespace).count() as u64;
        self.page(WebPage::Namespaces(before / NAMESPACES_PER_PAGE + 1));
    }

    /// The pages into which this row may have divided a page that listed too many skills, or which it may have
    /// brought together again. The catalog may have later rows, but each changes one skill at most, so the number at
    /// this row is as near to the present one as the row is to the last.
    fn divided_pages(&mut self, c: &Coordinate, revision: Revision) {
        let Some(entry) = self.catalog.namespace(&c.namespace) else { return };
        let later = usize::try_from(self.catalog.revision().saturating_sub(revision)).unwrap_or(usize::MAX);
        let near = later.saturating_add(1);
        let most = SKILLS_PER_GROUP.saturating_add(near);
        let shorter = Prefix::all_of(c).map(|prefix| prefix.as_str().to_owned());
        for prefix in [String::new()].into_iter().chain(shorter) {
            let now = count(entry, &prefix, most.saturating_add(1));
            if now.saturating_add(near) < SKILLS_PER_GROUP {
                // Longer beginnings have fewer.
                break;
            }
            if now > most {
                continue;
            }
            let skills = entry.skills_beginning(&prefix);
            let next = skills.filter_map(|c| c.slug.as_str().get(..prefix.len() + 1)?.parse().ok());
            for part in next.collect::<Vec<Prefix>>() {
                self.page(WebPage::Group(c.namespace.clone(), part));
            }
        }
    }

    /// All pages of a namespace.
    fn all_pages_of(&mut self, name: &Namespace) {
        self.page(WebPage::Namespace(name.clone()));
        for prefix in all(self.catalog, name) {
            self.page(WebPage::Group(name.clone(), prefix));
        }
    }

    /// The pages that show a new or changed namespace.
    pub(super) fn namespace_pages(&mut self, name: &Namespace) {
        self.all_pages_of(name);
        let namespaces = self.catalog.listed_namespaces() + 1;
        for page in page_range(namespaces, NAMESPACES_PER_PAGE, MAX_NAMESPACE_PAGES) {
            self.page(WebPage::Namespaces(page));
        }
    }
}
