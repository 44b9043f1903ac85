//! The HTTP server: public reads from the static tree, and the API for writes.
//!
//! [`accept`] takes connections and [`http_service`] makes requests of them.
//! `dispatch` authenticates a request and finds its answer: `reads` for public
//! documents, [`routes`] for everything else. [`problem`] decides the status of
//! every error. Only `dispatch`, `serve` and `routes` see the whole [`App`].

pub mod accept;
mod auth;
pub mod body;
mod browser_policy;
pub mod cache_control;
pub mod client_address;
pub mod cors;
mod dispatch;
pub mod document_cache;
mod downloads;
mod gc_timer;
pub mod http_service;
pub mod limits;
pub mod multipart;
mod not_found_page;
#[cfg(feature = "openapi")]
pub mod openapi;
mod package_reads;
pub mod problem;
pub mod publishing;
mod reads;
mod reply;
pub mod representation;
pub mod request;
mod request_id;
mod request_origin;
pub mod routes;
mod serve;
mod session_cookie;
mod sign_in;
mod stall_guard;
pub mod state;
mod tree_reader;
mod write_rate;

pub use serve::serve;
pub use state::App;

/// A response. The type is warp's, so that its body can be anything warp sends.
pub type Response = warp::reply::Response;
