//! A catalog of skills that have only texts.

use registry::journal::PublicRow;
use registry::names::{Digest, Namespace};
use registry::package::Fingerprints;
use registry::public::{
    Contents, DecodedRow, Id, NamespaceKind, NamespaceState, NamespaceStatus, Person, PublicCatalog,
    PublicChange, PublicRecord, Published, SkillName, Yanked, encode,
};
use registry::time::Timestamp;

/// The texts of a skill.
#[derive(Debug, Clone, Default)]
pub struct Text {
    pub namespace: String,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub keywords: Vec<String>,
    pub headings: Vec<String>,
    pub body_words: Vec<String>,
}

impl Text {
    /// A skill in `global` whose name is the slug in title case.
    pub fn new(slug: &str, description: &str) -> Self {
        let title = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
        Self {
            namespace: "global".into(),
            slug: slug.into(),
            name: slug.split('-').map(title).collect::<Vec<_>>().join(" "),
            description: description.into(),
            ..Self::default()
        }
    }

    pub fn of(self, namespace: &str) -> Self {
        Self { namespace: namespace.into(), ..self }
    }
}

/// A catalog, and its rows one by one.
pub struct Shelf {
    pub catalog: PublicCatalog,
    revision: u64,
}

impl Shelf {
    pub fn new() -> Self {
        let mut shelf = Self { catalog: PublicCatalog::new("0".repeat(32)), revision: 0 };
        shelf.namespace("global", NamespaceStatus::Active);
        shelf
    }

    fn push(&mut self, record: impl Into<PublicRecord>) {
        self.revision += 1;
        let at = Timestamp::from_unix(1_800_000_000).unwrap();
        let json = encode(self.revision, at, &record.into()).unwrap();
        let row = PublicRow::new(self.revision, json);
        let decoded = DecodedRow::decode(&row).unwrap();
        self.catalog.apply(&row, decoded);
    }

    pub fn namespace(&mut self, name: &str, status: NamespaceStatus) {
        let slug: Namespace = name.parse().unwrap();
        let is_new = self.catalog.namespace(&slug).is_none();
        let state = NamespaceState {
            slug,
            display_name: name.into(),
            description: String::new(),
            kind: NamespaceKind::Team,
            status,
            review_required: false,
        };
        self.push(if is_new {
            PublicChange::NamespaceCreated(state)
        } else {
            PublicChange::NamespaceUpdated(state)
        });
    }

    /// Publishes a version. Returns the id of the skill.
    pub fn publish(&mut self, text: &Text, version: &str) -> u64 {
        let person = Person { handle: "ann".parse().unwrap(), display_name: "Ann".into() };
        let name = name_of(text);
        let known = self.catalog.skill(&name.coordinate()).map(|skill| skill.id);
        let next = Id(self.revision + 1);
        let skill_id = known.unwrap_or(next);
        let digest = Digest::of(text.slug.as_bytes());
        let published = Published {
            verdicts: Vec::new(),
            skill_id,
            version_id: next,
            namespace: name.namespace,
            slug: name.slug,
            version: version.parse().unwrap(),
            author: person.clone(),
            published_by: person,
            name: text.name.clone(),
            description: text.description.clone(),
            keywords: text.keywords.clone(),
            headings: text.headings.clone(),
            body_words: text.body_words.clone(),
            license: None,
            homepage: None,
            changelog: String::new(),
            tags: Vec::new(),
            promoted_from: None,
            source_published_at: None,
            file_count: 1,
            unpacked_size: 1,
            package_size: 1,
            sha256: digest,
            content_digest: digest,
            fingerprints: Fingerprints { all: digest, text: digest },
            provenance: None,
            requires: Vec::new(),
            attestation_sha256: None,
        };
        let contents = Contents {
            scans: Vec::new(),
            metadata: Default::default(),
            warnings: Vec::new(),
            files: Vec::new(),
            attestation: None,
        };
        self.push(PublicRecord::published(Box::new(published), Box::new(contents)));
        skill_id.0
    }

    pub fn has(&self, text: &Text) -> bool {
        self.catalog.skill(&name_of(text).coordinate()).is_some()
    }

    pub fn remove(&mut self, text: &Text) {
        self.push(PublicChange::SkillRemoved(name_of(text)));
    }

    pub fn restore(&mut self, text: &Text) {
        self.push(PublicChange::SkillRestored(name_of(text)));
    }

    pub fn yank(&mut self, text: &Text, version: &str) {
        let yanked = Yanked { skill: name_of(text), version: version.parse().unwrap(), reason: None };
        self.push(PublicChange::Yanked(yanked));
    }
}

fn name_of(text: &Text) -> SkillName {
    SkillName { namespace: text.namespace.parse().unwrap(), slug: text.slug.parse().unwrap() }
}
