//! An answer's body, within its limits.

use std::io::{ErrorKind, Read};

use ureq::Body;
use ureq::http::Response;
use url::Url;

use crate::ClientError;

use super::Progress;
use super::failure::Failure;

/// How much of an answer that refuses is read: a problem document has at most a
/// hundred entries.
const REFUSAL: u64 = 256 << 10;

/// How many bytes are read at once.
const PIECE: usize = 64 << 10;

/// Reads a body of at most `most` bytes. One that ends before its end may be whole
/// the next time.
pub(super) fn read(
    url: &Url,
    response: Response<Body>,
    most: u64,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Failure> {
    let expected = response.body().content_length();
    let too_large = || ClientError::TooLarge { url: url.to_string(), most };
    if expected.is_some_and(|expected| expected > most) {
        return Err(too_large().into());
    }
    let mut reader = response.into_body().into_reader();
    // What is announced is believed only as far as it comes.
    let mut bytes = Vec::with_capacity(expected.unwrap_or_default().min(1 << 20) as usize);
    let mut piece = vec![0; PIECE];
    loop {
        let received = bytes.len() as u64;
        let truncated = || ClientError::Truncated { url: url.to_string(), received, expected };
        match reader.read(&mut piece) {
            Ok(0) if expected.is_some_and(|expected| received < expected) => {
                return Err(Failure::Passing { why: truncated(), after: None });
            }
            Ok(0) => return Ok(bytes),
            Ok(read) => bytes.extend_from_slice(piece.get(..read).unwrap_or_default()),
            Err(why) if why.kind() == ErrorKind::Interrupted => continue,
            // The next one would take as long.
            Err(why) if why.kind() == ErrorKind::TimedOut => return Err(truncated().into()),
            Err(_) => return Err(Failure::Passing { why: truncated(), after: None }),
        }
        if bytes.len() as u64 > most {
            return Err(too_large().into());
        }
        progress(bytes.len() as u64, expected);
    }
}

/// Reads what is said with a refusal, as far as it comes: the status says enough
/// where the rest does not.
pub(super) fn read_refusal(response: Response<Body>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut reader = response.into_body().into_reader().take(REFUSAL);
    match reader.read_to_end(&mut bytes) {
        Ok(_) | Err(_) => bytes,
    }
}
