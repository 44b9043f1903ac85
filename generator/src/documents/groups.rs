//! How the skills of a namespace are divided among its web pages.
//!
//! Skills are grouped by the beginnings of their slugs, like words in an index of letters: a page lists its skills,
//! or, if they are too many, links to the pages of longer beginnings. So a new skill changes the pages on the way to it
//! and no others, and a page keeps its address whatever comes before it.

use ::registry::names::{Coordinate, Namespace};
use ::registry::public::{NamespaceEntry, PublicCatalog};

use super::Prefix;

/// The most skills that a page lists.
pub(crate) const SKILLS_PER_GROUP: usize = 100;

/// What a page of a namespace shows.
pub(crate) enum Group<'a> {
    /// All skills with its beginning.
    Skills(Vec<&'a Coordinate>),
    /// The skill whose slug is this beginning, if there is one, and the longer beginnings.
    Groups(Option<&'a Coordinate>, Vec<(Prefix, usize)>),
}

impl<'a> Group<'a> {
    /// The content of the page for a beginning; the first page of a namespace has an empty one.
    pub(crate) fn of(entry: &'a NamespaceEntry, prefix: &str) -> Self {
        if count(entry, prefix, SKILLS_PER_GROUP + 1) <= SKILLS_PER_GROUP {
            return Self::Skills(entry.skills_beginning(prefix).collect());
        }
        let own = entry.skills_beginning(prefix).next().filter(|c| c.slug.as_str() == prefix);
        let groups = longer(entry, prefix).into_iter();
        let groups = groups.filter_map(|group| Some((group.beginning(prefix.len() + 1)?, group.count)));
        Self::Groups(own, groups.collect())
    }
}

/// The skills whose slugs begin alike: the first, the last, and their number.
struct Slugs<'a> {
    first: &'a str,
    last: &'a str,
    count: usize,
}

impl Slugs<'_> {
    /// The beginning for the page of a group: one of `length` characters if the page lists the group, otherwise the
    /// longest that all have, so that only the first page may have a single link.
    fn beginning(&self, length: usize) -> Option<Prefix> {
        let end = if self.count <= SKILLS_PER_GROUP { length } else { common(self.first, self.last) };
        self.first.get(..end)?.parse().ok()
    }
}

/// The skills with a beginning by the next character of their slugs, without the one that has none.
fn longer<'a>(entry: &'a NamespaceEntry, prefix: &str) -> Vec<Slugs<'a>> {
    let mut groups: Vec<Slugs<'a>> = Vec::new();
    let next = |slug: &str| slug.as_bytes().get(prefix.len()).copied();
    for slug in entry.skills_beginning(prefix).map(|c| c.slug.as_str()) {
        match groups.last_mut() {
            _ if slug.len() == prefix.len() => {}
            Some(group) if next(group.first) == next(slug) => {
                (group.last, group.count) = (slug, group.count + 1);
            }
            _ => groups.push(Slugs { first: slug, last: slug, count: 1 }),
        }
    }
    groups
}

/// The beginnings with one character more that skills have.
pub(crate) fn next_beginnings(entry: &NamespaceEntry, prefix: &str) -> impl Iterator<Item = Prefix> {
    let groups = longer(entry, prefix).into_iter();
    groups.filter_map(move |group| group.first.get(..prefix.len() + 1)?.parse().ok())
}

/// How many characters are the same at the beginning. Of sorted texts, those of the first and the last are of all.
fn common(first: &str, last: &str) -> usize {
    first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count()
}

/// The number of skills with a beginning, counted no further than to `max`.
pub(crate) fn count(entry: &NamespaceEntry, prefix: &str, max: usize) -> usize {
    entry.skills_beginning(prefix).take(max).count()
}

/// Whether a namespace has a page for a beginning.
pub(crate) fn exists(entry: &NamespaceEntry, prefix: &Prefix) -> bool {
    let is_large = |prefix: &str| count(entry, prefix, SKILLS_PER_GROUP + 1) > SKILLS_PER_GROUP;
    let prefix = prefix.as_str();
    let mut skills = entry.skills_beginning(prefix);
    let Some(first) = skills.next() else { return false };
    if !is_large(&prefix[..prefix.len() - 1]) {
        return false;
    }
    let last = skills.next_back().unwrap_or(first);
    !is_large(prefix) || common(first.slug.as_str(), last.slug.as_str()) == prefix.len()
}

/// The beginnings that have pages, besides the first page.
pub(crate) fn all(catalog: &PublicCatalog, name: &Namespace) -> Vec<Prefix> {
    let mut found = Vec::new();
    let Some(entry) = catalog.namespace(name) else { return found };
    let mut open = vec![String::new()];
    while let Some(prefix) = open.pop() {
        if let Group::Groups(_, groups) = Group::of(entry, &prefix) {
            for (prefix, count) in groups {
                open.extend((count > SKILLS_PER_GROUP).then(|| prefix.as_str().to_owned()));
                found.push(prefix);
            }
        }
    }
    found
}

/// The beginning whose page shows a skill; `None` for the first page of its namespace.
pub(crate) fn page_of(entry: &NamespaceEntry, c: &Coordinate) -> Option<Prefix> {
    let is_small = |prefix: &str| count(entry, prefix, SKILLS_PER_GROUP + 1) <= SKILLS_PER_GROUP;
    if is_small("") {
        return None;
    }
    // A slug that many others begin with is on its own page.
    Prefix::all_of(c).find(|prefix| is_small(prefix.as_str())).or_else(|| Prefix::all_of(c).last())
}
