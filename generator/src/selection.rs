//! What a partial mirror has of its source.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use registry::journal::Revision;
use registry::names::{Coordinate, Namespace, Version};
use registry::public::{DecodedRow, PublicCatalog, PublicChange};
use registry::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Which versions a partial mirror has. All rows stay in its feed and log, so that each can be
/// proved; the others have no document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selection {
    /// Only the skills of these namespaces; empty: of all.
    pub namespaces: BTreeSet<Namespace>,
    /// Only versions that were published after this revision.
    pub since: Revision,
    /// Only versions that are this old, in seconds.
    pub min_age: u64,
    /// Without these skills and versions: `@namespace/slug` or `@namespace/slug@version`.
    #[cfg_attr(feature = "openapi", schemars(with = "BTreeSet<String>"))]
    pub deny: BTreeSet<Denied>,
}

/// A skill or version that a partial mirror leaves out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Denied {
    coordinate: Coordinate,
    version: Option<Version>,
}

/// What is done with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The mirror shows it.
    Yes,
    /// The mirror does not show it.
    No,
    /// The mirror shows it from this time on.
    From(Timestamp),
}

/// A selection, and the time that ages are counted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// What is selected.
    pub selection: Selection,
    /// The time.
    pub at: Timestamp,
}

impl Selection {
    /// Whether everything is selected.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a row is selected at the time `now`. `catalog` has the rows before it that are.
    pub fn takes(&self, row: &DecodedRow, catalog: &PublicCatalog, now: Timestamp) -> Taken {
        let has_version = |coordinate: &Coordinate, version: &Version| {
            let skill = catalog.skill(coordinate).or(catalog.removed(coordinate));
            skill.is_some_and(|skill| skill.version(version).is_some())
        };
        let is_taken = match &row.change {
            PublicChange::Published(_) => {
                let is_chosen = !self.leaves_out(row) && row.revision > self.since;
                let from = row.at.plus(Duration::from_secs(self.min_age));
                if is_chosen && self.min_age > 0 && from > now {
                    return Taken::From(from);
                }
                is_chosen
            }
            PublicChange::NamespaceCreated(_) | PublicChange::NamespaceUpdated(_) => !self.leaves_out(row),
            PublicChange::Scanned(scanned) => has_version(&scanned.skill.coordinate(), &scanned.version),
            PublicChange::TagSet(set) => has_version(&set.skill.coordinate(), &set.version),
            PublicChange::Yanked(yanked) => has_version(&yanked.skill.coordinate(), &yanked.version),
            PublicChange::Unyanked(name) => has_version(&name.skill.coordinate(), &name.version),
            PublicChange::AdvisoryPublished(_) => !self.leaves_out(row),
            // The catalog ignores those of skills that it lacks.
            _ => true,
        };
        if is_taken { Taken::Yes } else { Taken::No }
    }

    /// Whether a row is of another namespace or of a denied version: whatever comes before it, nothing of it is
    /// shown.
    pub fn leaves_out(&self, row: &DecodedRow) -> bool {
        if let PublicChange::NamespaceCreated(state) | PublicChange::NamespaceUpdated(state) = &row.change {
            return !self.has_namespace(&state.slug);
        }
        if let PublicChange::AdvisoryPublished(advisory) = &row.change {
            return !self.has_namespace(&advisory.skill.namespace);
        }
        if let PublicChange::BundleSet(bundle) = &row.change {
            return !self.has_namespace(&bundle.name.namespace);
        }
        row.change.version().is_some_and(|(coordinate, version)| {
            !self.has_namespace(&coordinate.namespace) || self.denies(&coordinate, version)
        })
    }

    fn has_namespace(&self, namespace: &Namespace) -> bool {
        self.namespaces.is_empty() || self.namespaces.contains(namespace)
    }

    fn denies(&self, coordinate: &Coordinate, version: &Version) -> bool {
        let denied = |version| Denied { coordinate: coordinate.clone(), version };
        !self.deny.is_empty()
            && (self.deny.contains(&denied(None)) || self.deny.contains(&denied(Some(version.clone()))))
    }
}

impl FromStr for Denied {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a name like @namespace/skill or @namespace/skill@1.0.0");
        let (name, version) = match text.rsplit_once('@') {
            Some((name, version)) if !name.is_empty() => (name, Some(version.parse().map_err(|_| wrong())?)),
            _ => (text, None),
        };
        let coordinate = Coordinate::parse_scoped(name).and_then(Result::ok).ok_or_else(wrong)?;
        Ok(Self { coordinate, version })
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.coordinate.scoped())?;
        self.version.as_ref().map_or(Ok(()), |version| write!(f, "@{version}"))
    }
}

impl Serialize for Denied {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Denied {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_has_one_text() {
        for text in ["@team/hello", "@global/a-b@1.2.3-rc.1"] {
            assert_eq!(text.parse::<Denied>().unwrap().to_string(), text);
        }
        for text in
            ["", "@", "hello", "team/hello", "@team", "@team/hello@", "@team/hello@1", "@Team/x", "é/x"]
        {
            assert!(text.parse::<Denied>().is_err(), "{text}");
        }
    }
}
