//! Decides which pages of lists for browsers, and which sitemaps, a change outdates. (Other pages say it in the table.)
//!
//! A namespace's pages list skills by the beginnings of their slugs, and the pages of namespaces are sorted by
//! name. So a changed entry outdates one page of them.

use registry::journal::Revision;
use registry::names::{Coordinate, Namespace};

use super::{Plan, page_range};
use crate::address::{CrawlerFile, Document, Initial, WebPage};
use crate::documents::Prefix;
use crate::documents::groups::{SKILLS_PER_GROUP, all, count, next_beginnings, page_of};
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

    /// Notes a skill that the row at `revision` added, removed or restored.
    pub(super) fn member(&mut self, c: Coordinate, revision: Revision) {
        self.members.insert(c);
        self.first_member.get_or_insert(revision);
    }

    /// The pages that show the noted skills: those of all beginnings of their slugs, and the list of namespaces, which
    /// shows new numbers of skills. Pages of promoted copies link to a skill while it exists.
    ///
    /// This happens once for all rows, because skills of one namespace share beginnings.
    pub(super) fn member_pages(&mut self) {
        let (members, catalog) = (std::mem::take(&mut self.members), self.catalog);
        let near = self.first_member.map_or(0, |first| catalog.revision().saturating_sub(first));
        let near = usize::try_from(near).unwrap_or(usize::MAX).saturating_add(1);
        let mut last: Option<&Coordinate> = None;
        for c in &members {
            for copy in catalog.promoted_from(c) {
                self.page(WebPage::Skill(copy.coordinate.clone()));
            }
            let before = last.replace(c).filter(|before| before.namespace == c.namespace);
            if before.is_none() {
                self.page(WebPage::Namespace(c.namespace.clone()));
                let listed = catalog.namespaces().filter(|entry| entry.is_listed());
                let position = listed.take_while(|entry| entry.state.slug != c.namespace).count() as u64;
                self.page(WebPage::Namespaces(position / NAMESPACES_PER_PAGE + 1));
                self.sitemaps(&c.namespace);
                self.divided_page(&c.namespace, "", near);
            }
            let is_new =
                |prefix: &Prefix| !before.is_some_and(|c| c.slug.as_str().starts_with(prefix.as_str()));
            for prefix in Prefix::all_of(c).filter(is_new) {
                self.divided_page(&c.namespace, prefix.as_str(), near);
                self.page(WebPage::Group(c.namespace.clone(), prefix));
            }
        }
    }

    /// The pages into which these rows may have divided a page that listed too many skills, or which they may have
    /// brought together again. The catalog may have later rows, but each changes one skill at most, so the number
    /// before these rows is `near` the present one.
    fn divided_page(&mut self, namespace: &Namespace, prefix: &str, near: usize) {
        let Some(entry) = self.catalog.namespace(namespace) else { return };
        let most = SKILLS_PER_GROUP.saturating_add(near);
        let now = count(entry, prefix, most.saturating_add(1));
        if now <= most && now.saturating_add(near) > SKILLS_PER_GROUP {
            for part in next_beginnings(entry, prefix) {
                self.page(WebPage::Group(namespace.clone(), part));
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

    /// The sitemaps that name a namespace, or did.
    fn sitemaps(&mut self, name: &Namespace) {
        let files = [Initial::of(name).map(CrawlerFile::Sitemap), Some(CrawlerFile::Sitemaps)];
        self.outdated.extend(files.into_iter().flatten().map(Document::Crawlers));
    }

    /// The pages that show a new or changed namespace.
    pub(super) fn namespace_pages(&mut self, name: &Namespace) {
        self.all_pages_of(name);
        self.sitemaps(name);
        let namespaces = self.catalog.listed_namespaces() + 1;
        for page in page_range(namespaces, NAMESPACES_PER_PAGE, MAX_NAMESPACE_PAGES) {
            self.page(WebPage::Namespaces(page));
        }
    }
}
