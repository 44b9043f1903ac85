//! Lists, divided and whole.

use serde::Serialize;

/// A page of a longer list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "PageOf{T}"))]
pub struct Page<T> {
    /// What stands on the page.
    pub items: Vec<T>,
    /// How much the whole list has.
    pub total: usize,
    /// The page, from 1.
    pub page: u64,
    /// How many items a full page has.
    pub size: u64,
}

impl<T> Page<T> {
    /// The same page of something made of its items.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, total, page, size } = self;
        Page { items: items.into_iter().map(make).collect(), total, page, size }
    }
}

/// A list that is never divided.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ListOf{T}"))]
pub struct FullList<T> {
    /// All of it.
    pub items: Vec<T>,
    /// How many there are.
    pub total: usize,
}

impl<T> From<Vec<T>> for FullList<T> {
    fn from(items: Vec<T>) -> Self {
        Self { total: items.len(), items }
    }
}
