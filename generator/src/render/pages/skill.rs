//! The page of a skill.

use registry::names::{Coordinate, Digest, Namespace, Slug, Version};
use registry::package::{FileRecord, Finding};
use registry::public::{Hundredths, Person, PromotionSource, PublicCatalog, Skill, VersionEntry};
use registry::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use super::frame::Frame;
use super::version::{TagRow, VersionRow, tags};
use crate::address::{Document, WebPage};
use crate::pages::{FrontMatterRow, file_anchor, front_matter};
use crate::render::{RenderContext, RenderError, skills};

/// How many versions it lists; a document has them all.
const VERSIONS: usize = 100;

/// What a skill's page shows, but for what is in its package.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkillPage {
    #[serde(flatten)]
    frame: Frame,
    skill: Facts,
    /// Whether a version is offered: else all of them are yanked.
    is_latest: bool,
    /// The version that is shown: the latest, or the highest.
    shown: VersionRow,
    /// What the command line calls it.
    argument: String,
    tags: Vec<TagRow>,
    /// The one that is shown, and the highest others after it.
    versions: Vec<VersionRow>,
    versions_total: usize,
    versions_href: String,
    pub(super) files: Vec<FileRow>,
    warnings: Vec<Finding>,
    record_href: String,
    #[serde(skip)]
    metadata: Map<String, Value>,
    /// The package of the version that is shown.
    #[serde(skip)]
    pub(super) sha256: Digest,
}

/// What is said of the skill as a whole.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    /// `@namespace/slug`.
    coordinate: String,
    canonical_slug: Coordinate,
    namespace: Namespace,
    slug: Slug,
    name: String,
    description: String,
    author: Person,
    license: Option<String>,
    homepage: Option<String>,
    keywords: Vec<String>,
    star_count: u64,
    download_count: u64,
    rating_average: Option<Hundredths>,
    rating_count: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
    promoted_from: Option<Source>,
}

/// Where a skill was promoted from.
#[derive(Debug, Clone, Serialize)]
struct Source {
    /// `@namespace/slug`.
    coordinate: String,
    version: Version,
    /// What leads to its page. None: it has none any more.
    href: Option<String>,
}

/// A file of the package.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FileRow {
    pub(super) path: String,
    size: u64,
    executable: bool,
    /// The id of its row, to which the text leads.
    anchor: String,
}

impl SkillPage {
    /// None where there is no such skill.
    pub(super) fn new(context: RenderContext<'_>, c: &Coordinate) -> Result<Option<Self>, RenderError> {
        let catalog = context.catalog;
        let Some((skill, shown)) = catalog.skill(c).and_then(|skill| Some((skill, skill.display_version()?)))
        else {
            return Ok(None);
        };
        let contents = skills::contents(context, shown)?;
        let frame = Frame::new(&WebPage::Skill(c.clone()), context.settings);
        let row = |entry: &VersionEntry| VersionRow::new(&frame, catalog, skill, entry);
        let file = |(number, FileRecord { path, size, executable, .. }): (usize, FileRecord)| FileRow {
            anchor: file_anchor(number),
            path,
            size,
            executable,
        };
        Ok(Some(Self {
            skill: Facts::new(&frame, catalog, skill, shown),
            is_latest: skill.latest().is_some(),
            shown: row(shown),
            argument: if c.namespace.is_global() { c.slug.to_string() } else { c.scoped() },
            tags: tags(skill).collect(),
            versions: highest_first(skill, shown).into_iter().take(VERSIONS).map(row).collect(),
            versions_total: skill.versions.len(),
            versions_href: frame.href(&Document::Versions(c.clone())),
            files: contents.files.into_iter().enumerate().map(file).collect(),
            warnings: contents.warnings,
            record_href: frame.href(&Document::Skill(c.clone())),
            metadata: contents.metadata,
            sha256: shown.sha256,
            frame,
        }))
    }

    /// The front matter as a table.
    pub(super) fn front_matter(&self) -> Vec<FrontMatterRow> {
        front_matter(&self.metadata)
    }
}

/// All versions, the one that is shown before all others, so that it is among
/// the first ones whatever was published after it.
fn highest_first<'a>(skill: &'a Skill, shown: &VersionEntry) -> Vec<&'a VersionEntry> {
    let mut versions: Vec<_> = skill.versions.iter().collect();
    versions.sort_unstable_by(|a, b| {
        let is_shown = |entry: &VersionEntry| entry.version == shown.version;
        is_shown(b).cmp(&is_shown(a)).then_with(|| b.version.cmp(&a.version))
    });
    versions
}

impl Source {
    fn new(frame: &Frame, catalog: &PublicCatalog, origin: &PromotionSource) -> Self {
        let c = origin.coordinate();
        let href = || frame.href(&Document::Page(WebPage::Skill(c.clone())));
        Self {
            coordinate: c.scoped(),
            version: origin.version.clone(),
            href: catalog.skill(&c).is_some().then(href),
        }
    }
}

impl Facts {
    fn new(frame: &Frame, catalog: &PublicCatalog, skill: &Skill, shown: &VersionEntry) -> Self {
        let c = &skill.coordinate;
        Self {
            coordinate: c.scoped(),
            canonical_slug: c.clone(),
            namespace: c.namespace.clone(),
            slug: c.slug.clone(),
            name: shown.name.to_string(),
            description: shown.description.to_string(),
            author: catalog.person(&skill.author),
            license: shown.license.as_deref().map(Into::into),
            homepage: shown.homepage.as_deref().map(Into::into),
            keywords: shown.keywords.to_vec(),
            star_count: skill.counters.stars,
            download_count: skill.counters.downloads,
            rating_average: skill.counters.rating_average,
            rating_count: skill.counters.ratings,
            created_at: skill.created_at,
            updated_at: skill.updated_at,
            promoted_from: skill.promoted_from.as_ref().map(|origin| Source::new(frame, catalog, origin)),
        }
    }
}
