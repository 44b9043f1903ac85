//! HTTP requests to operations, and reads from the static tree.
//!
//! [`edge`] takes connections and makes requests of them, `dispatch` finds out
//! what a request means, `reads` answers the public ones, `routes` has a file
//! for each other resource, and [`problem`] decides every error's status.

pub mod accept;
mod answer;
mod audience;
mod auth;
pub mod body;
pub mod cache;
pub mod client_address;
mod dispatch;
mod downloads;
pub mod edge;
pub mod hot;
mod keeping;
pub mod limits;
pub mod mirroring;
pub mod multipart;
pub mod openapi;
mod packages;
pub mod problem;
pub mod public_url;
mod reads;
pub mod representation;
pub mod request;
pub mod routes;
mod serve;
mod session_cookie;
mod sign_in;
mod site;
pub mod state;
mod wire;
mod write_rate;

pub use edge::Response;
pub use serve::serve;
pub use state::App;
