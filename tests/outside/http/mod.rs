//! HTTP itself: headers, conditions, compression, limits, the documented API.

mod api_docs;
mod browsers;
mod compression;
mod error_headers;
mod reads;
mod request_limits;
mod routes;
