//! HTTP requests to operations, and reads from the static tree.
//!
//! [`http_service`] takes connections and makes requests of them, `dispatch` finds out
//! what a request means, `reads` answers the public ones, `routes` has a file
//! for each other resource, and [`problem`] decides every error's status.

pub mod accept;
mod auth;
pub mod body;
pub mod cache_control;
pub mod client_address;
mod cors;
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
pub mod request_origin;
pub mod routes;
mod serve;
mod session_cookie;
mod sign_in;
mod stall_guard;
pub mod state;
mod write_rate;

pub use http_service::Response;
pub use serve::serve;
pub use state::App;
