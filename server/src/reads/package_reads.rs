//! Packages as responses: which package an address means, and its bytes.

use std::fmt::Display;
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;

use generator::address::{Document, Format, Lifetime, Pointer};
use generator::render::{Package, Rendered};
use registry::names::{Coordinate, Digest, Version};
use registry::private::Review;

use crate::problem::Problem;
use crate::reads::representation::{Coding, Payload, Representation};
use crate::reads::tree_reader::TreeReader;
use crate::response_headers::cache_control::CacheClass;

/// The package at an address, and the address that always has this package.
///
/// The tree decides what an address without a version means, as it does for
/// documents: until the tree contains a write, the catalog would contradict them.
pub fn package(
    reader: &TreeReader,
    document: &Document,
) -> Result<Option<(Representation, Document)>, Problem> {
    let resolved = match reader.render(document)? {
        Some(Rendered::Package(package)) => Some(package),
        _ => None,
    };
    let in_tree = match document.lifetime() {
        Lifetime::Short => from_tree(reader, document, resolved.as_ref())?,
        Lifetime::Immutable => None,
    };
    let found = match (in_tree, resolved) {
        (Some(found), _) => Some(found),
        (None, Some(resolved)) => at_home(reader, resolved)?,
        (None, None) => return Ok(None),
    };
    let Some(Found { package, body, last_modified }) = found else {
        return Err(Problem::internal("the blob of a package is not in the data folder"));
    };
    let zip = Representation {
        last_modified,
        cache: document.lifetime().into(),
        filename: filename(document, &package.home),
        ..private_zip(package.sha256, body)
    };
    Ok(Some((zip, package.home)))
}

struct Found {
    package: Package,
    body: Payload,
    last_modified: Option<SystemTime>,
}

impl Found {
    fn file(package: Package, file: File, meta: &Metadata) -> Self {
        let body = Payload::File { file, size: meta.len() };
        Self { package, body, last_modified: meta.modified().ok() }
    }
}

/// The package that the tree has at an address without a version. `None` if the
/// catalog does not know its version.
fn from_tree(
    reader: &TreeReader,
    document: &Document,
    resolved: Option<&Package>,
) -> Result<Option<Found>, Problem> {
    let Some(mut file) = reader.open(document)? else { return Ok(None) };
    let meta = file.metadata().map_err(Problem::internal)?;
    if let Some(resolved) = resolved
        && let Some(home) = reader.open(&resolved.home)?
    {
        let home = home.metadata().map_err(Problem::internal)?;
        // Usually both addresses are names of one file: no need to hash it.
        if (home.dev(), home.ino()) == (meta.dev(), meta.ino()) && meta.len() == resolved.size {
            return Ok(Some(Found::file(resolved.clone(), file, &meta)));
        }
    }
    let (sha256, _) = Digest::of_reader(&mut file).map_err(Problem::internal)?;
    if let Some(resolved) = resolved.filter(|resolved| resolved.sha256 == sha256) {
        return Ok(Some(Found::file(resolved.clone(), file, &meta)));
    }
    let (Document::LatestPackage(coordinate) | Document::CompatPackage(coordinate, _)) = document else {
        return Ok(None);
    };
    let catalog = reader.public.read();
    let versions = catalog.skill(coordinate).into_iter().flat_map(|skill| &skill.versions);
    let version = versions.rev().find(|entry| entry.sha256 == sha256).map(|entry| entry.version.clone());
    Ok(version.map(|version| {
        let home = Document::Package(coordinate.clone(), version);
        Found::file(Package { sha256, size: meta.len(), home }, file, &meta)
    }))
}

/// A package from its immutable address in the tree, or else from the blob store.
fn at_home(reader: &TreeReader, package: Package) -> Result<Option<Found>, Problem> {
    if let Some(file) = reader.open(&package.home)? {
        let meta = file.metadata().map_err(Problem::internal)?;
        if meta.len() == package.size {
            return Ok(Some(Found::file(package, file, &meta)));
        }
    }
    let body = blob(reader, package.sha256, package.size)?;
    Ok(body.map(|body| Found { package, body, last_modified: None }))
}

fn blob(reader: &TreeReader, sha256: Digest, size: u64) -> Result<Option<Payload>, Problem> {
    Ok(reader.store.open_blob(sha256)?.map(|blob| Payload::Blob { blob, size }))
}

/// The package under review, which is never in the tree. `None` if it is no
/// longer stored.
pub fn under_review(reader: &TreeReader, review: &Review) -> Result<Option<Representation>, Problem> {
    let Some(body) = blob(reader, review.sha256, review.package_size)? else { return Ok(None) };
    let filename = Some(zip_name(&review.coordinate.slug, &review.version));
    Ok(Some(Representation { filename, ..private_zip(review.sha256, body) }))
}

/// A package that no cache stores, without a file name.
fn private_zip(sha256: Digest, body: Payload) -> Representation {
    Representation {
        etag: sha256,
        body,
        format: Format::Zip,
        last_modified: None,
        cache: CacheClass::Private,
        filename: None,
        repr_digest: Some(sha256),
        coding: Coding::Fixed,
    }
}

/// The file name of a download: by the slug, or by the canonical slug at the
/// addresses of third-party clients.
fn filename(document: &Document, home: &Document) -> Option<String> {
    let Document::Package(Coordinate { slug, .. }, version) = home else { return None };
    Some(match document {
        Document::CompatPackage(coordinate, Pointer::Version(_) | Pointer::Tag(_)) => {
            zip_name(coordinate, version)
        }
        _ => zip_name(slug, version),
    })
}

fn zip_name(name: &dyn Display, version: &Version) -> String {
    format!("{name}-{version}.zip")
}
