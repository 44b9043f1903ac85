//! Keeps glibc from using more and more memory while packages are packed.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::Failure;

/// From which size on memory is given back at once. Set, it is fixed.
pub const VARIABLE: &str = "MALLOC_MMAP_THRESHOLD_";

/// Restarts this program with a fixed threshold, unless it has one. glibc before 2.38 does not
/// reuse freed aligned memory (its bug 14581), and each packed file uses a quarter of a MiB of it,
/// so 100,000 packages would use all memory. Returns only if the threshold is set or cannot be set.
pub fn bounded() -> Result<(), Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    let mut arguments = std::env::args_os();
    arguments.next();
    Err(Command::new(std::env::current_exe()?).args(arguments).env(VARIABLE, "65536").exec().into())
}
