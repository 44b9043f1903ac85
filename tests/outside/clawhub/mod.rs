//! The dialect of the `clawhub` command line, over HTTP.

mod lists;
mod mount;
pub(crate) mod publishing;
mod reads;
mod removal;
mod static_host;
mod transfers;
pub(crate) mod uploads;
mod worker;

use super::harness;

/// Asserts that a response is an error of this dialect, and returns its line.
#[track_caller]
pub fn line_of(response: &harness::Response, status: u16) -> String {
    assert_eq!(response.status, status, "{response}");
    assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"), "{response}");
    let line = response.text();
    assert!(!line.is_empty() && !line.contains('\n') && !line.starts_with('{'), "{response}");
    line
}
