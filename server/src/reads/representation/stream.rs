//! Files as response bodies.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use registry::journal::BlobReader;
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

/// A response without headers and with `length` bytes of a blob from `start`. Like [`file()`] it
/// ends early, and closes the connection, if the blob cannot be read.
pub(super) fn blob(blob: Box<dyn BlobReader>, start: u64, length: u64) -> Response {
    warp::reply::stream(pieces_of_blob(blob, start, length)).into_response()
}

/// A response without headers, with `first` and then a whole payload.
pub fn after(first: &'static [u8], payload: Payload) -> Result<Response, Problem> {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(first))]);
    Ok(match payload {
        Payload::Bytes(bytes) => warp::reply::stream(first.chain(stream::iter([Ok(bytes)]))).into_response(),
        Payload::File { file, size } => {
            warp::reply::stream(first.chain(pieces(file, 0, size)?)).into_response()
        }
        Payload::Blob { blob, size } => {
            warp::reply::stream(first.chain(pieces_of_blob(blob, 0, size))).into_response()
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

/// Reads `length` bytes of a blob from `start` while they are sent. Reading may wait for a disk or a
/// network.
fn pieces_of_blob(
    blob: Box<dyn BlobReader>,
    start: u64,
    length: u64,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::try_unfold((blob, start, length), |(mut blob, at, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = vec![0; usize::try_from(left).unwrap_or(CHUNK).min(CHUNK)];
            blob.seek(SeekFrom::Start(at))?;
            blob.read_exact(&mut bytes)?;
            Ok::<_, io::Error>((blob, bytes))
        });
        let (blob, bytes) = read.await.map_err(io::Error::other)??;
        let count = bytes.len() as u64;
        Ok(Some((Bytes::from(bytes), (blob, at + count, left - count))))
    })
}
