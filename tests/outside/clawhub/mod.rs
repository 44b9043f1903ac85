//! The dialect of the `clawhub` and `clawdhub` command lines, over HTTP.

mod lists;
mod mount;
mod publishing;
mod reads;
mod removal;
mod static_host;
mod transfers;
mod worker;

use super::harness;
use harness::{Client, Registry};

/// Lets the system choose the port.
pub const LISTENING: &str = "[clawhub]\nlisten = \"127.0.0.1:0\"\n";

/// A client of the listener that has the dialect at its root.
#[track_caller]
pub fn at_root(registry: &Registry) -> Client {
    Client::of(&root_url(registry))
}

/// The URL of that listener.
#[track_caller]
pub fn root_url(registry: &Registry) -> String {
    let printed = registry.printed();
    let line = printed.lines().find_map(|line| line.strip_prefix("the ClawHub dialect is at "));
    line.unwrap_or_else(|| panic!("no such listener: {printed}")).to_owned()
}

/// Asserts that a response is an error of this dialect, and returns its line.
#[track_caller]
pub fn line_of(response: &harness::Response, status: u16) -> String {
    assert_eq!(response.status, status, "{response}");
    assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"), "{response}");
    let line = response.text();
    assert!(!line.is_empty() && !line.contains('\n') && !line.starts_with('{'), "{response}");
    line
}
