//! What systems do differently: modes and owners of files, links, renames, locks, and paths as text.
//!
//! Unix has all of it. The fallback for other systems, such as Windows, does less, and says what. Both
//! files have the same functions. Only this folder names a system.

#[cfg(not(unix))]
mod fallback;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use fallback::*;
#[cfg(unix)]
pub(crate) use unix::*;

/// The permissions of a folder that only its owner may use.
pub(crate) const PRIVATE_FOLDER: u32 = 0o700;
