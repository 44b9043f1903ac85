//! Finds the packages to import.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use client::publish::local_package::folder_of_skill_md;
use walkdir::WalkDir;

use super::found_package::{FoundPackage, IS_LINK};
use super::manifest;
use crate::output::print_note;

/// The packages below a path, from Z to A, because lists begin with the last one. Versions of one
/// skill keep their order. Errors: there are no packages, and why.
pub fn find(path: &Path) -> Result<Vec<FoundPackage>, String> {
    let mut packages = find_unsorted(path)?;
    packages.sort_by_cached_key(|package| Reverse(package.sort_name()));
    Ok(packages)
}

fn find_unsorted(path: &Path) -> Result<Vec<FoundPackage>, String> {
    if let Some(folder) = folder_of_skill_md(path) {
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
