//! Lists with pages and complete lists.

use serde::{Deserialize, Serialize};

/// A page of a longer list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "PageOf{T}"))]
pub struct Page<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The number of items in the whole list.
    pub total: usize,
    /// The number of the page, from 1.
    pub page: u64,
    /// The number of items on a full page.
    pub size: u64,
}

impl<T> Page<T> {
    /// Converts the items of the page.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, total, page, size } = self;
        Page { items: items.into_iter().map(make).collect(), total, page, size }
    }
}

/// A page of a public list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "PublicPageOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct PublicPage<T> {
    #[serde(flatten)]
    pub page: Page<T>,
    /// How many pages of this list are files. A host of files has no later ones; the server sends
    /// them. Absent if no page of this size and order is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_pages: Option<u64>,
}

/// A list without pages.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ListOf{T}"))]
pub struct FullList<T> {
    /// All items.
    pub items: Vec<T>,
    /// The number of items.
    pub total: usize,
}

impl<T> From<Vec<T>> for FullList<T> {
    fn from(items: Vec<T>) -> Self {
        Self { total: items.len(), items }
    }
}
