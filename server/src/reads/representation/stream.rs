//! Files as response bodies.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;
use warp::Reply;

use crate::Response;
use crate::problem::Problem;

/// Bytes of a file in memory for each response.
const CHUNK: usize = 64 << 10;

/// A response without headers and with `length` bytes of a file from `start`. If
/// the file turns out to be shorter, the connection is closed, so that no client
/// takes the part for the whole.
pub(super) fn file(mut file: File, start: u64, length: u64) -> Result<Response, Problem> {
    // Only moves an offset in the kernel, so it does not block.
    file.seek(SeekFrom::Start(start))
        .map_err(|error| Problem::internal(format!("seeking in a file: {error}")))?;
    let mut file = tokio::fs::File::from_std(file);
    file.set_max_buf_size(CHUNK);
    let pieces = ReaderStream::with_capacity(file.take(length), CHUNK);
    Ok(warp::reply::stream(pieces).into_response())
}
