//! A bucket as the source of a mirror.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use generator::address::Document;
use generator::follower::FeedSource;
use object_store::{Error as StoreError, ObjectStoreExt};
use tokio::runtime::{Handle, Runtime};

use crate::store::Target;
use crate::store_error::sentence;

/// The tree in a bucket, read with the credentials of the environment. It must not be read in
/// asynchronous code.
#[derive(Debug)]
pub struct BucketSource {
    target: Target,
    /// None while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
}

impl BucketSource {
    /// The tree in this bucket.
    pub fn of(target: Target) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { target, handle: runtime.handle().clone(), runtime: Some(runtime) })
    }
}

impl Drop for BucketSource {
    fn drop(&mut self) {
        // Waiting for its threads is forbidden in asynchronous code.
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

impl FeedSource for BucketSource {
    fn name(&self) -> String {
        self.target.name().to_owned()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        let none = || io::Error::other(format!("{} has no file", document.name()));
        let key = document.file().ok_or_else(none)?;
        let place = self.target.path(&key).map_err(failed)?;
        let store = Arc::clone(&self.target.store);
        match self.handle.block_on(async { store.get(&place).await }) {
            Ok(found) => {
                let (handle, parts) = (self.handle.clone(), found.into_stream());
                Ok(Some(Box::new(ObjectReader { handle, parts, part: Bytes::new() })))
            }
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(why) => Err(failed(why)),
        }
    }
}

fn failed(why: StoreError) -> io::Error {
    io::Error::other(sentence(&why))
}

/// Reads an object as it arrives.
struct ObjectReader {
    handle: Handle,
    parts: BoxStream<'static, object_store::Result<Bytes>>,
    part: Bytes,
}

impl Read for ObjectReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.handle.block_on(self.parts.next()) {
                Some(part) => self.part = part.map_err(failed)?,
                None => return Ok(0),
            }
        }
        let length = into.len().min(self.part.len());
        self.part.copy_to_slice(&mut into[..length]);
        Ok(length)
    }
}
