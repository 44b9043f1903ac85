//! The HTTP server: public reads from the static tree, and the API for writes.
//!
//! [`connection`] takes connections and makes a [`request`] of each message.
//! `dispatch` authenticates it ([`security`]) and finds its answer: [`reads`] for
//! public documents, [`routes`] for everything else. [`problem`] decides the status
//! of every error. Only `dispatch`, `serve` and `routes` see the whole [`App`].

pub mod app;
mod blocking;
pub mod connection;
mod dispatch;
mod expired_data;
pub mod identity;
mod mcp_endpoint;
pub mod metrics;
mod min_revision;
pub mod observation;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod private_namespaces;
pub mod problem;
pub mod read_only;
pub mod reads;
mod reply;
pub mod request;
pub mod response_headers;
pub mod routes;
pub mod scan_status;
pub mod security;
mod serve;
pub mod tree_updates;
pub mod trusted;

pub use app::App;
pub use serve::{Listeners, serve};

/// A response. The type is warp's, so that its body can be anything warp sends.
pub type Response = warp::reply::Response;
