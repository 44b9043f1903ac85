//! Random bytes from the operating system.

use std::io;

/// Random bytes for keys, tokens and salts.
pub(crate) fn random_bytes<const BYTES: usize>() -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| io::Error::other(format!("the system has no random numbers: {error}")))?;
    Ok(bytes)
}

/// Random bytes as lower-case base32.
#[cfg(feature = "storage")]
pub(crate) fn random_base32<const BYTES: usize>() -> io::Result<String> {
    Ok(data_encoding::BASE32_NOPAD.encode(&random_bytes::<BYTES>()?).to_ascii_lowercase())
}
