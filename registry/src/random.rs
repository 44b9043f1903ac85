//! Random bytes from the operating system.

use std::io;

/// Random bytes for keys, tokens and salts.
pub(crate) fn random_bytes<const BYTES: usize>() -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| io::Error::other(format!("the system has no random numbers: {error}")))?;
    Ok(bytes)
}
