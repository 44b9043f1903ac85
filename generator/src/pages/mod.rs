//! Fills the templates of web pages, and holds their assets.
//!
//! This module does not know the catalog. A page's content comes as a context, and every text in it
//! is escaped. The only exception is the HTML of a [`Readme`], which is made here from Markdown and
//! contains no active content.

mod addresses;
pub mod assets;
mod escape;
mod filters;
mod front_matter;
mod readme;
mod template;

#[cfg(test)]
mod tests;

pub use front_matter::front_matter;
pub use readme::{Readme, file_anchor, readme};
pub use template::{PageError, fill};
