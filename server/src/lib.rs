//! The HTTP edge of a registry: connections, requests, errors, bodies and
//! representations. What a request does is somebody else's: see [`app::Dispatch`].

pub mod accept;
pub mod app;
pub mod body;
pub mod cache;
pub mod limits;
pub mod multipart;
pub mod problem;
pub mod representation;
pub mod request;
pub mod routes;
pub mod scope;
mod wire;

pub use app::Response;
