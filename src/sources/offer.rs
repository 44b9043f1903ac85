//! A skill as a source offers it.

use std::fmt;

use registry::names::{Coordinate, Digest};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;
use url::Url;

use super::too_many;

/// A skill that a source has, before it is read.
pub struct Offer {
    /// Its name or folder in the source.
    pub id: String,
    /// The name for a package that does not contain its own.
    pub name: String,
    /// The version that the source says.
    pub version: Option<String>,
    /// Whether that version counts more than the one in the package.
    pub is_version_firm: bool,
    /// The digest of the bytes at its address, as the source says.
    pub digest: Option<Digest>,
    /// Where it is, for everybody to see.
    pub address: String,
    /// The commit, if it is from a git repository.
    pub commit: Option<String>,
    /// How it is read. The error is why it cannot be taken.
    pub content: Result<Content, String>,
}

/// How a skill is read.
pub enum Content {
    /// A zip.
    Archive(Url),
    /// The only file, SKILL.md.
    SkillMd(Url),
    /// Files with their paths, SKILL.md first.
    Files(Vec<(String, Url)>),
    /// Blobs of a git repository.
    Blobs(Vec<Blob>),
}

/// A file of a git repository.
pub struct Blob {
    /// The path in the folder of the skill.
    pub path: String,
    /// Whether it is executable.
    pub executable: bool,
    /// The name of the object.
    pub object: String,
    /// The size in bytes.
    pub size: u64,
}

impl Offer {
    /// An offer that is read over HTTP.
    pub fn of(name: &str, address: String, content: Result<Content, String>) -> Self {
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            version: None,
            is_version_firm: false,
            digest: None,
            address,
            commit: None,
            content,
        }
    }
}

/// The most characters of a name that a source gives, in messages and records.
const MAX_SHOWN: usize = 100;

/// The beginning of a text that a source has chosen.
pub fn short(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

/// Whether a skill with this name is taken. `only`: the names in the settings. Empty: all.
pub fn is_wanted(name: &str, only: &[Coordinate]) -> bool {
    only.is_empty() || only.iter().any(|skill| skill.to_string() == name)
}

/// The most entries of a list that are looked at. A source may name the few skills that it takes of a long one.
pub const MAX_ENTRIES: usize = 100_000;

/// The entries of a list, unread: each can become many times as large in memory.
pub struct Entries(Vec<Box<RawValue>>);

impl Entries {
    /// The entries that [`is_wanted`], with the names that they give. The error is the one for more than `max`.
    pub fn wanted(self, max: usize, only: &[Coordinate]) -> Result<Vec<(String, Box<RawValue>)>, String> {
        #[derive(serde::Deserialize)]
        struct Named {
            #[serde(alias = "slug")]
            name: String,
        }
        let named = self.0.into_iter().map(|entry| {
            let named = serde_json::from_str::<Named>(entry.get());
            (named.map_or_else(|_| "(an entry without a name)".to_owned(), |named| short(&named.name)), entry)
        });
        let wanted: Vec<_> = named.filter(|(name, _)| is_wanted(name, only)).take(max + 1).collect();
        if wanted.len() > max { Err(too_many(max)) } else { Ok(wanted) }
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bounded;
        impl<'de> Visitor<'de> for Bounded {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX_ENTRIES} entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = sequence.next_element()? {
                    if entries.len() == MAX_ENTRIES {
                        return Err(A::Error::invalid_length(MAX_ENTRIES + 1, &self));
                    }
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_seq(Bounded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_bounded_before_their_entries_are_read() {
        let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
        let entries: Entries = serde_json::from_str(&list(MAX_ENTRIES)).unwrap();
        assert!(entries.wanted(500, &[]).is_err());
        let entries: Entries = serde_json::from_str(&list(MAX_ENTRIES)).unwrap();
        assert!(entries.wanted(500, &["hello".parse().unwrap()]).is_ok_and(|wanted| wanted.is_empty()));
        let why = serde_json::from_str::<Entries>(&list(MAX_ENTRIES + 1)).err().unwrap().to_string();
        assert!(why.contains("a list of at most 100000 entries"), "{why}");
    }
}
