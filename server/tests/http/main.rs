//! The HTTP service with a fake dispatcher, over raw sockets.
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod connections;
mod harness;
mod http_2;
mod messages;
mod requests;
mod uploads;
