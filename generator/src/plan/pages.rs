//! Decides which pages of lists for browsers a change outdates. (Other pages say it in the table.)
//!
//! A namespace's pages list skills by slug, and the pages of namespaces are sorted by name. So a
//! changed entry outdates one page of them.

use registry::names::{Coordinate, Namespace};
use registry::public::NamespaceEntry;

use super::{Plan, page_range};
use crate::address::{Document, WebPage};
use crate::documents::list_pages::{MAX_NAMESPACE_PAGES, NAMESPACES_PER_PAGE, SKILLS_PER_PAGE, last_page};

impl Plan<'_> {
    pub(super) fn page(&mut self, page: WebPage) {
        self.outdated.insert(Document::Page(page));
    }

    /// The page that shows a skill whose position does not change.
    pub(super) fn entry_pages(&mut self, c: &Coordinate) {
        let skills = self.catalog.namespace(&c.namespace).into_iter().flat_map(NamespaceEntry::skills);
        if let Some(page) = self.page_of(skills, |other| *other == c) {
            self.page(WebPage::Namespace(c.namespace.clone(), page));
        }
    }

    /// The pages that show a skill that was added, removed or restored. Later skills of its
    /// namespace move, and the list of namespaces shows a new number of skills. Pages of its promoted
    /// copies link to it while it exists.
    pub(super) fn member_pages(&mut self, c: &Coordinate) {
        for copy in self.catalog.promoted_from(c) {
            self.page(WebPage::Skill(copy.coordinate.clone()));
        }
        self.pages_from(c);
        *self.member_changes.entry(c.namespace.clone()).or_default() += 1;
        let listed = self.catalog.namespaces().filter(|entry| entry.is_listed());
        let before = listed.take_while(|entry| entry.state.slug != c.namespace).count() as u64;
        self.page(WebPage::Namespaces(before / NAMESPACES_PER_PAGE + 1));
    }

    /// All pages of a namespace.
    pub(super) fn all_pages_of(&mut self, name: &Namespace) {
        let skills = self.catalog.namespace(name).map_or(0, |entry| entry.skills().len());
        for page in page_range(skills, SKILLS_PER_PAGE, self.settings.list_depth) {
            self.page(WebPage::Namespace(name.clone(), page));
        }
    }

    /// The pages of a namespace that change with its list of skills: those from the skill's
    /// position on, and the page before, whose link to the next may change. The first page shows
    /// the number of skills, and the last one may.
    fn pages_from(&mut self, c: &Coordinate) {
        let depth = self.settings.list_depth;
        let entry = self.catalog.namespace(&c.namespace);
        let count = entry.map_or(0, |entry| entry.skills().len());
        let last = last_page(count, SKILLS_PER_PAGE, depth);
        let skills = entry.into_iter().flat_map(NamespaceEntry::skills);
        let position = self.page_of(skills, |other| other.slug >= c.slug);
        let from = position.unwrap_or(last).min(last) - 1;
        for page in page_range(count, SKILLS_PER_PAGE, depth).filter(|page| *page == 1 || *page >= from) {
            self.page(WebPage::Namespace(c.namespace.clone(), page));
        }
    }

    /// All pages of the namespaces that may have got another number of pages, which each of their
    /// pages shows. So does whether the list is cut off, which needs the number without a limit.
    pub(super) fn pages_with_another_number(&mut self) {
        let last = |skills| last_page(skills, SKILLS_PER_PAGE, 0);
        let has_changed = |(name, changes): (Namespace, usize)| {
            let now = self.catalog.namespace(&name).map_or(0, |entry| entry.skills().len());
            (last(now.saturating_sub(changes)) != last(now + changes)).then_some(name)
        };
        let changed: Vec<_> = std::mem::take(&mut self.member_changes).into_iter().collect();
        for name in changed.into_iter().filter_map(has_changed).collect::<Vec<_>>() {
            self.all_pages_of(&name);
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

    /// The page of a namespace that shows a skill. `None` if no page does, for example because the
    /// list is cut off before it.
    fn page_of<T>(&self, skills: impl Iterator<Item = T>, is_wanted: impl Fn(&T) -> bool) -> Option<u64> {
        let depth = self.settings.list_depth;
        let max = if depth == 0 { u64::MAX } else { depth.saturating_mul(SKILLS_PER_PAGE) };
        let mut numbered = (0..max).zip(skills);
        numbered.find(|(_, skill)| is_wanted(skill)).map(|(position, _)| position / SKILLS_PER_PAGE + 1)
    }
}
