//! Keeps glibc from taking ever more memory while packages are packed.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::Failure;

/// From which size on memory is given back at once. Set, it is fixed.
pub const VARIABLE: &str = "MALLOC_MMAP_THRESHOLD_";

/// Starts this program anew with a fixed threshold, unless it has one: glibc
/// before 2.38 does not use freed aligned memory again (its bug 14581), and each
/// packed file takes a quarter of a MiB of that. 100,000 packages would take
/// all memory of the machine. Returns only where it is set, or cannot be.
pub fn bounded() -> Result<(), Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    let mut arguments = std::env::args_os();
    arguments.next();
    Err(Command::new(std::env::current_exe()?).args(arguments).env(VARIABLE, "65536").exec().into())
}
