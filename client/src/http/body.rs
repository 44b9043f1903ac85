//! Reads the body of an answer, within limits.

use std::io::{ErrorKind, Read};

use ureq::Body;
use ureq::http::Response;
use url::Url;

use crate::ClientError;

use super::Progress;
use super::decoding::{Decoded, decode};
use super::failure::Failure;

/// The size limit of the body of a refusal. A problem document has at most a hundred entries.
const MAX_REFUSAL: u64 = 256 << 10;

/// The number of bytes read at once.
const BUFFER: usize = 64 << 10;

/// Reads a body of at most `most` bytes. A body that breaks off is a transient failure.
pub(super) fn read(
    url: &Url,
    response: Response<Body>,
    most: u64,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Failure> {
    let too_large = || ClientError::TooLarge { url: url.to_string(), most };
    // Compressed bytes are hardly more than plain ones.
    let most_encoded = most.saturating_add(most / 16).saturating_add(MAX_REFUSAL);
    let Decoded { mut reader, length: expected } = decode(url, response, most_encoded)?;
    if expected.is_some_and(|expected| expected > most) {
        return Err(too_large().into());
    }
    // The announced length is not trusted with more than 1 MiB of memory.
    let mut bytes = Vec::with_capacity(expected.unwrap_or_default().min(1 << 20) as usize);
    let mut buffer = vec![0; BUFFER];
    loop {
        let received = bytes.len() as u64;
        let truncated = || ClientError::Truncated { url: url.to_string(), received, expected };
        match reader.read(&mut buffer) {
            Ok(0) if expected.is_some_and(|expected| received < expected) => {
                return Err(Failure::Transient { why: truncated(), retry_after: None, may_be_done: true });
            }
            Ok(0) => return Ok(bytes),
            Ok(read) => bytes.extend_from_slice(buffer.get(..read).unwrap_or_default()),
            Err(why) if why.kind() == ErrorKind::Interrupted => continue,
            // Another attempt would take as long.
            Err(why) if why.kind() == ErrorKind::TimedOut => return Err(truncated().into()),
            Err(why) if why.kind() == ErrorKind::FileTooLarge => return Err(too_large().into()),
            Err(why) if why.kind() == ErrorKind::InvalidInput => {
                return Err(ClientError::Encoding { url: url.to_string(), why: why.to_string() }.into());
            }
            Err(_) => {
                return Err(Failure::Transient { why: truncated(), retry_after: None, may_be_done: true });
            }
        }
        if bytes.len() as u64 > most {
            return Err(too_large().into());
        }
        progress(bytes.len() as u64, expected);
    }
}

/// Reads the body of a refusal, or as much of it as arrives.
pub(super) fn read_refusal(url: &Url, response: Response<Body>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(Decoded { reader, .. }) = decode(url, response, MAX_REFUSAL) else { return bytes };
    match reader.take(MAX_REFUSAL).read_to_end(&mut bytes) {
        Ok(_) | Err(_) => bytes,
    }
}
