//! Why an upload failed.

use object_store::Error as StoreError;

use crate::store_error::sentence;

/// The bucket could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The bucket is refused: nothing is written to it, whatever is tried again.
    #[error("{0}")]
    Refused(String),
    /// The bucket is refused because it has objects of somebody else. The text names some of them.
    #[error("{0}")]
    Occupied(String),
    /// The store failed.
    #[error("{}", sentence(.0))]
    Store(StoreError),
    /// The store did not answer in time.
    #[error("the store did not answer within {0} seconds")]
    Timeout(u64),
    /// The tree cannot be read.
    #[error("the tree cannot be read")]
    Tree(#[from] std::io::Error),
    /// The record of the bucket cannot be read or written.
    #[error("the record of the bucket (bucket.sqlite in the tree's state folder) cannot be used")]
    Manifest(#[from] rusqlite::Error),
    /// A package was removed while it was put. The next attempt removes it.
    #[error("a document was removed while it was put")]
    Vanished,
    /// The turn to write the bucket has ended: another server may write it.
    #[error("the turn to write the bucket has ended")]
    TurnLost,
    /// The tree is not complete: a rebuild has not ended.
    #[error("the tree is not complete: run `skillmirror generate`")]
    Incomplete,
}

impl From<StoreError> for UploadError {
    fn from(why: StoreError) -> Self {
        Self::Store(why)
    }
}

impl UploadError {
    /// What everyone may know. It names nothing of this machine. `status` is the last failed status
    /// of the store.
    pub(crate) fn public(&self, status: Option<u16>) -> String {
        match self {
            Self::Refused(why) => why.clone(),
            Self::Occupied(_) => "the bucket has objects of somebody else; the log names some".into(),
            Self::Store(StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. }) => {
                "the store refuses the credentials".into()
            }
            Self::Store(StoreError::NotFound { .. }) => "the store has no such bucket".into(),
            // A listing fails with a general error.
            Self::Store(_) if matches!(status, Some(401 | 403)) => "the store refuses the credentials".into(),
            Self::Store(_) => match status {
                Some(status) => format!("the store answers with status {status}"),
                None => "the store cannot be reached, or breaks off".into(),
            },
            Self::Timeout(_) => self.to_string(),
            Self::Tree(_) | Self::Manifest(_) | Self::Vanished | Self::TurnLost | Self::Incomplete => {
                "an operation failed on the server; the log has the cause".into()
            }
        }
    }

    /// Whether trying again is useless before an operator has done something.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Occupied(_))
    }

    /// Whether the store may still do what it was asked for.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Timeout(_) | Self::Store(_) | Self::TurnLost)
    }
}
