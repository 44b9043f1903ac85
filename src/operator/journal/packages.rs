//! `skillmirror journal copy --packages`: moves packages between a folder and a bucket.

use std::process::ExitCode;
use std::sync::Arc;

use registry::journal::{BlobFolder, Blobs, Journal};
use serde::Serialize;

use super::copying::Place;
use super::package_copy::copy_packages;
use crate::Failure;
use crate::config::Config;
use crate::engines::claimed_packages;
use crate::output::{Printer, count};
use crate::storage::stores::open_journal;

/// What was copied, for programs.
#[derive(Serialize)]
struct Copied {
    packages: usize,
}

/// Runs the command. The registry of the settings says whose packages they are.
pub fn run(config: &Config, from: &Place, to: &Place, printer: Printer) -> Result<ExitCode, Failure> {
    let journal = open_journal(config)?;
    let (source, target) = (open(config, from, &journal)?, open(config, to, &journal)?);
    let packages = copy_packages(&*source, &*target)?;
    let text = format!(
        "copied {}; each matches its digest. Packages that are published from now on are not there: stop \
         every server and command of the registry and run this again before you change storage.packages\n",
        count(packages, "package")
    );
    printer.report(text, &Copied { packages })?;
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
