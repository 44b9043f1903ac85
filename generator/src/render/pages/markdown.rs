//! The Markdown of a skill: what its page says, for agents.
//!
//! It shows no people and no numbers, so a new star or name does not change it.

use registry::api::public::VersionRecord;
use registry::names::{Coordinate, PublicUrl};
use registry::package::SkillText;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Links, Page, PageText, path_from_root};
use crate::address::{Document, WebPage};
use crate::install_commands::install_commands;
use crate::pages::longest_fence;
use crate::render::{RenderContext, RenderError};

/// The most files that are listed. A document has them all.
const MAX_FILES: usize = 50;

/// Bytes of `SKILL.md` in the document. The package has the rest.
pub(super) const MAX_TEXT_BYTES: u64 = 64 << 10;

/// Collects the content. `None` if there is no such skill.
pub(crate) fn markdown(context: RenderContext<'_>, c: &Coordinate) -> Result<Option<Page>, RenderError> {
    let RenderContext { catalog, settings, .. } = context;
    let document = Document::SkillMarkdown(c.clone());
    let Some((skill, shown)) = document.entry(catalog) else { return Ok(None) };
    let files = crate::render::skills::contents(context, shown)?.files;
    let (public_url, root) = (settings.public_url.as_ref(), WebPage::Skill(c.clone()).root());
    let links = Links { catalog, settings, page: document, root };
    let href = |document| links.href(&document);
    let package = Document::Package(c.clone(), shown.version.clone());
    let site = public_url.map_or("$SITE", PublicUrl::as_str);
    let commands = install_commands(c, public_url, Some(&settings.marketplace_name()));
    let commands = commands.iter().map(|command| {
        json!({
            "client": command.client,
            "command": command.for_site(site),
            "condition": command.condition,
        })
    });
    let listed = files.iter().take(MAX_FILES).map(|file| json!({ "path": file.path, "size": file.size }));
    let content = json!({
        "site": site,
        "isSiteKnown": public_url.is_some(),
        "coordinate": c.scoped(),
        "slug": c.slug,
        "isLatest": skill.latest().is_some(),
        "name": shown.name,
        "description": shown.description,
        "license": shown.license,
        "shown": VersionRecord::new(catalog, skill, shown, settings.path()),
        "packageHref": href(package.clone()),
        "packagePath": path_from_root(&package),
        "recordHref": href(Document::Skill(c.clone())),
        "versionsHref": href(Document::Versions(c.clone())),
        "filesHref": href(Document::Files(c.clone(), shown.version.clone())),
        "files": listed.collect::<Vec<_>>(),
        "filesTotal": files.len(),
        "commands": commands.collect::<Vec<_>>(),
    });
    let package = Some((shown.sha256, PageText::Plain));
    Ok(Some(Page { site: settings.site.clone(), template: "skill.md", content, package }))
}

/// The content with the text of `SKILL.md`, between fences that the text cannot end.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WithText<'a> {
    #[serde(flatten)]
    content: &'a Value,
    /// `None` if the package has no `SKILL.md`.
    text: Option<String>,
    is_cut: bool,
    fence: String,
}

impl<'a> WithText<'a> {
    pub(crate) fn new(content: &'a Value, text: Option<SkillText>) -> Self {
        let (text, is_cut) = text.map_or((None, false), |text| (Some(text.whole), text.is_cut));
        let longest = text.as_deref().map_or(0, longest_fence);
        Self { content, text, is_cut, fence: "`".repeat(longest.max(2) + 1) }
    }
}
