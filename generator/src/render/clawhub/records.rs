//! The records of the ClawHub dialect. Times are in milliseconds.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Digest, Handle, PublicUrl, TagName, Version};
use registry::package::FileRecord;
use registry::public::{Skill, VersionEntry};
use registry::time::Timestamp;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Discovery<'a> {
    pub(super) api_base: String,
    pub(super) auth_base: &'a PublicUrl,
}

/// A time in milliseconds.
pub(super) struct Millis(pub(super) Timestamp);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(self.0.as_unix().saturating_mul(1000))
    }
}

/// The answer about a skill. A static host sends it for questions about the latest version and about
/// one version too, so it has their keys.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkillAnswer<'a> {
    skill: SkillRecord<'a>,
    latest_version: Option<VersionRecord<'a>>,
    owner: Owner<'a>,
    moderation: Option<()>,
    #[serde(rename = "match")]
    matching: Option<()>,
    version: Option<()>,
}

impl<'a> SkillAnswer<'a> {
    pub(super) fn new(skill: &'a Skill) -> Self {
        Self {
            skill: SkillRecord::new(skill, Stats { versions: skill.versions.len(), counters: None }),
            latest_version: skill.latest().map(VersionRecord::new),
            owner: Owner { handle: &skill.author },
            moderation: None,
            matching: None,
            version: None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Owner<'a> {
    pub(super) handle: &'a Handle,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillRecord<'a> {
    slug: &'a Coordinate,
    display_name: &'a str,
    summary: String,
    tags: BTreeMap<TagName, &'a Version>,
    stats: Stats,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> SkillRecord<'a> {
    fn new(skill: &'a Skill, stats: Stats) -> Self {
        let shown = skill.display_version();
        let tags = skill.tags.iter().map(|(tag, entry)| (tag.clone(), &entry.version));
        let latest = skill.latest().map(|latest| (TagName::latest(), &latest.version));
        Self {
            slug: &skill.coordinate,
            display_name: shown.map_or("", |version| &version.name),
            summary: summary(shown),
            tags: tags.chain(latest).collect(),
            stats,
            created_at: Millis(skill.created_at),
            updated_at: Millis(skill.updated_at),
        }
    }
}

/// The description of a version, as one line: clients print it in a line of a list, and its author could
/// make it look like other lines.
pub(super) fn summary(shown: Option<&VersionEntry>) -> String {
    let words = shown.map_or("", |version| &version.description).split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
struct Stats {
    versions: usize,
    #[serde(flatten)]
    counters: Option<Counters>,
}

#[derive(Serialize)]
struct Counters {
    downloads: u64,
    stars: u64,
}

/// A version. Its license is left out: clients accept only their own.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionRecord<'a> {
    version: &'a Version,
    created_at: Millis,
    changelog: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Vec<File>>,
}

impl<'a> VersionRecord<'a> {
    pub(super) fn new(entry: &'a VersionEntry) -> Self {
        let (version, changelog) = (&entry.version, &*entry.changelog);
        Self { version, created_at: Millis(entry.published_at), changelog, files: None }
    }

    pub(super) fn with_files(self, files: Vec<FileRecord>) -> Self {
        Self { files: Some(files.into_iter().map(File::from).collect()), ..self }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    path: String,
    size: u64,
    sha256: Digest,
    content_type: String,
}

impl From<FileRecord> for File {
    fn from(FileRecord { path, size, sha256, content_type, .. }: FileRecord) -> Self {
        Self { path, size, sha256, content_type }
    }
}

/// A list of skills.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Items<T> {
    pub(super) items: Vec<T>,
    pub(super) next_cursor: Option<String>,
}

/// A skill in a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item<'a> {
    #[serde(flatten)]
    skill: SkillRecord<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latest_version: Option<VersionRecord<'a>>,
}

impl<'a> Item<'a> {
    pub(super) fn new(skill: &'a Skill) -> Self {
        let counters = Counters { downloads: skill.counters.downloads, stars: skill.counters.stars };
        let stats = Stats { versions: skill.versions.len(), counters: Some(counters) };
        let latest_version =
            skill.latest().map(|entry| VersionRecord { changelog: "", ..VersionRecord::new(entry) });
        Self { skill: SkillRecord::new(skill, stats), latest_version }
    }
}

/// A version that a fingerprint or a skill resolves to.
#[derive(Serialize)]
pub(super) struct ResolvedVersion<'a> {
    pub(super) version: &'a Version,
}
