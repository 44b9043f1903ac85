//! The public reads. `reads` answers them before the table is asked, so these
//! routes only say which addresses there are, for `Allow`, CORS and OpenAPI.

use super::prelude::*;
use generator::address::{DEFAULT_SIZE, MAX_QUERY_LENGTH};
use generator::render::FoundSkillList;
use generator::settings::TreeSettings;
use registry::api::public::{
    BundleRecord, Discovery, FullList, Head, NamespaceRecord, PublicPage, RegistryKeys, Resolved,
    ResolvedSlug, SearchResults, SkillDetail, SkillSummary, VersionDetail, VersionRecord,
};
use registry::names::{Coordinate, Namespace, TagName, Version};
use registry::package::FileRecord;
use registry::public::{CounterShard, Sort};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        read("/.well-known/registry.json")
            .describe("discover", "Says where the API is.")
            .replies::<Discovery>(200),
        read("/api/v1/openapi.json")
            .describe("describeApi", "Sends this document.")
            .replies::<OpenApiDocument>(200),
        read("/api/v1/skills")
            .describe("listSkills", "Lists all skills, or those that match a keyword.")
            .query_value("keyword", "Only skills that match these words.", words)
            .query::<Namespace>("namespace", "Only skills of this namespace.")
            .query_value(
                "sort",
                "The order. Default: the latest change first, or with a keyword the best match.",
                || json!({ "type": "string", "enum": Sort::ALL.map(Sort::as_str) }),
            ).paged().replies::<PublicPage<SkillSummary<'_>>>(200),
        read("/api/v1/skills/{namespace}/{slug}")
            .describe("showSkill", "Shows a skill.")
            .replies::<SkillDetail<'_>>(200).fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions")
            .describe("listVersions", "Lists all versions of a skill, last published first.")
            .replies::<FullList<VersionRecord<'_>>>(200).fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}")
            .describe("showVersion", "Shows a version with its front matter.")
            .replies::<VersionDetail<'_>>(200).fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}/files")
            .describe("listFiles", "Lists the files of a version.")
            .replies::<FullList<FileRecord>>(200).fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}/file")
            .describe("showFile", "Sends a file of a version, as text or as bytes to download.")
            .required_query::<String>("path", "The path of the file, as in the list of files.")
            .replies_file().fails(&[Code::Gone, Code::TooLarge]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}/attestation")
            .describe("showAttestation", "Sends the attestation of a version, a Sigstore bundle, if it has one.")
            .replies::<Value>(200).fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}/proof")
            .describe("showProof", "Sends the proof that the signed transparency log has the version.")
            .replies_text().fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/versions/{version}/download")
            .describe("downloadVersion", "Sends the package of a version, even of a yanked one.")
            .replies_zip().fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/download")
            .describe("downloadLatest", "Sends the package of the latest version.")
            .replies_zip().fails(&[Code::Gone]),
        read("/api/v1/skills/{namespace}/{slug}/resolve")
            .describe("resolve", "Resolves a version or a tag. Default: the latest version.")
            .query::<Version>("version", "This version. Not together with `tag`.")
            .query::<TagName>("tag", "The version that this tag points to, for example `latest`.")
            .replies::<Resolved<'_>>(200).fails(&[Code::Gone]),
        read("/api/v1/namespaces")
            .describe("listNamespaces", "Lists the namespaces that are not archived.")
            .paged().replies::<PublicPage<NamespaceRecord<'_>>>(200),
        read("/api/v1/namespaces/{slug}")
            .describe("showNamespace", "Shows a namespace.")
            .replies::<NamespaceRecord<'_>>(200),
        read("/api/v1/bundles/{namespace}")
            .describe("listBundles", "Lists the bundles of a namespace, if it has some.")
            .replies::<FullList<BundleRecord>>(200),
        read("/api/v1/bundles/{namespace}/{bundle}")
            .describe("showBundle", "Shows a bundle, and the versions that it stands for today.")
            .replies::<BundleRecord>(200),
        read("/api/v1/resolve")
            .describe("resolveSlug", "Resolves a canonical slug.")
            .required_query::<Coordinate>("slug", "The skill.")
            .query::<VersionOrTag>("version", "A version or a tag. Default: the latest version.")
            .replies::<ResolvedSlug<'_>>(200).fails(&[Code::NotFound, Code::Gone]),
        read("/api/v1/download/{slug}/{version}")
            .describe(
                "downloadSlug",
                "Sends the package of a version or of the version that a tag points to.",
            ).replies_zip().fails(&[Code::Gone]),
        read("/api/v1/search")
            .describe("search", "Finds skills, best match first. Without words, lists the most recently updated.")
            .query_value("q", "The words.", words).page_number()
            .query_value(
                "limit",
                "The number of skills on a page.",
                || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": DEFAULT_SIZE }),
            ).replies::<SearchResults<'_>>(200),
        read("/api/search")
            .describe("findForSkillsClient", "Finds skills for `npx skills find`.")
            .query_value("q", "The words.", words)
            .query::<Namespace>("owner", "Only skills of this namespace.")
            .query_value(
                "limit",
                "The most skills that are sent.",
                || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": DEFAULT_SIZE }),
            ).replies::<FoundSkillList<'_>>(200).fails(&[Code::NotFound]),
        read("/api/v1/search/_index/manifest.bin")
            .describe(
                "searchManifest",
                "Sends the manifest of the search index, which lists its current pieces.",
            ).replies_binary(),
        read("/api/v1/search/_index/{piece}")
            .describe("searchPiece", "Sends a piece of the search index.")
            .replies_binary(),
        read("/api/v1/mirror/head.json")
            .describe("mirrorHead", "Says up to which revision the tree is complete.")
            .replies::<Head>(200),
        read("/api/v1/mirror/settings.json")
            .describe("mirrorSettings", "Shows the settings that the tree depends on besides the feed.")
            .replies::<TreeSettings>(200),
        read("/api/v1/mirror/changes/{page}")
            .describe("mirrorChanges", "Sends a page of the mirror feed.")
            .replies::<FeedPage>(200),
        read("/api/v1/mirror/counters/{shard}")
            .describe("mirrorCounters", "Sends a part of the published counters.")
            .replies::<CounterShard>(200),
        read("/api/v1/log/checkpoint")
            .describe("logCheckpoint", "Sends the signed size and root of the transparency log.")
            .replies_text().fails(&[Code::NotFound]),
        read("/api/v1/log/epoch")
            .describe("logEpoch", "Sends what is signed about the epoch, if a backup was restored.")
            .replies_text().fails(&[Code::NotFound]),
        read("/api/v1/log/tile/{level}/{tile}")
            .describe("logTile", "Sends a tile of the transparency log, or with `entries` as level its leaves.")
            .replies_binary(),
        read("/.well-known/registry-key.json")
            .describe("registryKeys", "Lists the keys that sign the transparency log.")
            .replies::<RegistryKeys<'static>>(200),
    ]
}

/// Schemas of these are in `openapi/hand_written_schemas.rs`: no record describes them.
pub(crate) enum OpenApiDocument {}
pub(crate) enum FeedPage {}
pub(crate) enum VersionOrTag {}

fn words() -> Value {
    json!({ "type": "string", "maxLength": MAX_QUERY_LENGTH })
}

fn read(path: &'static str) -> Route {
    get(path, Access::PublicRead, no_document)
}

/// `reads` has found no document here: a part of the path is not a valid name.
pub(super) async fn no_document(_: Call) -> Result<Response, Problem> {
    Err(Problem::nothing_here())
}
