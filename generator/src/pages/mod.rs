//! What pages look like: templates filled with what they show, and the assets beside them.

pub mod assets;
mod front_matter;
mod readme;
mod template;

pub use front_matter::{FrontMatterRow, front_matter};
pub use readme::{Readme, file_anchor, readme};
pub use template::{PageError, Template, fill};
