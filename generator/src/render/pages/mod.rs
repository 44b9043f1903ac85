//! Pages for browsers.
//!
//! A page's content is collected while the catalog is locked. The slower rest happens after that,
//! in [`Page::finish`].

mod card;
mod fill;
mod frame;
mod home;
mod lists;
mod skill;
mod version;

use serde::Serialize;
use serde_json::Value;

use self::fill::Content;
use self::frame::Frame;
use self::home::Home;
use self::lists::{NamespacePage, Namespaces};
use self::skill::SkillPage;
use super::{RenderContext, RenderError};
use crate::address::{WebPage, site};

pub use self::fill::Page;

/// Collects a page's content. Returns `None` if the page does not exist: the server does not render
/// pages after a list's last one either.
pub(super) fn page(context: RenderContext<'_>, page: &WebPage) -> Result<Option<Page>, RenderError> {
    if !site::has(context.catalog, page, context.settings) {
        return Ok(None);
    }
    let content = match page {
        WebPage::Home => Some(Content::Home(Home::new(context))),
        WebPage::Search => Some(Content::Search(Frame::new(page, context.settings))),
        WebPage::Namespaces(number) => Some(Content::Namespaces(Namespaces::new(context, *number))),
        WebPage::Namespace(name, number) => {
            NamespacePage::new(context, name, *number).map(Content::Namespace)
        }
        WebPage::Skill(c) => SkillPage::new(context, c)?.map(Box::new).map(Content::Skill),
        WebPage::Missing => Some(Content::Missing(Frame::new(page, context.settings))),
    };
    Ok(content.map(Page))
}

/// A record of the API as a page's content. The catalog can change before the page is filled.
fn owned(record: &impl Serialize) -> Value {
    // Cannot fail, as in `crate::encoding::json`.
    serde_json::to_value(record).unwrap_or_default()
}
