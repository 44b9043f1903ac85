//! The newest writer, as a waiting server sees it.

use std::time::{Duration, Instant};

use object_store::ObjectMeta;
use object_store::path::Path;

/// How long the object of a writer must stay unchanged until another server takes the next number. Longer
/// than a right [`LASTS`](super::right::LASTS).
pub const QUIET: Duration = Duration::from_secs(6);

/// The object with the highest number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Newest {
    /// The number.
    pub number: u64,
    /// The object, as it was listed.
    pub object: ObjectMeta,
}

impl Newest {
    /// The newest of the listed objects.
    pub fn of(listed: &[ObjectMeta]) -> Option<Self> {
        let numbered = listed.iter().filter_map(|object| Some((number_of(&object.location)?, object)));
        let (number, object) = numbered.max_by_key(|(number, _)| *number)?;
        Some(Self { number, object: object.clone() })
    }

    /// Whether the writer has said that it ends: its object is empty.
    pub fn has_ended(&self) -> bool {
        self.object.size == 0
    }
}

/// The number of a writer's object.
pub fn number_of(place: &Path) -> Option<u64> {
    place.filename()?.parse().ok()
}

/// The newest writer, and since when it looks as it does.
#[derive(Debug, Default)]
pub struct Watch {
    seen: Option<(Option<Newest>, Instant)>,
    /// The highest number that was ever seen.
    highest: u64,
}

impl Watch {
    /// The highest number that was ever seen.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// Notes a listing. Returns whether what it shows has not changed for [`QUIET`]: from the answer that
    /// showed it first to the moment before this listing was asked for.
    ///
    /// A bucket that never had a writer is quiet at once. If somebody has deleted the object of a writer,
    /// that puts it again.
    pub fn is_quiet(&mut self, newest: Option<&Newest>, asked: Instant, answered: Instant) -> bool {
        self.highest = self.highest.max(newest.map_or(0, |newest| newest.number));
        match &self.seen {
            None if newest.is_none() => true,
            Some((seen, since)) if seen.as_ref() == newest => {
                asked.saturating_duration_since(*since) >= QUIET
            }
            _ => {
                self.seen = Some((newest.cloned(), answered));
                false
            }
        }
    }
}
