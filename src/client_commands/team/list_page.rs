//! Pages of lists.

use clap::{Args, value_parser};
use client::team::{MAX_PAGE_SIZE, PageRequest};
use registry::api::public::Page;

/// Which page of a list to show.
#[derive(Args)]
pub struct ListPage {
    /// The page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    page: u64,
    /// How many items a page has, 1 to 100
    #[arg(long, value_name = "N", default_value_t = MAX_PAGE_SIZE,
          value_parser = value_parser!(u8).range(1..=i64::from(MAX_PAGE_SIZE)))]
    size: u8,
}

impl ListPage {
    /// The page to ask for.
    pub fn request(&self) -> PageRequest {
        PageRequest { page: self.page, size: self.size }
    }

    /// The text of a list: `none` if it is empty, else what `table` makes of the items, and a line about
    /// items on other pages.
    pub fn text<T>(&self, list: &Page<T>, none: &str, table: impl FnOnce(&[T]) -> String) -> String {
        let shown = list.items.len();
        let mut text = if shown == 0 { format!("{none}\n") } else { table(&list.items) };
        if list.total > shown {
            text += &format!("{shown} of {}: --page N shows others\n", list.total);
        }
        text
    }
}
