//! The JSON records of the HTTP API. Each is defined once: the server and the generator write it, and the
//! clients read it.
//!
//! A record borrows from the catalog while it is written, because lists and pages render thousands of
//! them, and owns its texts after it was read. Readers ignore fields that they do not know, and a missing
//! optional field is `None`. Fields are in the order of the API's contract.
//!
//! [`public`] has the records that everybody may see. The generator names only those. [`private`] has the
//! records for signed-in people; their contents come from `crate::private`, which clients do not have.

#![expect(
    missing_docs,
    reason = "a doc comment of a field is its description in the OpenAPI document: only what its name does not say"
)]

pub mod private;
pub mod public;
