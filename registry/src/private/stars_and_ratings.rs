//! Stars and ratings.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use super::Score;
use crate::journal::Revision;
use crate::names::Handle;
use crate::public::{Counters, Hundredths, Id};
use crate::time::Timestamp;

/// All stars and ratings.
#[derive(Default)]
pub struct StarsAndRatings {
    skills: HashMap<Id, Opinions>,
    /// The stars of each person, in the order in which they were given.
    stars_of: HashMap<Handle, BTreeSet<(Revision, Id)>>,
}

#[derive(Default)]
struct Opinions {
    stars: HashMap<Handle, Star>,
    ratings: HashMap<Handle, Score>,
    rating_sum: u64,
}

/// A star.
#[derive(Debug, Clone, Copy)]
pub struct Star {
    revision: Revision,
    /// The time of the star.
    pub at: Timestamp,
}

impl StarsAndRatings {
    pub(super) fn star(&mut self, revision: Revision, at: Timestamp, skill: Id, handle: Handle) {
        let stars = &mut self.skills.entry(skill).or_default().stars;
        if let Entry::Vacant(place) = stars.entry(handle) {
            self.stars_of.entry(place.key().clone()).or_default().insert((revision, skill));
            place.insert(Star { revision, at });
        }
    }

    pub(super) fn unstar(&mut self, skill: Id, handle: &Handle) {
        let star = self.skills.get_mut(&skill).and_then(|opinions| opinions.stars.remove(handle));
        if let (Some(star), Some(own)) = (star, self.stars_of.get_mut(handle)) {
            own.remove(&(star.revision, skill));
        }
    }

    pub(super) fn rate(&mut self, skill: Id, handle: Handle, score: Score) {
        let opinions = self.skills.entry(skill).or_default();
        let before = opinions.ratings.insert(handle, score).map_or(0, |before| u64::from(before.0));
        opinions.rating_sum = opinions.rating_sum - before + u64::from(score.0);
    }

    pub(super) fn unrate(&mut self, skill: Id, handle: &Handle) {
        if let Some(opinions) = self.skills.get_mut(&skill)
            && let Some(score) = opinions.ratings.remove(handle)
        {
            opinions.rating_sum -= u64::from(score.0);
        }
    }

    /// The star that a user gave to a skill.
    pub fn star_of(&self, skill: Id, handle: &Handle) -> Option<Star> {
        self.skills.get(&skill)?.stars.get(handle).copied()
    }

    /// The rating that a user gave to a skill.
    pub fn rating_of(&self, skill: Id, handle: &Handle) -> Option<Score> {
        self.skills.get(&skill)?.ratings.get(handle).copied()
    }

    /// The skills that a user has starred, last star first.
    pub fn stars_of(&self, handle: &Handle) -> impl Iterator<Item = Id> {
        self.stars_of.get(handle).into_iter().flatten().rev().map(|(_, skill)| *skill)
    }

    /// The stars and ratings of a skill. The downloads are 0: the local store
    /// counts them.
    pub fn counters(&self, skill: Id) -> Counters {
        let Some(opinions) = self.skills.get(&skill) else { return Counters::default() };
        let ratings = opinions.ratings.len() as u64;
        Counters {
            downloads: 0,
            stars: opinions.stars.len() as u64,
            rating_average: Hundredths::mean(opinions.rating_sum, ratings),
            ratings,
        }
    }

    /// The mean and the number of a skill's ratings after the rating `before` is
    /// replaced by `now`.
    pub fn rated(&self, skill: Id, before: Option<Score>, now: Score) -> (Option<Hundredths>, u64) {
        let (sum, count) =
            self.skills.get(&skill).map_or((0, 0), |known| (known.rating_sum, known.ratings.len() as u64));
        let sum = sum - before.map_or(0, |before| u64::from(before.0)) + u64::from(now.0);
        let count = count + u64::from(before.is_none());
        (Hundredths::mean(sum, count), count)
    }

    /// All skills that were ever starred or rated, in no particular order.
    pub fn skills(&self) -> impl Iterator<Item = Id> {
        self.skills.keys().copied()
    }
}
