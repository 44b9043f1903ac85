//! Connections: accepted, limited in time, and served request by request.

pub mod accept;
pub mod http_service;
pub(crate) mod open_connections;
mod stall_guard;
