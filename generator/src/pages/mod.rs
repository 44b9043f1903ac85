//! What pages look like: templates filled with what they show, and the assets beside them.
//!
//! Nothing here knows of a catalog. What a page shows comes as a context, all of whose
//! texts are escaped where they stand; the one text that is markup already is a
//! [`Readme`]'s, which is made here from Markdown and has nothing in it that runs.

mod addresses;
pub mod assets;
mod escape;
mod filters;
mod front_matter;
mod readme;
mod template;

#[cfg(test)]
mod markup_check;
#[cfg(test)]
mod tests;

pub use front_matter::{FrontMatterRow, front_matter};
pub use readme::{Readme, file_anchor, readme};
pub use template::{PageError, Template, fill};
