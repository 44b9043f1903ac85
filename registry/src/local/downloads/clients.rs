//! Remembers as hashes which clients downloaded which version on which day.
//!
//! A hash covers version and address under a random key of the day, so it cannot
//! be compared with data from elsewhere. The key and the hashes of a day are
//! erased when nothing of that day has been counted for a while. After that the
//! addresses cannot be found out.

use std::io;
use std::net::IpAddr;

use super::Download;
use crate::names::DigestBuilder;
use crate::random::random_bytes;

/// A key is erased this many days after its last use. Most logs are rotated by
/// then, and the logs of a mirror may come late.
pub const KEY_TTL_DAYS: i64 = 32;

/// A new key of a day.
///
/// Errors: the system has no random numbers.
pub fn new_client_key() -> io::Result<[u8; 32]> {
    random_bytes()
}

/// Hashes the client of a download under the key of its day. All parts have a fixed length, so that no two inputs feed
/// the same bytes.
pub fn client_hash(key: &[u8; 32], download: &Download) -> [u8; 16] {
    let address = match download.client {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let mut digest = DigestBuilder::default();
    digest.update(key);
    digest.update(&download.skill.0.to_be_bytes());
    digest.update(&download.version.0.to_be_bytes());
    digest.update(&address.octets());
    let digest = digest.finish();
    let (half, _) = digest.as_bytes().split_at(16);
    half.try_into().unwrap_or_default()
}
