//! What a first visit of a page costs: `benches/first-visit` measures it in a browser.

use std::process::Command;

use crate::Failure;
use crate::program;

/// Its table.
///
/// Errors: what the script says, for example that `SKILLMIRROR_CORPUS` is not set.
pub fn measure() -> Result<String, Failure> {
    let script = Command::new("benches/first-visit").env("TEST_PROGRAM", program::path()?).output()?;
    if !script.status.success() {
        return Err(String::from_utf8_lossy(&script.stderr).into());
    }
    Ok(String::from_utf8(script.stdout)?)
}
