//! How many uploads each person has at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use registry::names::Handle;

use crate::problem::Problem;

/// The uploads of each person, whichever tokens they use. One person cannot take all places.
#[derive(Clone)]
pub(crate) struct UploadPlaces {
    max: usize,
    taken: Arc<Mutex<HashMap<Handle, usize>>>,
}

/// A place for one upload. Dropping it frees the place.
pub(crate) struct UploadPlace {
    places: UploadPlaces,
    person: Handle,
}

impl UploadPlaces {
    /// At most `max` uploads at once for each person.
    pub(crate) fn new(max: usize) -> Self {
        Self { max, taken: Arc::default() }
    }

    /// Takes a place.
    ///
    /// Errors: 429 if this person has as many uploads as allowed.
    pub(crate) fn take(&self, person: &Handle) -> Result<UploadPlace, Problem> {
        let mut taken = self.taken.lock();
        let count = taken.entry(person.clone()).or_default();
        if *count >= self.max {
            let detail = format!("You have {} uploads at once: wait until one of them has ended.", self.max);
            return Err(Problem::rate_limited(detail, Duration::from_secs(5)));
        }
        *count += 1;
        Ok(UploadPlace { places: self.clone(), person: person.clone() })
    }
}

impl Drop for UploadPlace {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        if let Some(count) = taken.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_for_each_person() {
        let places = UploadPlaces::new(2);
        let (ana, ben): (Handle, Handle) = ("ana".parse().unwrap(), "ben".parse().unwrap());
        let first = places.take(&ana).unwrap();
        let _second = places.take(&ana).unwrap();
        assert_eq!(places.take(&ana).err().map(|problem| problem.code().as_str()), Some("rate_limited"));
        assert!(places.take(&ben).is_ok());
        drop(first);
        assert!(places.take(&ana).is_ok());
        assert_eq!(places.taken.lock().len(), 1, "nothing is kept for people without uploads");
    }
}
