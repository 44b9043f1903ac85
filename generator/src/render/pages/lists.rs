//! The start page, and the pages of lists: namespaces, and the skills of a namespace.

use registry::api::public::{BundleRecord, NamespaceRecord, SkillSummary};
use registry::names::{BundleName, Namespace};
use registry::public::{NamespaceEntry, Skill, Sort};
use serde_json::{Value, json};

use super::{Links, with};
use crate::address::{
    Document, GitFile, KeywordList, MAX_QUERY_LENGTH, RepositoryName, SkillList, WebPage, exists,
};
use crate::context::RenderContext;
use crate::documents::client_lists::skills_of_repository;
use crate::documents::groups::Group;
use crate::documents::list_pages::{NAMESPACES_PER_PAGE, pages_of_namespaces};
use crate::render::lists::on_page;
use crate::render::search::{Found, matching};
use crate::search::Query;
use crate::settings::{NamespaceRepositories, TreeSettings};

/// The length of each list of skills on the start page.
const HOME_SKILLS: usize = 10;

/// The length of the lists of all skills.
const TOP_SKILLS: usize = 50;

/// The most keywords that are listed.
const TOP_KEYWORDS: usize = 300;

/// The number of namespaces on the start page.
const HOME_NAMESPACES: usize = 20;

impl Links<'_> {
    /// The start page. Only this page shows the size of the registry, because every new skill
    /// changes it, and the keys that sign its history.
    pub(super) fn home(&self, settings: &TreeSettings) -> Value {
        let catalog = self.catalog;
        let keys = settings.keys.iter().filter(|key| key.retired.is_none());
        let by_stars = catalog.list(None, Sort::Stars, 0, usize::MAX);
        let starred = by_stars.take_while(|skill| skill.counters.stars > 0);
        let starred = starred.filter(|skill| skill.latest().is_some()).take(HOME_SKILLS);
        json!({
            "registryTotal": { "skills": catalog.live_total(), "namespaces": catalog.listed_namespaces() },
            "newest": self.skill_cards(catalog.live(0, HOME_SKILLS)),
            "mostStarred": self.skill_cards(starred),
            "namespaces": self.namespace_cards(catalog.largest_namespaces().take(HOME_NAMESPACES)),
            "keys": keys.map(|key| key.key.to_string()).collect::<Vec<_>>(),
        })
    }

    /// A page of the list of namespaces.
    pub(super) fn namespaces(&self) -> Value {
        let catalog = self.catalog;
        let listed = catalog.namespaces().filter(|entry| entry.is_listed());
        let on_page = on_page(listed, self.page.page().unwrap_or(1), NAMESPACES_PER_PAGE);
        let position =
            self.position(pages_of_namespaces(catalog), catalog.listed_namespaces(), NAMESPACES_PER_PAGE);
        with(&position, json!({ "items": self.namespace_cards(on_page) }))
    }

    /// A page of the skills of a namespace whose slugs begin with `prefix`. They are by slug, so that a new version
    /// moves no skill. Only the first page, which has no prefix, shows the number of skills.
    pub(super) fn namespace(&self, context: RenderContext<'_>, name: &Namespace, prefix: &str) -> Value {
        let Some(entry) = self.catalog.namespace(name) else { return Value::Null };
        let (skills, groups) = match Group::of(entry, prefix) {
            Group::Skills(skills) => (skills, Vec::new()),
            Group::Groups(own, groups) => (own.into_iter().collect(), groups),
        };
        let groups = groups.into_iter().map(|(prefix, count)| {
            let href = self.href(&Document::Page(WebPage::Group(name.clone(), prefix.clone())));
            json!({ "prefix": prefix.as_str(), "count": count, "href": href })
        });
        let mut content = json!({
            "namespace": self.namespace_card(entry),
            "prefix": prefix,
            "total": entry.skills().len(),
            "groups": groups.collect::<Vec<_>>(),
            "repository": null,
            "bundles": [],
        });
        if prefix.is_empty() {
            let bundles = self.catalog.bundles_of(name).map(|entry| {
                let href = self.href(&Document::Page(WebPage::Bundle(entry.bundle.name.clone())));
                json!({ "name": entry.bundle.name, "title": entry.bundle.title, "href": href })
            });
            content["bundles"] = bundles.collect();
        }
        if prefix.is_empty() && entry.is_listed() && entry.skills().len() > 0 {
            let has_groups = content["groups"].as_array().is_some_and(|groups| !groups.is_empty());
            content["repository"] = self.repository(context, name, entry.skills().len(), has_groups);
        }
        // `json!` would copy them.
        content["items"] = self.skill_cards(skills.into_iter().filter_map(|c| self.catalog.skill(c))).into();
        content
    }

    /// Whether a namespace is one git repository, and the bounds. A new version does not change the page of a namespace
    /// that is divided into groups, so that page depends on the number of skills alone.
    fn repository(
        &self,
        context: RenderContext<'_>,
        name: &Namespace,
        total: usize,
        has_groups: bool,
    ) -> Value {
        let NamespaceRepositories { skills, bytes } = self.settings.namespace_repositories;
        let is_one = match has_groups {
            true => total as u64 <= skills,
            false => skills_of_repository(context, name).is_some(),
        };
        json!({ "isOne": is_one, "isSure": !has_groups, "maxSkills": skills, "maxBytes": bytes })
    }

    /// The page of a bundle.
    pub(super) fn bundle(&self, context: RenderContext<'_>, name: &BundleName) -> Value {
        let Some(entry) = self.catalog.bundle(name) else { return Value::Null };
        let record = BundleRecord::new(self.catalog, entry);
        let members = record.members.iter().map(|member| {
            let c = member.required.coordinate();
            let shown = self.catalog.skill(&c).and_then(|skill| skill.required(&member.required.requirement));
            let more = json!({
                "coordinate": c.scoped(),
                "href": shown.map(|_| self.href_of_skill(&c)),
                "description": shown.map(|entry| &*entry.description),
            });
            with(member, more)
        });
        json!({
            "bundle": with(&record, json!({ "members": members.collect::<Vec<_>>(), "coordinate": name.to_string() })),
            "hasRepository": exists(context, &Document::Git(RepositoryName::Bundle(name.clone()), GitFile::Refs)),
            "hasMarketplace": exists(context, &Document::BundleMarketplace(name.clone())),
            "recordHref": self.href(&Document::Bundle(name.clone())),
        })
    }

    /// The skills that are first in an order.
    pub(super) fn skills(&self, sort: Sort) -> Value {
        let catalog = self.catalog;
        let mut content = json!({
            "sort": sort.as_str(),
            "total": catalog.list_total(None),
            "recordHref": self.href(&Document::SkillList(SkillList { sort, ..SkillList::default_page() })),
        });
        // `json!` would copy them.
        content["items"] = self.skill_cards(catalog.list(None, sort, 0, TOP_SKILLS)).into();
        content
    }

    /// The keywords that most skills have.
    pub(super) fn keywords(&self) -> Value {
        let mut keywords = self.catalog.keywords(TOP_KEYWORDS + 1);
        let is_all = keywords.len() <= TOP_KEYWORDS;
        keywords.truncate(TOP_KEYWORDS);
        json!({ "keywords": keywords, "isAll": is_all })
    }

    /// The search page with the skills that were found for the first characters of the query.
    pub(super) fn found(&self, context: RenderContext<'_>, list: &KeywordList) -> Value {
        let KeywordList { keyword, namespace, sort, size, page } = list;
        let q: String = keyword.chars().take(MAX_QUERY_LENGTH).collect();
        let found = matching(context, &KeywordList { keyword: q.clone(), ..list.clone() });
        let near = found.near();
        let Found { skills, is_cut, unknown, .. } = found;
        let pages = (skills.len() as u64).div_ceil(*size);
        let items = self.skill_cards(on_page(skills.iter().copied(), *page, *size));
        let corrected = unknown.iter().filter_map(|word| word.instead.clone());
        let also: Vec<_> = Query::new(&q).translated().map(str::to_owned).chain(corrected).collect();
        let searched = (q.len() < keyword.len()).then_some(MAX_QUERY_LENGTH);
        let asked = json!({
            "items": items, "q": q, "within": namespace, "sort": sort.map(Sort::as_str),
            "isMore": is_cut, "searched": searched, "unknown": unknown, "near": near, "also": also,
        });
        json!({ "found": with(&self.position(pages, skills.len(), *size), asked) })
    }

    /// The page's position in a list of `total` items, `size` on a page. `pages` may show fewer,
    /// because `mirror.list_depth` limits them: `shown` says how many.
    fn position(&self, pages: u64, total: usize, size: u64) -> Value {
        let shown = (total as u64).min(pages.saturating_mul(size));
        let page = self.page.page().unwrap_or(1);
        let other = |number| self.page.with_page(number).map(|other| self.href(&other));
        let previous = if page > 1 { other(page - 1) } else { None };
        let next = if page < pages { other(page + 1) } else { None };
        json!({
            "total": total, "shown": shown, "page": page, "pages": pages, "previous": previous, "next": next,
        })
    }

    fn skill_cards<'a>(&self, skills: impl Iterator<Item = &'a Skill>) -> Vec<Value> {
        let card = |skill: &Skill| {
            let c = &skill.coordinate;
            let more = json!({ "coordinate": c.scoped(), "href": self.href_of_skill(c) });
            with(&SkillSummary::new(self.catalog, skill), more)
        };
        skills.map(card).collect()
    }

    fn namespace_cards<'a>(&self, entries: impl Iterator<Item = &'a NamespaceEntry>) -> Vec<Value> {
        entries.map(|entry| self.namespace_card(entry)).collect()
    }

    fn namespace_card(&self, entry: &NamespaceEntry) -> Value {
        let page = Document::Page(WebPage::Namespace(entry.state.slug.clone()));
        with(&NamespaceRecord::new(entry), json!({ "href": self.href(&page) }))
    }
}
