//! The last packages that were read, unpacked. Only packages with the digest of their version get in.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use registry::names::{Coordinate, Digest, Version};
use registry::package::{Limits, Unpacked};

use crate::entry::{MAX_BYTES, MAX_FILES, too_large};
use crate::failure::Failure;
use crate::source::SkillSource;
use registry::api::public::VersionDetail;

/// The most bytes of all files in the cache.
const CACHE_BYTES: u64 = 64 << 20;

/// The most packages that the cache is made for.
const CACHE_PACKAGES: usize = 16;

/// The most bytes of a package whose content has [`MAX_BYTES`] in [`MAX_FILES`] files.
const MAX_PACKAGE: u64 = 20 << 20;

/// The limits of an unpacked package: those of the skills extension.
fn limits() -> Limits {
    let files = usize::try_from(MAX_FILES).unwrap_or(usize::MAX);
    Limits { unpacked: MAX_BYTES, file: MAX_BYTES, files, ..Limits::default() }
}

/// A version and the digest of its package: a source may prove each version.
type Key = (Coordinate, Version, Digest);

/// Unpacked packages.
pub(crate) struct PackageCache(Cache<Key, Arc<Unpacked>, ContentSize>);

/// Weighs a package by its content.
#[derive(Clone)]
struct ContentSize;

impl Weighter<Key, Arc<Unpacked>> for ContentSize {
    fn weight(&self, _: &Key, package: &Arc<Unpacked>) -> u64 {
        let size: usize =
            package.files.iter().map(|file| file.content.len() + file.path.as_str().len()).sum();
        size as u64 + 1024
    }
}

impl Default for PackageCache {
    fn default() -> Self {
        Self(Cache::with_weighter(CACHE_PACKAGES, CACHE_BYTES, ContentSize))
    }
}

impl PackageCache {
    /// The package of a version: cached, or read from the registry and checked.
    pub(crate) fn open(
        &self,
        source: &dyn SkillSource,
        version: &VersionDetail<'_>,
    ) -> Result<Arc<Unpacked>, Failure> {
        let record = &version.record;
        let key = (version.coordinate(), record.version.clone().into_owned(), record.sha256);
        self.0.get_or_insert_with(&key, || read(source, version).map(Arc::new))
    }
}

fn read(source: &dyn SkillSource, version: &VersionDetail<'_>) -> Result<Unpacked, Failure> {
    let record = &version.record;
    let (registry, skill) = (source.name(), format!("{} {}", version.coordinate().scoped(), record.version));
    if let Some(why) = too_large(record.file_count, record.unpacked_size) {
        return Err(Failure::NotFound(format!("{skill} {why}: install it instead")));
    }
    let refused =
        |why: String| Failure::Unavailable(format!("{registry} has a wrong package for {skill}: {why}"));
    if record.package_size > MAX_PACKAGE {
        return Err(refused(format!("it has {} bytes, more than its content", record.package_size)));
    }
    let Some(package) = source.package(version)? else {
        return Err(Failure::Unavailable(format!(
            "{registry} has no package for {skill}, though it lists the version"
        )));
    };
    if Digest::of(&package) != record.sha256 {
        return Err(refused("its sha256 is not that of the version".into()));
    }
    let unpacked = Unpacked::from_zip(&package, &limits()).map_err(|why| refused(why.to_string()))?;
    match unpacked.content_digest == record.content_digest {
        true => Ok(unpacked),
        false => Err(refused("its content is not that of the version".into())),
    }
}
