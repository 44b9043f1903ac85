//! Files, sent piece by piece.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;
use warp::Reply;

use crate::Response;
use crate::problem::Problem;

/// Bytes of a file in memory for one reader.
const PIECE: usize = 64 << 10;

/// `length` bytes of a file from `start`, as a response without a header. A file
/// that turns out shorter breaks the connection off, so that nobody takes the
/// piece for the whole.
pub(super) fn file(mut file: File, start: u64, length: u64) -> Result<Response, Problem> {
    // Seeking moves a number in the kernel; it touches no disk.
    file.seek(SeekFrom::Start(start))
        .map_err(|error| Problem::internal(format!("seeking in a file: {error}")))?;
    let mut file = tokio::fs::File::from_std(file);
    file.set_max_buf_size(PIECE);
    let pieces = ReaderStream::with_capacity(file.take(length), PIECE);
    Ok(warp::reply::stream(pieces).into_response())
}
