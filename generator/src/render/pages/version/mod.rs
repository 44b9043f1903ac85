//! The page of a version: what it is, what changed, and its files with their text.

mod changes;
mod files;
mod text;

use std::collections::BTreeSet;

use registry::api::public::{ScanFinding, VersionRecord};
use registry::package::{FileRecord, Finding};
use registry::public::{Contents, Skill, VersionEntry};
use serde_json::{Value, json};

use super::{Links, with};
use crate::address::Document;
use crate::pages::file_anchor;
use crate::render::skills::{contents, findings};
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
        let found = findings(context, entry, &own)?;
        let (risks, notes) = risks_and_notes(&own, &found);
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
            let all = own.warnings.iter().chain(found.iter().map(|found| &found.finding));
            let of_file = all.filter(|found| found.path.as_ref() == Some(path));
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
            "risks": risks,
            "notes": notes,
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

/// What matters to people who install a version: what scanners found but notes. Then these notes, and those on how the
/// registry read the package. Each has the anchor of its line or file.
pub(super) fn risks_and_notes(own: &Contents, found: &[ScanFinding]) -> (Vec<Value>, Vec<Value>) {
    let with_scanner = |found: &ScanFinding| with_anchor(Some(&found.scanner), &found.finding, &own.files);
    let (risks, notes): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.finding.is_risk());
    let read = own.warnings.iter().filter(|warning| warning.level.is_none());
    let read = read.map(|warning| with_anchor(None, warning, &own.files));
    (risks.into_iter().map(with_scanner).collect(), notes.into_iter().map(with_scanner).chain(read).collect())
}

fn with_anchor(scanner: Option<&str>, finding: &Finding, files: &[FileRecord]) -> Value {
    let at = files.iter().position(|file| Some(&file.path) == finding.path.as_ref());
    let anchor = at.map(|at| match finding.line {
        Some(line) => format!("{}-L{line}", file_anchor(at)),
        None => file_anchor(at),
    });
    with(finding, json!({ "anchor": anchor, "scanner": scanner }))
}
