//! Files as response bodies.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;
use warp::Reply;

use super::Payload;
use crate::Response;
use crate::problem::Problem;

/// Bytes of a file in memory for each response.
const CHUNK: usize = 64 << 10;

/// A response without headers and with `length` bytes of a file from `start`. If
/// the file turns out to be shorter, the connection is closed, so that no client
/// takes the part for the whole.
pub(super) fn file(file: File, start: u64, length: u64) -> Result<Response, Problem> {
    Ok(warp::reply::stream(pieces(file, start, length)?).into_response())
}

/// A response without headers, with `first` and then a whole payload.
pub fn after(first: &'static [u8], payload: Payload) -> Result<Response, Problem> {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(first))]);
    Ok(match payload {
        Payload::Bytes(bytes) => warp::reply::stream(first.chain(stream::iter([Ok(bytes)]))).into_response(),
        Payload::File { file, size } => {
            warp::reply::stream(first.chain(pieces(file, 0, size)?)).into_response()
        }
    })
}

/// Reads `length` bytes of a file from `start` while they are sent.
fn pieces(
    mut file: File,
    start: u64,
    length: u64,
) -> Result<ReaderStream<tokio::io::Take<tokio::fs::File>>, Problem> {
    // Only moves an offset in the kernel, so it does not block.
    file.seek(SeekFrom::Start(start))
        .map_err(|error| Problem::internal(format!("seeking in a file: {error}")))?;
    let mut file = tokio::fs::File::from_std(file);
    file.set_max_buf_size(CHUNK);
    Ok(ReaderStream::with_capacity(file.take(length), CHUNK))
}
