//! Requests of a signed-in person: namespaces, members, reviews, tags, tokens, and their own skills.
//!
//! [`SignedIn`] sends them. Each answer is a [`Reply`]: its record for people, and the JSON as the registry
//! sent it. The commands name paths and bodies; here is what takes more than one request.

mod namespace_list;
mod page;
mod reply;
mod review_diff;
mod signed_in;
pub mod waiting;

pub use namespace_list::list_namespaces;
pub use page::{MAX_PAGE_SIZE, PageRequest};
pub use reply::Reply;
pub use review_diff::{ReviewDiff, diff_review, review_path};
pub use signed_in::{SignedIn, skill_path};
