//! HTTP itself: headers, conditions, compression, limits, the documented API.

mod ambiguous_requests;
mod api_docs;
mod browsers;
mod compression;
mod error_headers;
mod fair_share;
mod many_connections;
mod reads;
mod request_limits;
mod routes;
