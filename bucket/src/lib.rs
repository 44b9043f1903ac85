//! The static tree in an object store: a bucket that answers the tree's addresses.
//!
//! The output folder stays the truth, and the bucket follows it. The tree's writer reports each
//! document that it has written or removed ([`upload::Changes`]). A thread takes the reports, reads the
//! files, and puts them into the bucket ([`Uploader`]).
//!
//! # Why a reader of the bucket never meets a reference to a missing object
//!
//! The folder itself is *closed* at each moment: what a document refers to has a lower rank and was
//! written before it (`generator/src/address/stage.rs`), and is removed only when nothing refers to it
//! any more. A document is reported when its file is in place, before a document of a higher rank is
//! written.
//!
//! 1. A [`batch`](upload::Batch) begins with the reports of the lowest rank, up to a number of them. It
//!    reads their files, the highest rank first. Then it takes the reports of these ranks that came
//!    meanwhile, and reads those files too, until no report came while it read. So the batch has, up to
//!    its highest rank, what the folder had at one moment: whatever one of its documents refers to is
//!    in the batch, or was put into the bucket before.
//! 2. A batch is put in the order of the ranks, and documents of equal rank do not refer to each other.
//!    So each object is put after those that it refers to.
//! 3. Removals come after all documents that no longer refer to the removed ones, and before the feed,
//!    as in the folder. A document that came back is put instead.
//! 4. After a failure nothing else of the batch is put, and everything that is not in the bucket is
//!    reported again. After a kill, the next start compares folder, bucket and the record of what was
//!    put ([`manifest`]).
//! 5. While the folder is rebuilt, it may not be closed. The bucket waits for the end.
//!
//! A put of the stores is atomic: nobody reads half a document.

mod attributes;
mod error;
mod keys;
mod manifest;
mod objects;
mod owner;
pub mod packages;
mod source;
pub mod store;
mod store_error;
mod turn_source;
pub mod upload;
mod verify;

pub use error::UploadError;
pub use keys::KeyStyle;
pub use owner::Claim;
pub use packages::BucketBlobs;
pub use source::BucketSource;
pub use store::{Target, TargetError, TargetSettings, TargetUrl};
pub use turn_source::TurnSource;
pub use upload::Uploader;
pub use verify::{ObjectDifference, compare};
