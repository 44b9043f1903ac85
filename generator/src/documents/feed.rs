//! The feed, from which mirrors make the same tree, and the transparency log of its rows.

use registry::transparency_log::LogTile;

use super::Document;
use super::kind::{Cause, Each, Kind, Needs};
use crate::address::{Format, Stage, page_number};

/// A shard. The counters of a skill outdate the shard with it.
pub static COUNTERS: Kind = Kind::file(
    "published counters",
    "api/v1/mirror/counters/{shard}.json",
    Format::Json,
)
.each(Each::Values(|at| u8::from_str_radix(at.first()?, 16).map(Document::Counters).ok()), Stage::Feed, &[]);

/// A row outdates the page with it.
pub static PAGE: Kind = Kind::file("a page of the feed", "api/v1/mirror/changes/{page}.json", Format::Json)
    .each(Each::Values(|at| page_number(at.first()?).map(Document::Feed)), Stage::Feed, &[])
    .needs(Needs::Page);

/// A row outdates the tiles that it adds to, and the partial ones that they replace.
pub static TILE: Kind = Kind::file("a full tile of the log", "api/v1/log/tile/{*tile}", Format::Tile)
    .each(Each::Values(tile), Stage::Feed, &[])
    .needs(Needs::Tile)
    .immutable();

pub static PARTIAL_TILE: Kind =
    Kind::file("a partial tile of the log", "api/v1/log/tile/{*partial}", Format::Tile)
        .each(Each::Values(tile), Stage::Feed, &[])
        .needs(Needs::Tile);

/// What is signed about size and root of the log.
pub static CHECKPOINT: Kind = Kind::file("the checkpoint of the log", "api/v1/log/checkpoint", Format::Note)
    .each(Each::Once(|| Document::Checkpoint), Stage::Checkpoint, &[Cause::Row])
    .needs(Needs::Checkpoint);

/// What is signed about the epoch, if a backup was restored. Only the signer changes it.
pub static EPOCH_STATEMENT: Kind =
    Kind::file("the statement about the epoch", "api/v1/log/epoch", Format::Note)
        .each(Each::Once(|| Document::EpochStatement), Stage::Checkpoint, &[])
        .needs(Needs::Statement);

/// Written last: it says up to which revision the tree is complete.
pub static HEAD: Kind = Kind::file("the head of the feed", "api/v1/mirror/head.json", Format::Json).each(
    Each::Once(|| Document::Head),
    Stage::Head,
    &[Cause::Row],
);

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&COUNTERS, &PAGE, &TILE, &PARTIAL_TILE, &CHECKPOINT, &EPOCH_STATEMENT, &HEAD];

fn tile(values: &[&str]) -> Option<Document> {
    let segments: Vec<_> = values.first()?.split('/').collect();
    LogTile::parse(&segments).map(Document::LogTile)
}
