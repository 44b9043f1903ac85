//! The page of a skill.

use registry::names::{Coordinate, Digest, Version};
use registry::package::{FileRecord, Finding};
use registry::public::record::SkillDetail;
use registry::public::{PromotionSource, PublicCatalog, Skill, VersionEntry};
use serde::Serialize;
use serde_json::{Map, Value};

use super::frame::Frame;
use super::owned;
use super::version::{TagRow, VersionRow, tags};
use crate::address::{Document, WebPage};
use crate::pages::{FrontMatterRow, file_anchor, front_matter};
use crate::render::{RenderContext, RenderError, skills};

/// The page lists this many versions; a document has them all.
const MAX_VERSIONS: usize = 100;

/// The content of a skill's page, except for what is in the package.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkillPage {
    #[serde(flatten)]
    frame: Frame,
    /// See [`facts`].
    skill: Value,
    /// Whether the skill has a latest version: false if all versions are yanked.
    is_latest: bool,
    /// The version that the page shows: the latest, or else the highest.
    shown: VersionRow,
    /// The skill's name as a command line argument.
    argument: String,
    tags: Vec<TagRow>,
    /// The shown version first, then the others from the highest on.
    versions: Vec<VersionRow>,
    versions_total: usize,
    versions_href: String,
    pub(super) files: Vec<FileRow>,
    warnings: Vec<Finding>,
    record_href: String,
    #[serde(skip)]
    metadata: Map<String, Value>,
    /// The digest of the shown version's package.
    #[serde(skip)]
    pub(super) sha256: Digest,
}

/// The skill that this one was promoted from.
#[derive(Debug, Clone, Serialize)]
struct SourceLink {
    /// `@namespace/slug`.
    coordinate: String,
    version: Version,
    /// The address of its page; `None` if the skill has been removed.
    href: Option<String>,
}

/// A file of the package.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FileRow {
    pub(super) path: String,
    size: u64,
    executable: bool,
    /// The id of its row, for links from the readme.
    anchor: String,
}

impl SkillPage {
    /// Returns `None` if the skill does not exist.
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
            skill: facts(&frame, catalog, skill),
            is_latest: skill.latest().is_some(),
            shown: row(shown),
            argument: if c.namespace.is_global() { c.slug.to_string() } else { c.scoped() },
            tags: tags(skill).collect(),
            versions: highest_first(skill, shown).into_iter().take(MAX_VERSIONS).map(row).collect(),
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

    /// The rows of the front matter's table.
    pub(super) fn front_matter(&self) -> Vec<FrontMatterRow> {
        front_matter(&self.metadata)
    }
}

/// All versions from the highest on. The shown one comes first, so that it is always on the page.
fn highest_first<'a>(skill: &'a Skill, shown: &VersionEntry) -> Vec<&'a VersionEntry> {
    let mut versions: Vec<_> = skill.versions.iter().collect();
    versions.sort_unstable_by(|a, b| {
        let is_shown = |entry: &VersionEntry| entry.version == shown.version;
        is_shown(b).cmp(&is_shown(a)).then_with(|| b.version.cmp(&a.version))
    });
    versions
}

impl SourceLink {
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

/// The skill's [`SkillDetail`], with its scoped coordinate and a link to the promotion's source.
fn facts(frame: &Frame, catalog: &PublicCatalog, skill: &Skill) -> Value {
    let mut facts = owned(&SkillDetail::new(catalog, skill));
    let source = skill.promoted_from.as_ref().map(|origin| SourceLink::new(frame, catalog, origin));
    facts["promotedFrom"] = owned(&source);
    facts["coordinate"] = skill.coordinate.scoped().into();
    facts
}
