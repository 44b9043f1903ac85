//! Addresses: where documents are, and which document a request means.
//!
//! The table in [`documents`](crate::documents) has the paths. [`locate`] is the inverse of
//! [`Document::request`] and [`Document::file`]. No other code builds a path of the tree.
//!
//! A request for `P` reads the file `P.json` (documents) or `P.zip` (packages), so a resource never
//! collides with the folder of its children. A page's address ends in a slash; its file is the
//! `index.html` of that folder. Queries become paths, many with a segment that begins with `_`, which
//! no name does. Most queries have no file: the server renders their answers.

mod facts;
mod format;
mod locate;
mod path;
mod pattern;
mod query;
mod stage;

pub use crate::documents::stages;
pub use crate::documents::{
    AtomFeed, ClawhubDocument, CrawlerFile, Document, FoundSkills, GitFile, Initial, KeywordList, LogTile,
    Pointer, Prefix, RepositoryName, SearchPage, SignedInPage, SkillList, WebPage,
};
#[cfg(feature = "writer")]
pub use crate::documents::{Part, documents, exists, of_part, parts};
pub use format::{Format, Lifetime, MISSING_CACHE_CONTROL};
pub use locate::{Form, lacks_slash, locate, of_file};
pub use query::{DEFAULT_SIZE, MAX_QUERY_LENGTH, QueryError, paging, parameter, parsed};
pub(crate) use query::{MAX_PAGES, choice, number, page_number, words};
pub use stage::{Rank, Stage, Tier};

#[cfg(test)]
pub(crate) mod tests;
