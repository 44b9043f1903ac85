//! Pages for browsers. What a page shows is collected under the catalog's lock
//! into something of its own; the rest, which takes longer, is done after it.

mod card;
mod fill;
mod frame;
mod home;
mod lists;
mod skill;
mod version;

use self::fill::Context;
use self::frame::Frame;
use self::home::Home;
use self::lists::{NamespacePage, Namespaces};
use self::skill::SkillPage;
use super::{RenderContext, RenderError};
use crate::address::{WebPage, site};

pub use self::fill::Page;

/// Collects what a page shows. None where there is no such page: behind the last
/// one of a list there is nothing, not even for a server.
pub(super) fn page(context: RenderContext<'_>, page: &WebPage) -> Result<Option<Page>, RenderError> {
    if !site::has(context.catalog, page, context.settings) {
        return Ok(None);
    }
    let context = match page {
        WebPage::Home => Some(Context::Home(Home::new(context))),
        WebPage::Search => Some(Context::Search(Frame::new(page, context.settings))),
        WebPage::Namespaces(number) => Some(Context::Namespaces(Namespaces::new(context, *number))),
        WebPage::Namespace(name, number) => {
            NamespacePage::new(context, name, *number).map(Context::Namespace)
        }
        WebPage::Skill(c) => SkillPage::new(context, c)?.map(Box::new).map(Context::Skill),
        WebPage::Missing => Some(Context::Missing(Frame::new(page, context.settings))),
    };
    Ok(context.map(Page))
}
