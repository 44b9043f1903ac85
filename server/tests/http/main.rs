//! The edge with a fake dispatcher behind it and raw sockets before it.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

mod connections;
mod harness;
mod http_2;
mod messages;
mod requests;
mod uploads;
