//! Packages as answers: which one an address means, and its bytes.

use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;

use generator::address::{Document, Format, Lifetime, Pointer};
use generator::render::{Package, Rendered};
use registry::names::{Coordinate, Digest, Version};
use registry::private::Review;

use crate::cache_control::CacheClass;
use crate::problem::Problem;
use crate::reads::{cache, in_tree, rendered};
use crate::representation::{Coding, Payload, Reader, Representation};
use crate::state::App;

/// The package at an address. What an address without a version means is read
/// from the tree, as the documents are that speak of it: between a write and
/// the tree the two would contradict each other. With it comes its immutable address.
pub(crate) fn package(app: &App, document: &Document) -> Result<Option<(Representation, Document)>, Problem> {
    let resolved = match rendered(app, document)? {
        Some(Rendered::Package(package)) => Some(package),
        _ => None,
    };
    let found = match document.lifetime() {
        Lifetime::Short => in_the_tree(app, document, resolved.as_ref())?,
        Lifetime::Immutable => None,
    };
    let found = match (found, resolved) {
        (Some(found), _) => Some(found),
        (None, Some(resolved)) => at_home(app, resolved)?,
        (None, None) => return Ok(None),
    };
    let Some(Found { package, body, last_modified }) = found else {
        return Err(Problem::internal("the blob of a package is not in the data folder"));
    };
    let representation = Representation {
        etag: package.sha256,
        body,
        content_type: document.format().content_type(),
        reader: Reader::Program,
        last_modified,
        cache: cache(document),
        filename: filename(document, &package.home),
        repr_digest: Some(package.sha256),
        coding: Coding::Fixed,
    };
    Ok(Some((representation, package.home)))
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

/// The package that the tree has at an address without a version, as long as
/// the catalog knows which one that is.
fn in_the_tree(app: &App, document: &Document, resolved: Option<&Package>) -> Result<Option<Found>, Problem> {
    let Some(mut file) = in_tree(app, document)? else { return Ok(None) };
    let meta = file.metadata().map_err(Problem::internal)?;
    if let Some(resolved) = resolved
        && let Some(home) = in_tree(app, &resolved.home)?
    {
        let home = home.metadata().map_err(Problem::internal)?;
        // As a rule it is one more name of the same file.
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
    let public = app.registry.public();
    let catalog = public.read();
    let versions = catalog.skill(coordinate).into_iter().flat_map(|skill| &skill.versions);
    let version = versions.rev().find(|entry| entry.sha256 == sha256).map(|entry| entry.version.clone());
    Ok(version.map(|version| {
        let home = Document::Package(coordinate.clone(), version);
        Found::file(Package { sha256, size: meta.len(), home }, file, &meta)
    }))
}

/// A package's bytes at its immutable address, else from the blob store.
fn at_home(app: &App, package: Package) -> Result<Option<Found>, Problem> {
    if let Some(file) = in_tree(app, &package.home)? {
        let meta = file.metadata().map_err(Problem::internal)?;
        if meta.len() == package.size {
            return Ok(Some(Found::file(package, file, &meta)));
        }
    }
    blob(app, package)
}

fn blob(app: &App, package: Package) -> Result<Option<Found>, Problem> {
    let Some(mut blob) = app.store.open_blob(package.sha256)? else { return Ok(None) };
    let body = match blob.as_file() {
        Some(file) => {
            Payload::File { file: file.try_clone().map_err(Problem::internal)?, size: package.size }
        }
        None => {
            let mut bytes = Vec::new();
            blob.read_to_end(&mut bytes).map_err(Problem::internal)?;
            Payload::Bytes(bytes.into())
        }
    };
    Ok(Some(Found { package, body, last_modified: None }))
}

/// The package that a review is about. None where it is not kept any more.
pub(crate) fn under_review(app: &App, review: &Review) -> Result<Option<Representation>, Problem> {
    let coordinate = review.coordinate.clone();
    let home = Document::Package(coordinate, review.version.clone());
    let filename = filename(&home, &home);
    // Never from the tree, which knows nothing of reviews.
    let package = Package { sha256: review.sha256, size: review.package_size, home };
    let Some(Found { body, .. }) = blob(app, package)? else { return Ok(None) };
    Ok(Some(Representation {
        etag: review.sha256,
        body,
        content_type: Format::Zip.content_type(),
        reader: Reader::Program,
        last_modified: None,
        cache: CacheClass::Private,
        filename,
        repr_digest: Some(review.sha256),
        coding: Coding::Fixed,
    }))
}

/// The name a package is saved under: by the slug, or, where third-party
/// clients ask, by the canonical slug.
fn filename(document: &Document, home: &Document) -> Option<String> {
    let Document::Package(Coordinate { slug, .. }, version) = home else { return None };
    let name = |stem: &dyn std::fmt::Display, version: &Version| format!("{stem}-{version}.zip");
    Some(match document {
        Document::CompatPackage(c, Pointer::Version(_) | Pointer::Tag(_)) => name(c, version),
        _ => name(slug, version),
    })
}
