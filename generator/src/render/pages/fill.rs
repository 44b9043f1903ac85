//! Finishes pages after the catalog is unlocked: reads the package, converts its text to HTML,
//! fills the template.

use registry::journal::PublicStore;
use registry::package::skill_md_text;
use serde::Serialize;

use super::frame::Frame;
use super::home::Home;
use super::lists::{NamespacePage, Namespaces};
use super::skill::SkillPage;
use crate::pages::{FrontMatterRow, Readme, Template, fill, readme};
use crate::render::{RenderError, open_blob};

/// Bytes of `SKILL.md` that are read: more than people read on a page, and far more than agents are
/// advised to write.
const MAX_TEXT_BYTES: u64 = 512 << 10;

/// A page's content, except for what is in a package.
#[derive(Debug, Clone)]
pub struct Page(pub(super) Content);

/// The content of each kind of page.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Home(Home),
    Search(Frame),
    Namespaces(Namespaces),
    Namespace(NamespacePage),
    Skill(Box<SkillPage>),
    Missing(Frame),
}

impl Page {
    /// Fills the template. Packages are read from `store`.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn finish(&self, store: &dyn PublicStore) -> Result<Vec<u8>, RenderError> {
        let bytes = match &self.0 {
            Content::Home(context) => fill(Template::Home, context),
            Content::Search(context) => fill(Template::Search, context),
            Content::Namespaces(context) => fill(Template::Namespaces, context),
            Content::Namespace(context) => fill(Template::Namespace, context),
            Content::Skill(context) => fill(Template::Skill, &SkillContext::of(context, store)?),
            Content::Missing(context) => fill(Template::Missing, context),
        };
        Ok(bytes?)
    }
}

/// A skill's page with the content of its package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillContext<'a> {
    #[serde(flatten)]
    page: &'a SkillPage,
    front_matter: Vec<FrontMatterRow>,
    /// `None` if the package has no `SKILL.md`.
    readme: Option<Readme>,
}

impl<'a> SkillContext<'a> {
    fn of(page: &'a SkillPage, store: &dyn PublicStore) -> Result<Self, RenderError> {
        let mut package = open_blob(store, page.sha256).map_err(RenderError::Package)?;
        let size = package.size();
        let read = skill_md_text(&mut package, size, MAX_TEXT_BYTES).map_err(RenderError::Package)?;
        let files: Vec<_> = page.files.iter().map(|file| file.path.as_str()).collect();
        let text = read.map(|read| {
            let mut readme = readme(&read.text, &files);
            readme.is_cut |= read.is_cut;
            readme
        });
        Ok(Self { page, front_matter: page.front_matter(), readme: text })
    }
}
