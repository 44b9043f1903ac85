//! The verbs of the tests, as in `registry.publish(skill).by(&user)`.

mod actions;
mod api;
mod client;
mod fake_host;
mod git;
mod home;
pub mod html;
pub mod manifest;
mod nginx;
mod object_store;
mod pages;
pub mod postgres;
mod program;
mod project;
mod publish;
mod raw_zip;
pub mod record_fields;
mod registry;
mod response;
mod self_tests;
mod sessions;
mod shared;
mod skill;
mod small_disk;
pub mod snapshot;
mod static_host;
mod storage;
mod tampered_tree;
pub mod terminal;
mod tls_host;
pub mod tree;
mod tunnel;
mod user;
mod variables;
mod watch;

pub use actions::skill_path;
pub use api::{ApiRoute, routes};
pub use client::Client;
pub use fake_host::{FakeHost, ReceivedRequest, Reply};
pub use git::Git;
pub use home::Home;
pub use nginx::Nginx;
pub use object_store::{CREDENTIALS, ObjectStore};
pub use postgres::PostgresServer;
pub use program::{CommandOutput, Process, ServerProcess, eventually, run};
pub use project::{Project, folder_address};
pub use publish::Publish;
pub use raw_zip::{RawEntry, RawZip, extra};
pub use registry::{OnDisk, Registry};
pub use response::{Response, assert_fields, gunzip, slugs};
pub use sessions::{Browser, PASSWORD, cookie_of};
pub use shared::Shared;
pub use skill::{Skill, noise, zip_of};
pub use small_disk::SmallDisk;
pub use static_host::{StaticHost, write_worker};
pub use tampered_tree::TamperedTree;
pub use tls_host::TlsHost;
pub use tunnel::Tunnel;
pub use user::User;
pub use watch::Watch;

use sha2::Digest;

/// The sha256 of `bytes` in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
