//! The skills of a project: what it wants, and which exact versions it has.
//!
//! A project is the current folder. `skills.lock` ([`Lock`]) records every skill that is installed in
//! a folder below it. `skills.toml` ([`Manifest`]) is optional and says what the project wants. All
//! commands do the same in this order: open the [`Project`], which locks it against other commands;
//! [`plan()`] what the lock must become; choose versions (`resolve`); bring the folders in line with the
//! lock ([`restore()`]); and save both files. The order makes it safe to kill a command: the
//! next one finds the old lock and brings the folders in line with it.
//!
//! Both files may have come with somebody else's project, so they are as hostile as a registry.

mod add;
mod complete;
mod fault;
mod files;
mod lock_file;
mod locked_entries;
mod manifest;
mod manifest_edit;
mod moves;
mod place;
mod plan;
mod required;
mod resolve;
mod restore;
mod sbom;
mod sources;
mod takeover;

pub use add::{Admitted, NamedSkill, add, admit};
pub use complete::{Completed, Entries, complete};
pub use fault::Fault;
pub use files::{Project, read_lock};
pub use lock_file::{Lock, LockedSkill};
pub use manifest::{Manifest, WantedSkill};
pub use manifest_edit::Addition;
pub use moves::accept_move;
pub use place::{Place, folder_in_project};
pub use plan::{Plan, Wanted, plan};
pub use required::{Facts, Folder, Kept};
pub use resolve::{Choice, LockedStatus, choose_versions, locked_status, locked_statuses};
pub use restore::{Restored, restore};
pub use sbom::bill_of_materials;
pub use sources::Sources;
