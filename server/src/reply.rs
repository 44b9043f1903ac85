//! Responses of handlers.

use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;

use crate::Response;
use crate::problem::Problem;

/// A response with a JSON record.
pub fn json(status: StatusCode, record: &impl Serialize) -> Result<Response, Problem> {
    let mut bytes = serde_json::to_vec(record).map_err(Problem::internal)?;
    bytes.push(b'\n');
    let mut response = Response::new(bytes.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// 204.
pub fn no_content() -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
