//! The lists of skills in all orders, kept sorted while skills change.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;
use std::thread;

use super::keywords::Keywords;
use super::{Id, Skill};
use crate::names::{NameError, Namespace};
use crate::public::Revision;

/// An order of a list of skills. Ties are broken by the most recent update, which no two
/// skills share, because a row changes one skill at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Latest change first.
    Updated,
    /// Newest first.
    Created,
    /// Most downloads first.
    Downloads,
    /// Most stars first.
    Stars,
    /// Highest mean rating first, then most ratings.
    Rating,
    /// Alphabetically by display name, letter case ignored.
    Name,
}

impl Sort {
    /// All orders, the default first.
    pub const ALL: [Self; 6] =
        [Self::Updated, Self::Created, Self::Downloads, Self::Stars, Self::Rating, Self::Name];

    /// The name in queries and paths.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Updated => "updated",
            Self::Created => "created",
            Self::Downloads => "downloads",
            Self::Stars => "stars",
            Self::Rating => "rating",
            Self::Name => "name",
        }
    }

    /// Sorts skills in this order.
    pub fn sort_skills(self, skills: &mut [&Skill]) {
        skills.sort_by_cached_key(|skill| key(self, skill));
    }
}

impl FromStr for Sort {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL.into_iter().find(|sort| sort.as_str() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            NameError::new(format!("there is no such order: sort is one of {known}"))
        })
    }
}

/// The number of orders that are sorted at the same time. Each needs about 120 bytes for each
/// skill meanwhile.
const SORTS_AT_ONCE: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    numbers: Reverse<(u64, u64)>,
    text: Option<Arc<str>>,
    updated: Reverse<Revision>,
    id: Id,
}

fn key(sort: Sort, skill: &Skill) -> Key {
    let counters = &skill.counters;
    let mut text = None;
    let numbers = match sort {
        Sort::Updated => (skill.updated_revision, 0),
        Sort::Created => (skill.created_revision, 0),
        Sort::Downloads => (counters.downloads, 0),
        Sort::Stars => (counters.stars, 0),
        Sort::Rating => (counters.rating_average.map_or(0, |mean| mean.0.into()), counters.ratings),
        Sort::Name => {
            text = skill.display_version().map(|version| version.name.to_lowercase().into());
            (0, 0)
        }
    };
    Key { numbers: Reverse(numbers), text, updated: Reverse(skill.updated_revision), id: skill.id }
}

/// The key among the skills without a latest version, which search leaves out.
/// None for others.
fn hidden(skill: &Skill) -> Option<Key> {
    skill.latest().is_none().then(|| key(Sort::Updated, skill))
}

#[derive(Debug, Default)]
struct Orders([BTreeSet<Key>; Sort::ALL.len()]);

impl Orders {
    fn insert(&mut self, skill: &Skill) {
        for (sort, order) in Sort::ALL.into_iter().zip(&mut self.0) {
            order.insert(key(sort, skill));
        }
    }

    fn remove(&mut self, skill: &Skill) {
        for (sort, order) in Sort::ALL.into_iter().zip(&mut self.0) {
            order.remove(&key(sort, skill));
        }
    }
}

/// One order of the lists of the registry and of each namespace.
#[derive(Default)]
struct Order {
    all: BTreeSet<Key>,
    by_namespace: HashMap<Namespace, BTreeSet<Key>>,
}

impl Order {
    fn of(sort: Sort, skills: &[&Skill]) -> Self {
        let keys = skills.iter().map(|skill| (key(sort, skill), &skill.coordinate.namespace));
        let mut keys: Vec<_> = keys.collect();
        keys.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut by_namespace = HashMap::<_, Vec<_>>::new();
        for (key, namespace) in &keys {
            by_namespace.entry(*namespace).or_default().push(key.clone());
        }
        // A set is quickly made of sorted keys.
        let set = |(name, keys): (&Namespace, Vec<_>)| (name.clone(), keys.into_iter().collect());
        Self {
            by_namespace: by_namespace.into_iter().map(set).collect(),
            all: keys.into_iter().map(|(key, _)| key).collect(),
        }
    }
}

/// The lists of the registry and of each namespace.
#[derive(Debug, Default)]
pub(super) struct Lists {
    all: Orders,
    by_namespace: HashMap<Namespace, Orders>,
    /// The skills of the registry that have no latest version, so that search
    /// leaves them out, latest change first.
    hidden: BTreeSet<Key>,
    keywords: Keywords,
    /// Set during a replay. Sorting the lists at each row would cost more than
    /// all other work.
    is_deferred: bool,
}

impl Lists {
    /// Lists that ignore changes, to be replaced by [`Lists::of`].
    pub(super) fn deferred() -> Self {
        Self { is_deferred: true, ..Self::default() }
    }

    /// The lists of `skills`. Sorts in [`SORTS_AT_ONCE`] threads.
    pub(super) fn of<'a>(skills: impl Iterator<Item = &'a Skill>) -> Self {
        let skills: Vec<_> = skills.collect();
        let hidden = skills.iter().filter_map(|skill| hidden(skill)).collect();
        let mut lists = Self { hidden, keywords: Keywords::all(&skills), ..Self::default() };
        let mut orders: Vec<_> = Sort::ALL.into_iter().map(|sort| (sort, Order::default())).collect();
        for some in orders.chunks_mut(SORTS_AT_ONCE) {
            thread::scope(|threads| {
                for (sort, order) in some {
                    threads.spawn(|| *order = Order::of(*sort, &skills));
                }
            });
        }
        for (index, (_, order)) in orders.into_iter().enumerate() {
            lists.all.0[index] = order.all;
            for (name, keys) in order.by_namespace {
                lists.by_namespace.entry(name).or_default().0[index] = keys;
            }
        }
        lists
    }

    /// Adds a skill.
    pub(super) fn insert(&mut self, skill: &Skill) {
        if !self.is_deferred {
            self.all.insert(skill);
            self.hidden.extend(hidden(skill));
            self.keywords.add(skill);
            self.by_namespace.entry(skill.coordinate.namespace.clone()).or_default().insert(skill);
        }
    }

    /// Removes a skill, which must be unchanged since it was added.
    pub(super) fn remove(&mut self, skill: &Skill) {
        if self.is_deferred {
            return;
        }
        self.all.remove(skill);
        self.keywords.remove(skill);
        if let Some(key) = hidden(skill) {
            self.hidden.remove(&key);
        }
        if let Some(orders) = self.by_namespace.get_mut(&skill.coordinate.namespace) {
            orders.remove(skill);
        }
    }

    fn order(&self, namespace: Option<&Namespace>, sort: Sort) -> Option<&BTreeSet<Key>> {
        let orders = match namespace {
            None => Some(&self.all),
            Some(namespace) => self.by_namespace.get(namespace),
        };
        orders.map(|orders| &orders.0[Sort::ALL.iter().position(|s| *s == sort).unwrap_or(0)])
    }

    /// The length of a list.
    pub(super) fn total(&self, namespace: Option<&Namespace>) -> usize {
        self.order(namespace, Sort::Updated).map_or(0, BTreeSet::len)
    }

    /// `take` skills of a list after the first `skip`.
    pub(super) fn slice(
        &self,
        namespace: Option<&Namespace>,
        sort: Sort,
        skip: usize,
        take: usize,
    ) -> impl Iterator<Item = Id> {
        let order = self.order(namespace, sort);
        order.into_iter().flatten().skip(skip).take(take).map(|key| key.id)
    }

    /// The keywords that most skills have that search can find, each with their number.
    pub(super) fn keywords(&self, max: usize) -> Vec<(&str, usize)> {
        self.keywords.most_used(max)
    }

    /// The number of skills that search can find.
    pub(super) fn live_total(&self) -> usize {
        self.total(None) - self.hidden.len()
    }

    /// `take` of these after the first `skip`, latest change first.
    pub(super) fn live(&self, skip: usize, take: usize) -> impl Iterator<Item = Id> {
        let mut hidden = self.hidden.iter().peekable();
        // Both are in the same order, so one pass over both suffices.
        let is_live = move |key: &&Key| hidden.next_if_eq(key).is_none();
        let all = self.order(None, Sort::Updated).into_iter().flatten();
        all.filter(is_live).skip(skip).take(take).map(|key| key.id)
    }
}
