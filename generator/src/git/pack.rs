//! Packs: all objects of a repository in one stream.

use sha1::{Digest, Sha1};

use super::object::Object;
use super::pkt_line::SideBand;

/// Writes a pack of format 2: its header, the objects, and the SHA-1 of both.
pub(super) fn write(objects: &[Object<'_>], mut band: SideBand<'_>) {
    let mut sha1 = Sha1::new();
    let mut put = |bytes: &[u8]| {
        sha1.update(bytes);
        band.write(bytes);
    };
    put(b"PACK");
    put(&2u32.to_be_bytes());
    // A repository has far fewer objects than 2^32.
    put(&u32::try_from(objects.len()).unwrap_or(u32::MAX).to_be_bytes());
    objects.iter().for_each(|object| object.write(&mut put));
    band.write(&sha1.finalize());
    band.finish();
}
