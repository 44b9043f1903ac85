//! Installing skills into a folder, and what was installed there.
//!
//! [`install()`] asks what a reference stands for (`wanted`), compares that with
//! what is there (`content`, `record`, `judge`), fetches and checks the package
//! (`fetch`), and puts it there in one step (`put`) while it holds the lock of the
//! folder (`place`). Nothing is written before the package is known to be right. What
//! a killed run leaves, the next one clears (`recover`).

mod agents;
mod content;
mod error;
mod fetch;
mod installing;
mod judge;
mod list;
mod outcome;
mod place;
mod put;
mod record;
mod record_file;
mod recover;
mod scratch;
mod uninstall;
mod wanted;

pub use agents::{Agent, Reach, UnknownAgent};
pub use content::{FileMark, FileMarks};
pub use error::InstallError;
pub use installing::install;
pub use judge::Force;
pub use list::{Listed, State, latest, list};
pub use outcome::{Change, Outcome};
pub use place::Place;
pub use record::Installed;
pub use uninstall::{Uninstalled, uninstall};
