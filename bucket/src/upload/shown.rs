//! Reads the tree that a bucket shows.

use std::time::Duration;

use generator::address::Document;
use object_store::{Error as StoreError, ObjectStoreExt};
use serde::de::DeserializeOwned;

use super::requests::AwaitWithin;
use crate::error::UploadError;
use crate::store::Target;

/// The time in which a small document has to arrive.
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// A JSON document in a bucket. None if it is missing, or cannot be read.
pub async fn shown<T: DeserializeOwned>(
    target: &Target,
    document: &Document,
) -> Result<Option<T>, UploadError> {
    let Some(key) = document.file() else { return Ok(None) };
    let place = target.path(&key)?;
    let read = async { target.store.get(&place).await?.bytes().await };
    match read.await_within(DOCUMENT_TIMEOUT).await? {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(why) => Err(why.into()),
    }
}
