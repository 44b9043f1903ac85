//! The page of a version: what it is, what changed, and its files with their text.

mod changes;
mod files;
mod text;

use std::collections::BTreeSet;

use registry::api::public::VersionRecord;
use registry::package::{FileRecord, Finding};
use registry::public::{Skill, VersionEntry};
use serde_json::{Value, json};

use super::{Links, with};
use crate::address::Document;
use crate::pages::file_anchor;
use crate::render::skills::contents;
use crate::render::{RenderContext, RenderError};

use changes::Changes;
pub(super) use text::{WantedText, WithTexts};

impl Links<'_> {
    /// The content of a version's page, except for the text of its files, and the texts that it may show.
    ///
    /// It shows nothing that later versions, tags or counters change, so that few changes write it again.
    pub(super) fn version_page(
        &self,
        context: RenderContext<'_>,
        skill: &Skill,
        entry: &VersionEntry,
    ) -> Result<(Value, Vec<WantedText>), RenderError> {
        let c = &skill.coordinate;
        let own = contents(context, entry)?;
        let before = match before(skill, entry) {
            Some(before) => Some((before, contents(context, before)?.files)),
            None => None,
        };
        let changes = before.as_ref().map(|(_, files)| Changes::between(files, &own.files));
        let (risks, notes): (Vec<_>, Vec<_>) = own.warnings.iter().partition(|found| found.is_risk());
        let package =
            |version: &VersionEntry| self.href(&Document::Package(c.clone(), version.version.clone()));
        let before = before.as_ref().map(|(before, _)| {
            json!({
                "version": before.version,
                "href": format!("../{}/", before.version),
                "packageHref": package(before),
                "changes": changes,
            })
        });
        let marked = |at: usize| {
            let path = &own.files[at].path;
            let of_file = own.warnings.iter().filter(|found| found.path.as_ref() == Some(path));
            of_file.filter_map(|found| found.line).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let record = VersionRecord::new(self.catalog, skill, entry, self.base());
        let mut content = json!({
            "skill": {
                "coordinate": c.scoped(), "namespace": c.namespace, "slug": c.slug, "name": entry.name,
                "description": entry.description, "href": "../",
            },
            "shown": with(&record, json!({ "packageHref": package(entry) })),
            "before": before,
            "advisories": self.advisories_of(c, &entry.version),
            "risks": with_anchors(risks, &own.files),
            "notes": with_anchors(notes, &own.files),
            "filesTotal": own.files.len(),
            "logIndex": self.catalog.log().index_of(entry.revision),
            "recordHref": self.href(&Document::Version(c.clone(), entry.version.clone())),
            "attestationHref": entry.attestation.as_ref().map(|_| {
                self.href(&Document::Attestation(c.clone(), entry.version.clone()))
            }),
        });
        // `json!` would copy them.
        content["folders"] = files::folders(&own.files, changes.as_ref(), marked).into();
        Ok((content, text::wanted(&own.files)))
    }
}

/// The version before another: the highest lower one of those that were published earlier. So a version keeps
/// its page when a correction of an older one is published.
fn before<'a>(skill: &'a Skill, entry: &VersionEntry) -> Option<&'a VersionEntry> {
    let lower = skill.versions.iter().filter(|other| other.version < entry.version);
    lower.filter(|other| other.revision < entry.revision).max_by(|a, b| a.version.cmp(&b.version))
}

/// Findings with the anchor of the line, or of the file, that each is about.
pub(super) fn with_anchors(found: Vec<&Finding>, files: &[FileRecord]) -> Vec<Value> {
    let anchor = |finding: &Finding| {
        let at = files.iter().position(|file| Some(&file.path) == finding.path.as_ref())?;
        Some(match finding.line {
            Some(line) => format!("{}-L{line}", file_anchor(at)),
            None => file_anchor(at),
        })
    };
    found.into_iter().map(|finding| with(finding, json!({ "anchor": anchor(finding) }))).collect()
}
