//! What a test says: `registry.publish(skill).by(&user)`.

mod answer;
mod client;
mod deeds;
mod desk;
mod false_host;
mod forged;
mod home;
pub mod manifest;
pub mod markup;
mod nginx;
mod pages;
mod program;
mod publish;
mod raw_zip;
pub mod records;
mod registry;
mod shared;
mod signing_in;
mod skill;
mod small_disk;
pub mod snapshot;
mod static_host;
mod tls_host;
pub mod tree;
mod trials;
mod tunnel;
mod user;
mod watching;

pub use answer::{Answer, fields};
pub use client::Client;
pub use deeds::at;
pub use desk::{Desk, folder_address};
pub use false_host::{Asked, FalseHost, Reply};
pub use forged::Forged;
pub use home::Home;
pub use nginx::Nginx;
pub use program::{Ran, eventually, run};
pub use publish::Publish;
pub use raw_zip::{RawEntry, RawZip, extra};
pub use registry::{OnDisk, Registry};
pub use shared::Shared;
pub use signing_in::cookie_of;
pub use skill::{Skill, noise, zip_of};
pub use small_disk::SmallDisk;
pub use static_host::StaticHost;
pub use tls_host::TlsHost;
pub use tunnel::Tunnel;
pub use user::User;
pub use watching::Watching;

use sha2::Digest;

/// The sha256 of `bytes` in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
