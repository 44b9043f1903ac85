//! Documents that describe the registry. They change with its settings and its release only.

use super::Document;
use super::kind::{Each, Kind};
use crate::address::{Format, Stage};

pub static DISCOVERY: Kind = Kind::file("where the API is", ".well-known/registry.json", Format::Json)
    .each(Each::Once(|| Document::Discovery), Stage::List, &[])
    .shows_url()
    .open();

pub static OPENAPI: Kind = Kind::file("the description of the API", "api/v1/openapi.json", Format::Json)
    .each(Each::Once(|| Document::OpenApi), Stage::List, &[])
    .shows_url();

pub static SETTINGS: Kind = Kind::file(
    "the settings of the tree",
    "api/v1/mirror/settings.json",
    Format::Json,
)
.each(Each::Once(|| Document::Settings), Stage::Feed, &[]);

pub static KEYS: Kind = Kind::file("the keys of the registry", ".well-known/registry-key.json", Format::Json)
    .each(Each::Once(|| Document::RegistryKeys), Stage::Feed, &[]);

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&DISCOVERY, &OPENAPI, &SETTINGS, &KEYS];
