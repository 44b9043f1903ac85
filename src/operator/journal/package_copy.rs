//! Copies packages from one store to another.

use std::io::Read;

use registry::journal::Blobs;

use crate::Failure;

/// Copies all packages. Returns their number.
pub fn copy_packages(from: &dyn Blobs, to: &dyn Blobs) -> Result<usize, Failure> {
    // Nothing is removed while it is copied.
    let _hold = from.hold_blobs()?;
    let mut found = Vec::new();
    from.visit_blobs(&mut |blob| found.push(blob))?;
    for blob in &found {
        if to.renew_blob(blob.digest, blob.size)? {
            continue;
        }
        let mut bytes = Vec::new();
        let reader = from.open_blob(blob.digest)?;
        let mut reader = reader.ok_or("a package was removed while it was copied: run the command again")?;
        reader.read_to_end(&mut bytes)?;
        if to.put_blob(&bytes)? != blob.digest {
            return Err(format!("package {} is damaged: run `skillmirror journal check`", blob.digest).into());
        }
    }
    Ok(found.len())
}
