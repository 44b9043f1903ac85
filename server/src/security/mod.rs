//! Who calls, from which page, how often, and what each may take of what all share.

pub(crate) mod auth;
pub(crate) mod closed_reads;
pub mod cors;
pub(crate) mod fresh_proof;
pub(crate) mod key_in_path;
pub(crate) mod loopback_address;
pub(crate) mod read_keys;
pub(crate) mod request_origin;
pub(crate) mod session_cookie;
pub(crate) mod shares;
pub(crate) mod sign_in;
pub(crate) mod turns;
pub(crate) mod upload_places;
pub(crate) mod write_rate;
