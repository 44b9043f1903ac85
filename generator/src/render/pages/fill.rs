//! What is done for a page when nobody waits for the catalog any more: its
//! package is read, its text made HTML, its template filled.

use std::io;

use registry::journal::PublicStore;
use registry::package::skill_md_text;
use serde::Serialize;

use super::frame::Frame;
use super::home::Home;
use super::lists::{NamespacePage, Namespaces};
use super::skill::SkillPage;
use crate::pages::{FrontMatterRow, Readme, Template, fill, readme};
use crate::render::RenderError;

/// How many bytes of a text are read: more than anyone reads on a page, and far
/// more than agents are told to write.
const MAX_TEXT_BYTES: u64 = 512 << 10;

/// A page: all that it shows, but for what is in a package.
#[derive(Debug, Clone)]
pub struct Page(pub(super) Context);

/// What the pages show.
#[derive(Debug, Clone)]
pub(super) enum Context {
    Home(Home),
    Search(Frame),
    Namespaces(Namespaces),
    Namespace(NamespacePage),
    Skill(Box<SkillPage>),
    Missing(Frame),
}

impl Page {
    /// Its bytes. Packages are read from `store`.
    ///
    /// Errors: the package is not there or cannot be read.
    pub fn finish(&self, store: &dyn PublicStore) -> Result<Vec<u8>, RenderError> {
        let bytes = match &self.0 {
            Context::Home(context) => fill(Template::Home, context),
            Context::Search(context) => fill(Template::Search, context),
            Context::Namespaces(context) => fill(Template::Namespaces, context),
            Context::Namespace(context) => fill(Template::Namespace, context),
            Context::Skill(context) => fill(Template::Skill, &Whole::of(context, store)?),
            Context::Missing(context) => fill(Template::Missing, context),
        };
        Ok(bytes?)
    }
}

/// A skill's page with what is in its package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    #[serde(flatten)]
    page: &'a SkillPage,
    front_matter: Vec<FrontMatterRow>,
    /// None where the package has no such file.
    readme: Option<Text>,
}

/// The text of a skill.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Text {
    html: String,
    is_cut: bool,
}

impl<'a> Whole<'a> {
    fn of(page: &'a SkillPage, store: &dyn PublicStore) -> Result<Self, RenderError> {
        let absent = || {
            let why = format!("the blob {} is not in the data folder", page.sha256);
            RenderError::Package(io::Error::new(io::ErrorKind::NotFound, why))
        };
        let mut package = store.open_blob(page.sha256)?.ok_or_else(absent)?;
        let size = package.size();
        let read = skill_md_text(&mut package, size, MAX_TEXT_BYTES).map_err(RenderError::Package)?;
        let files: Vec<_> = page.files.iter().map(|file| file.path.as_str()).collect();
        let text = read.map(|read| {
            let Readme { html, is_cut } = readme(&read.text, &files);
            Text { html, is_cut: is_cut || read.is_cut }
        });
        Ok(Self { page, front_matter: page.front_matter(), readme: text })
    }
}
