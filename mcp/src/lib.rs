//! The skills of a registry for MCP clients: the skills extension (SEP-2640), resources and tools.
//!
//! [`SkillSource`] reads the documents of a registry, wherever it is. [`SkillServer`] answers MCP
//! requests from it: `skills/list` from the pages of the mirror feed (`listing`), `skills/get` from
//! the documents of a version (`release`, `entry`), and `resources/read` from packages whose digest
//! was checked (`package_cache`). [`stdio`] and [`HttpEndpoint`] transport the requests. Only this
//! crate uses `rmcp`.

mod entry;
mod failure;
mod file_contents;
#[cfg(feature = "http")]
mod http_body;
#[cfg(feature = "http")]
mod http_endpoint;
mod listing;
mod package_cache;
mod reader;
mod release;
mod skill_server;
mod skill_uri;
mod source;
pub mod stdio;
mod tools;
mod unanswered;

#[cfg(feature = "http")]
pub use http_endpoint::HttpEndpoint;
pub use skill_server::SkillServer;
pub use source::{Installer, SearchRequest, SearchResult, SearchResults, SkillSource, SourceError};
