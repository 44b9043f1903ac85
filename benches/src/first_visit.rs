//! What a first visit of a page costs: `benches/first-visit` measures it in a browser.

use std::process::Command;

use crate::world::memory;
use crate::{Failure, program};

/// Measures first visits of the corpus, and returns their table.
///
/// Errors: the script fails. The text is what it says, for example that `SKILLMIRROR_CORPUS` is not set.
pub fn measure() -> Result<String, Failure> {
    let mut script = Command::new("benches/first-visit");
    let script = script.env("TEST_PROGRAM", program::path()?).env_remove(memory::VARIABLE).output()?;
    if !script.status.success() {
        return Err(String::from_utf8_lossy(&script.stderr).into());
    }
    Ok(String::from_utf8(script.stdout)?)
}
