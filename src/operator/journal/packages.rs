//! `skillmirror journal copy --packages`: moves packages between a folder and a bucket.

use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

use registry::journal::{BlobFolder, Blobs, Journal};

use super::copying::Place;
use crate::Failure;
use crate::config::Config;
use crate::engines::claimed_packages;
use crate::output::{count, print};
use crate::stores::open_journal;

/// Runs the command. The registry of the settings says whose packages they are.
pub fn run(config: &Config, from: &Place, to: &Place) -> Result<ExitCode, Failure> {
    let journal = open_journal(config)?;
    let (source, target) = (open(config, from, &journal)?, open(config, to, &journal)?);
    let copied = copy_packages(&*source, &*target)?;
    print(&format!(
        "copied {}; each matches its digest. Packages that are published from now on are not there: stop \
         every server and command of the registry and run this again before you change storage.packages\n",
        count(copied, "package")
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn open(config: &Config, place: &Place, journal: &Arc<dyn Journal>) -> Result<Arc<dyn Blobs>, Failure> {
    match place {
        Place::Folder(folder) => Ok(Arc::new(BlobFolder::open(folder)?)),
        Place::Bucket(url) => claimed_packages(config, url, journal),
        Place::Database(_) => {
            Err("a database has no packages: name a data folder or a bucket (s3://BUCKET/PREFIX)".into())
        }
    }
}

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
