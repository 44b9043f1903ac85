//! Pages for browsers.
//!
//! A page's content is collected while the catalog is locked. The slower rest happens after that,
//! in [`Page::finish`].

mod advisories;
mod api;
mod facts;
mod lists;
mod markdown;
mod skill;
mod version;

pub(crate) use markdown::markdown;

use registry::journal::PublicStore;
use registry::names::{Coordinate, Digest, PublicUrl};
use registry::package::{SkillText, skill_md_text};
use registry::public::PublicCatalog;
use serde::Serialize;
use serde_json::{Value, json};

use super::{RenderContext, RenderError};
use crate::address::{Document, WebPage, exists};
use crate::blobs::open_blob;
use crate::pages::{Readme, Site, readme};
use crate::settings::TreeSettings;
use markdown::WithText;
use version::{WantedText, WithTexts};

/// Bytes of `SKILL.md` that are read: more than people read on a page, and far more than agents are
/// advised to write.
const MAX_TEXT_BYTES: u64 = 512 << 10;

/// The address in a page's commands if the public URL is unknown. The pages' script replaces it
/// with the address of the site.
const PLACEHOLDER_URL: &str = "https://registry.example";

/// A page's content, except for what is in a package.
#[derive(Debug, Clone)]
pub struct Page {
    site: Site,
    template: &'static str,
    content: Value,
    /// The package whose text is shown, and how.
    package: Option<(Digest, PageText)>,
}

/// What a page shows of a package.
#[derive(Debug, Clone)]
enum PageText {
    /// The text of `SKILL.md` as HTML. Its links to files lead to the page at this address.
    Readme(String),
    /// The text of `SKILL.md` as it is.
    Plain,
    /// The texts of these files.
    Files(Vec<WantedText>),
}

impl Page {
    /// A page without the text of a package.
    pub(crate) fn of(site: &Site, template: &'static str, content: Value) -> Self {
        Self { site: site.clone(), template, content, package: None }
    }

    /// Fills the template. The package is read from `store`.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn finish(&self, store: &dyn PublicStore) -> Result<Vec<u8>, RenderError> {
        #[derive(Serialize)]
        struct WithReadme<'a> {
            #[serde(flatten)]
            content: &'a Value,
            /// `None` if the package has no `SKILL.md`.
            readme: Option<Readme>,
        }
        let Self { site, template, content, .. } = self;
        Ok(match &self.package {
            None => site.fill(template, &WithReadme { content, readme: None }),
            Some((sha256, PageText::Readme(viewer))) => {
                let readme = text(store, *sha256, MAX_TEXT_BYTES)?.map(|text| self.readme(text, viewer));
                site.fill(template, &WithReadme { content, readme })
            }
            Some((sha256, PageText::Plain)) => {
                let text = text(store, *sha256, markdown::MAX_TEXT_BYTES)?;
                site.fill(template, &WithText::new(content, text))
            }
            Some((sha256, PageText::Files(wanted))) => {
                let texts = WithTexts::read(content, wanted, || open_blob(store, *sha256));
                site.fill(template, &texts.map_err(RenderError::Package)?)
            }
        }?)
    }

    fn readme(&self, text: SkillText, viewer: &str) -> Readme {
        let files = self.content["files"].as_array().into_iter().flatten();
        let files: Vec<_> = files.filter_map(|file| file["path"].as_str()).collect();
        let readme = readme(&text.body(), &files, viewer);
        Readme { is_cut: readme.is_cut || text.is_cut, ..readme }
    }
}

/// The first `max` bytes of a package's `SKILL.md`, without the front matter. `None` if the package
/// has no such file.
fn text(store: &dyn PublicStore, sha256: Digest, max: u64) -> Result<Option<SkillText>, RenderError> {
    let mut package = open_blob(store, sha256).map_err(RenderError::Package)?;
    let size = package.size().map_err(RenderError::Package)?;
    skill_md_text(&mut package, size, max).map_err(RenderError::Package)
}

/// Collects a page's content. Returns `None` if the page does not exist: the server does not render
/// pages after a list's last one either.
pub(crate) fn page(context: RenderContext<'_>, page: &WebPage) -> Result<Option<Page>, RenderError> {
    let RenderContext { catalog, settings, .. } = context;
    let document = Document::Page(page.clone());
    if document.file().is_some() && !exists(context, &document) {
        return Ok(None);
    }
    let root = match page {
        // Hosts show this page at any depth, so its links start at the origin.
        WebPage::Missing => format!("{}/", settings.path()),
        page => page.root(),
    };
    let mut frame = json!({ "root": root, "assets": format!("{root}{}", settings.site.assets().folder()) });
    // The not-found page and results of a search are at no address of their own.
    if !matches!(page, WebPage::Missing | WebPage::Found(_)) {
        let url = |site: &PublicUrl| format!("{}{}", site.as_str(), document.request());
        frame["url"] = settings.public_url.as_ref().map(url).into();
    }
    if document.is_site_bound() {
        frame["site"] = settings.public_url.as_ref().map_or(PLACEHOLDER_URL, PublicUrl::as_str).into();
    }
    let links = Links { catalog, settings, page: document, root };
    let mut package = None;
    let (template, content) = match page {
        WebPage::Home => ("home.html", links.home(settings)),
        WebPage::Search => ("search.html", json!({})),
        WebPage::Found(list) => ("search.html", links.found(context, list)),
        WebPage::SignedIn(page) => (
            "signed-in.html",
            json!({ "name": page.name(), "heading": page.heading(), "commands": page.commands() }),
        ),
        WebPage::Namespaces(_) => ("namespaces.html", links.namespaces()),
        WebPage::Namespace(name) => ("namespace.html", links.namespace(context, name, "")),
        WebPage::Group(name, prefix) => ("namespace.html", links.namespace(context, name, prefix.as_str())),
        WebPage::Bundle(name) => ("bundle.html", links.bundle(context, name)),
        WebPage::Skills(sort) => ("skills.html", links.skills(*sort)),
        WebPage::Advisories => ("advisories.html", links.all_advisories()),
        WebPage::Keywords => ("keywords.html", links.keywords()),
        WebPage::Skill(c) => {
            let Some((skill, shown)) =
                catalog.skill(c).and_then(|skill| Some((skill, skill.display_version()?)))
            else {
                return Ok(None);
            };
            let viewer = skill::href_of_version(&shown.version);
            package = Some((shown.sha256, PageText::Readme(viewer)));
            let own = super::skills::contents(context, shown)?;
            let found = super::skills::findings(context, shown, &own)?;
            ("skill.html", links.skill(skill, shown, own, &found))
        }
        WebPage::Version(..) => {
            let Some((skill, entry)) = links.page.entry(catalog) else { return Ok(None) };
            let (content, wanted) = links.version_page(context, skill, entry)?;
            package = Some((entry.sha256, PageText::Files(wanted)));
            ("version.html", content)
        }
        WebPage::Api => ("api.html", api::api(settings)),
        WebPage::Help => ("help.html", json!({})),
        WebPage::About => ("about.html", json!({})),
        WebPage::Missing => ("404.html", json!({})),
    };
    Ok(Some(Page { site: settings.site.clone(), template, content: with(&frame, content), package }))
}

/// The catalog as a page shows it, with links that are relative to the page.
struct Links<'a> {
    catalog: &'a PublicCatalog,
    settings: &'a TreeSettings,
    page: Document,
    /// The path to the site's root.
    root: String,
}

impl Links<'_> {
    /// The link to a document: to a page's address, or to any other document's file, because static
    /// hosts know only files.
    fn href(&self, document: &Document) -> String {
        self.root.clone() + &path_from_root(document)
    }

    fn href_of_skill(&self, c: &Coordinate) -> String {
        self.href(&Document::Page(WebPage::Skill(c.clone())))
    }
}

/// A document's path from the site's root.
fn path_from_root(document: &Document) -> String {
    let address = match document {
        Document::Page(_) => document.request(),
        _ => document.name(),
    };
    address.trim_start_matches('/').to_owned()
}

/// A record of the API with more fields, or with others of the same names. The page has a copy,
/// because the catalog can change before the page is filled.
fn with(record: &impl Serialize, more: Value) -> Value {
    // Cannot fail, as in `crate::json::json`.
    let mut content = serde_json::to_value(record).unwrap_or_default();
    if let (Value::Object(fields), Value::Object(more)) = (&mut content, more) {
        fields.extend(more);
    }
    content
}
