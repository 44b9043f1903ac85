//! Lists with pages and complete lists.

use serde::Serialize;

/// A page of a longer list.
#[derive(Debug, Serialize)]
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

/// A list without pages.
#[derive(Debug, Serialize)]
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
