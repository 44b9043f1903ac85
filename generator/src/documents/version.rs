//! Documents about one version of a skill, named by its number or by a tag.

use std::fmt;

use registry::names::{Coordinate, TagName, Version};

use super::kind::{Cause, Each, Kind, Needs, Shows};
use super::{Document, Subject};
use crate::address::{Format, Stage};

pub static PACKAGE: Kind =
    Kind::zip("the package of a version", "api/v1/skills/{namespace}/{slug}/versions/{version}/download.zip")
        .each(Each::Version(Document::Package), Stage::Package, Cause::VERSIONS)
        .alias("api/apm/v1/packages/{namespace}/{slug}/versions/{version}/download")
        .shows(Shows::Pointed)
        .immutable();

/// At the address that third-party clients use. A hard link to the first.
pub static SHORT_PACKAGE: Kind =
    Kind::zip("the same at its short address", "api/v1/download/{skill}/{version}.zip")
        .each(Each::Version(compat_package), Stage::PackageLink, Cause::VERSIONS)
        .shows(Shows::Pointed)
        .immutable();

pub static RECORD: Kind = Kind::json("a version", "api/v1/skills/{namespace}/{slug}/versions/{version}.json")
    .each(Each::Version(Document::Version), Stage::Version, Cause::RECORDS)
    .shows(Shows::Pointed)
    .shows_url();

pub static FILES: Kind =
    Kind::json("the files of a version", "api/v1/skills/{namespace}/{slug}/versions/{version}/files.json")
        .each(Each::Version(Document::Files), Stage::Version, Cause::VERSIONS)
        .shows(Shows::Pointed);

/// Only versions that have one.
pub static ATTESTATION: Kind = Kind::json(
    "the attestation of a version",
    "api/v1/skills/{namespace}/{slug}/versions/{version}/attestation.json",
)
.each(Each::Version(Document::Attestation), Stage::Version, Cause::VERSIONS)
.shows(Shows::Pointed)
.needs(Needs::Attestation);

/// It changes with every checkpoint.
pub static PROOF: Kind = Kind::file(
    "the proof that the log has a version",
    "api/v1/skills/{namespace}/{slug}/versions/{version}/proof",
    Format::Note,
)
.each(Each::Version(Document::Proof), Stage::Version, &[])
.shows(Shows::Pointed)
.needs(Needs::Server);

/// What a question with a version resolves to. The record of the version says the same.
pub static ASKED: Kind = Kind::answer("what a name resolves to")
    .each(Each::Asked, Stage::Version, &[])
    .shows(Shows::Offered)
    .shows_url();

pub static TAGGED_PACKAGE: Kind =
    Kind::zip("the package that a tag points to", "api/v1/download/{skill}/{tag}.zip")
        .each(Each::Tag(tagged_package), Stage::Pointer, OF_TAG)
        .shows(Shows::Pointed);

/// `latest` is resolved by a document of the skill.
pub static TAGGED: Kind =
    Kind::json("what a name resolves to", "api/v1/skills/{namespace}/{slug}/resolve/{tag}.json")
        .each(Each::Tag(tagged), Stage::Pointer, OF_TAG)
        .asked()
        .shows(Shows::Pointed)
        .shows_url();

/// What a question with a tag resolves to, if no file says it.
pub static ASKED_TAG: Kind = ASKED.each(Each::Asked, Stage::Pointer, &[]).shows(Shows::Pointed);

const OF_TAG: &[Cause] = &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::Tag];

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[
    &PACKAGE,
    &SHORT_PACKAGE,
    &RECORD,
    &FILES,
    &ATTESTATION,
    &PROOF,
    &ASKED,
    &TAGGED_PACKAGE,
    &TAGGED,
    &ASKED_TAG,
];

fn compat_package(c: Coordinate, version: Version) -> Document {
    Document::CompatPackage(c, Pointer::Version(version))
}

fn tagged_package(c: Coordinate, tag: TagName) -> Option<Document> {
    Some(Document::CompatPackage(c, Pointer::Tag(tag)))
}

fn tagged(c: Coordinate, tag: TagName) -> Option<Document> {
    (!tag.is_latest()).then(|| Document::Resolve(c, Some(Pointer::Tag(tag))))
}

/// The version that a resolution or download asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pointer {
    /// An exact version.
    Version(Version),
    /// The version that a tag points to; `latest` is a tag.
    Tag(TagName),
}

impl Pointer {
    /// Parses a version or else a tag.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Version).or_else(|_| text.parse().map(Self::Tag)).ok()
    }

    /// The values in the address of a document that asks for it.
    pub(super) fn subject<'a>(&'a self, c: &'a Coordinate) -> Subject<'a> {
        match self {
            Self::Version(version) => Subject::Version(c, version),
            Self::Tag(tag) => Subject::Tag(c, tag),
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => version.fmt(f),
            Self::Tag(tag) => tag.fmt(f),
        }
    }
}
