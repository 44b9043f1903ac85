//! Installs skills into a folder, lists them and removes them.
//!
//! [`Placement`] compares a [`Release`] with the folder
//! and its record (`installation`), downloads and checks the package (`fetch`), and swaps it in
//! while it holds the lock of the folder (`skills_folder`). Nothing is written before the
//! package has passed its checks. The next run cleans up after a killed one
//! (`skills_folder::recover`).

mod agents;
mod error;
mod fetch;
mod installation;
mod list;
mod mend;
mod pinned;
mod placement;
mod proof;
mod release;
mod skills_folder;
mod uninstall;

pub use agents::{Agent, all_agents};
pub use error::InstallError;
pub(crate) use fetch::unpack_limits;
pub use list::{
    InstalledState, ListedSkill, is_missing, latest_version, list_installed, recorded_skills,
    verify_installed,
};
pub use mend::{LockedEntries, mend_record};
pub use pinned::{other_version, recover_folder};
pub use placement::{Change, Outcome, Placement, forget_asked, link_record};
pub use proof::{ProofSource, VerifiedVersion, prove_version, read_proof, verify_package, verify_with_proof};
pub use release::Release;
pub use skills_folder::SkillsFolder;
pub use skills_folder::differences::{Difference, DifferenceKind, Differences, unverified_warning};
pub use skills_folder::file_marks::{FileMark, FileMarks};
pub use skills_folder::record::{InLog, Installed};
pub use uninstall::{UninstallRequest, Uninstalled, uninstall};
