//! Packages in the blob store.

use std::io;

use registry::journal::{BlobReader, PublicStore};
use registry::names::Digest;

/// Opens a package in the blob store. A missing package is an error.
pub(crate) fn open_blob(store: &dyn PublicStore, sha256: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {sha256} is not in the data folder"));
    store.open_blob(sha256).map_err(io::Error::other)?.ok_or_else(missing)
}
