//! The packages to import, and where they are found.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use client::publish::local_package::{self, IgnoredFiles};
use registry::names::{Namespace, Slug};
use registry::package::{Package, ReadOptions};
use registry::time::Timestamp;
use walkdir::WalkDir;

use super::manifest;
use crate::output::print_note;

/// The refusal of a link that nobody has named.
pub const IS_LINK: &str = "it is a symbolic link, which may lead anywhere: replace it with the file";

/// A package to import, and its entry in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPackage {
    /// A zip, or the folder of a skill.
    pub path: PathBuf,
    /// The namespace from the manifest.
    pub namespace: Option<Namespace>,
    /// The slug from the manifest.
    pub slug: Option<Slug>,
    /// The version from the manifest, as it was written.
    pub version: Option<String>,
    /// The time of publication from the manifest.
    pub published: Option<Timestamp>,
    /// Why the package cannot be imported, if the manifest already shows it.
    pub refusal: Option<String>,
}

impl FoundPackage {
    /// A package without a manifest.
    pub fn at(path: PathBuf) -> Self {
        Self { path, namespace: None, slug: None, version: None, published: None, refusal: None }
    }

    /// The name for a package that does not contain its own.
    pub fn name(&self) -> Option<String> {
        local_package::name_of(&self.path)
    }

    /// The name from the manifest, or the path without a version at the end: `x/hello` for
    /// `x/hello-1.0.0.zip`.
    fn sort_name(&self) -> String {
        if let (Some(namespace), Some(slug)) = (&self.namespace, &self.slug) {
            return format!("{namespace}/{slug}");
        }
        let path = self.path.to_string_lossy();
        let stem = path.strip_suffix(".zip").unwrap_or(&path);
        stem.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | 'v')).to_owned()
    }

    /// Reads and validates the package: a folder, or a zip of at most `zip_limit` bytes. The
    /// error is the reason for the refusal.
    pub fn read(&self, options: &ReadOptions<'_>, zip_limit: u64) -> Result<Package, String> {
        if let Some(why) = &self.refusal {
            return Err(why.clone());
        }
        local_package::read_package(&self.path, options, zip_limit, IgnoredFiles::Include)
            .map(|local| local.package)
            .map_err(|why| why.to_string())
    }
}

/// Sorts packages by time of publication, and those without a time last. The order is otherwise kept.
pub fn sort_by_time(packages: &mut [FoundPackage]) {
    packages.sort_by_key(|package| (package.published.is_none(), package.published));
}

/// The packages below a path, from Z to A, because lists begin with the last one. Versions of one
/// skill keep their order. The error says why there are none.
pub fn find(path: &Path) -> Result<Vec<FoundPackage>, String> {
    let mut packages = find_unsorted(path)?;
    packages.sort_by_cached_key(|package| Reverse(package.sort_name()));
    Ok(packages)
}

fn find_unsorted(path: &Path) -> Result<Vec<FoundPackage>, String> {
    if let Some(folder) = local_package::folder_of_skill_md(path) {
        print_note(format_args!("`{}` means its folder, `{}`", path.display(), folder.display()));
        return Ok(vec![FoundPackage::at(folder.to_owned())]);
    }
    if !path.is_dir() {
        let exists = path.try_exists().map_err(|why| why.to_string())?;
        return if exists { Ok(vec![listed(path)?]) } else { Err("no such file or folder".into()) };
    }
    let manifest = path.join("manifest.jsonl");
    if manifest.is_file() {
        return manifest::read(&manifest);
    }
    let mut packages = Vec::new();
    let mut walk = WalkDir::new(path).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|why| why.to_string())?;
        if entry.file_type().is_dir() {
            if is_skill(entry.path()) {
                packages.push(FoundPackage::at(entry.path().to_owned()));
                walk.skip_current_dir();
            }
        } else if entry.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
            let mut package = listed(entry.path())?;
            if entry.path_is_symlink() {
                package.refusal = Some(IS_LINK.into());
            }
            packages.push(package);
        }
    }
    if packages.is_empty() {
        return Err("no skill found: no SKILL.md, no folder with one, and no zip".into());
    }
    Ok(packages)
}

/// A zip, with its entry in a manifest next to it or one folder above.
fn listed(zip: &Path) -> Result<FoundPackage, String> {
    for folder in zip.ancestors().skip(1).take(2) {
        let manifest = folder.join("manifest.jsonl");
        if manifest.is_file() {
            let package = manifest::read(&manifest)?.into_iter().find(|package| package.path == zip);
            return Ok(package.unwrap_or_else(|| FoundPackage::at(zip.to_owned())));
        }
    }
    Ok(FoundPackage::at(zip.to_owned()))
}

fn is_skill(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().to_lowercase());
    names.into_iter().any(|name| name == "skill.md" || name == "skills.md")
}
