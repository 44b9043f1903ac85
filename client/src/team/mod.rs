//! What a signed-in person asks of a registry: namespaces, members, reviews, tags, tokens, and their
//! own skills.
//!
//! [`SignedIn`] sends the requests. Each answer is a [`Reply`]: its fields for people, and the JSON as
//! the registry sent it. The modules have a function for each request of the API.

pub mod account;
pub mod members;
pub mod namespaces;
mod page;
pub mod records;
mod reply;
pub mod reviews;
mod signed_in;
mod similar;
pub mod skills;
pub mod tags;
pub mod tokens;
pub mod transfers;
pub mod waiting;

pub use page::{MAX_PAGE_SIZE, PageRequest};
pub use reply::Reply;
pub use signed_in::SignedIn;
