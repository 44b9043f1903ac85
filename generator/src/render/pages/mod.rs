//! Pages for browsers. What a page shows is collected under the catalog's lock
//! into something of its own; the rest, which takes longer, is done after it.

mod card;
mod finish;
mod frame;
mod home;
mod lists;
mod skill;
mod version;

use self::finish::Context;
use self::frame::Frame;
use self::home::Home;
use self::lists::{NamespacePage, Namespaces};
use self::skill::SkillPage;
use super::{RenderError, View};
use crate::address::{WebPage, site};

pub use self::finish::Page;

/// Collects what a page shows. None where there is no such page: behind the last
/// one of a list there is nothing, not even for a server.
pub(super) fn page(view: View<'_>, page: &WebPage) -> Result<Option<Page>, RenderError> {
    if !site::has(view.catalog, page, view.settings) {
        return Ok(None);
    }
    let context = match page {
        WebPage::Home => Some(Context::Home(Home::new(view))),
        WebPage::Search => Some(Context::Search(Frame::new(page, view.settings))),
        WebPage::Namespaces(number) => Some(Context::Namespaces(Namespaces::new(view, *number))),
        WebPage::Namespace(name, number) => NamespacePage::new(view, name, *number).map(Context::Namespace),
        WebPage::Skill(c) => SkillPage::new(view, c)?.map(Box::new).map(Context::Skill),
        WebPage::Missing => Some(Context::Missing(Frame::new(page, view.settings))),
    };
    Ok(context.map(Page))
}
