//! The ClawHub dialect below `/clawhub`: the API that the `clawhub` and `clawdhub` command lines
//! speak. A second listener serves it at its root, for clients that drop the path of a registry's
//! URL.
//!
//! Its errors are one line of text ([`Problem::into_line`]), because its clients print them. Its
//! routes are not in the OpenAPI description.

mod account;
mod body;
mod discovery;
mod not_offered;
mod publish;
mod reads;
mod removal;
mod stars;
mod tags;
mod transfers;

pub(crate) use self::reads::answer;
use super::prelude::*;
use super::{Match, find};
use crate::request::{Path, Request};
use registry::names::PublicUrl;

/// The first segment of all its addresses.
const MOUNT: &str = "clawhub";

pub(super) fn routes() -> Vec<Route> {
    let others = [
        get("/clawhub/.well-known/clawhub.json", Access::Anyone, discovery::show),
        get("/clawhub/.well-known/clawdhub.json", Access::Anyone, discovery::show),
        get("/clawhub/api/v1/whoami", Access::Credential, account::whoami),
    ];
    let writes =
        publish::routes().into_iter().chain(removal::routes()).chain(stars::routes()).chain(tags::routes());
    let writes = writes.chain(transfers::routes()).chain(not_offered::routes());
    reads::routes().chain(others).chain(writes).collect()
}

/// Whether a request is in this dialect.
pub(crate) fn is_mounted(path: &Path) -> bool {
    path.raw().strip_prefix('/').and_then(|path| path.split('/').next()) == Some(MOUNT)
}

/// The addresses that are at the root of both listeners: logins with a code, and telemetry.
const AT_ROOT: &str = "/api/cli/";

/// The path that a request to the second listener has on the first.
pub(crate) fn mounted(path: &Path) -> Path {
    let raw = path.raw();
    if raw.starts_with('/') && !raw.starts_with(AT_ROOT) {
        Path::parse(&format!("/{MOUNT}{raw}"))
    } else {
        path.clone()
    }
}

/// The problem for a path without a route, if a client of this dialect has asked for it: this registry
/// does not offer that, or the client needs another URL.
pub(crate) fn hint(path: &str, public_url: Option<&PublicUrl>) -> Option<Problem> {
    let segments: Vec<_> = path.split('/').skip(1).collect();
    if let [MOUNT, below @ ..] = &segments[..] {
        return Some(not_offered::unknown(below));
    }
    let is_ours = matches!(
        segments[..],
        ["api", "v1", "stars" | "download" | "transfers" | "publishers" | "skills", ..]
    );
    let url = public_url.map(|url| format!("{url}/{MOUNT}")).unwrap_or_else(|| format!("…/{MOUNT}"));
    is_ours.then(|| {
        Problem::not_found(format!(
            "There is nothing at this address. A client of the ClawHub dialect needs the registry URL {url} \
             (CLAWHUB_REGISTRY), or up to version 0.5 that of clawhub.listen."
        ))
    })
}

/// The problem for a path that cannot be read, such as `…/skills/team%2Fx`. Clients encode what people
/// typed into it, so it names a skill in another way. They look for "Skill not found".
pub(crate) fn unreadable() -> Problem {
    Problem::not_found("Skill not found: write its slug, which is team--slug in the namespace team.")
}

/// The problem for a request that a read-only server cannot answer: one that writes, or asks who calls.
/// `None` if the request is not in the dialect.
pub(crate) fn needs_own_server(request: &Request) -> Option<Problem> {
    let is_route = || matches!(find(&request.method, &request.path), Match::Found { .. });
    let is_ours = is_mounted(&request.path) || request.path.raw().starts_with(AT_ROOT);
    let needs_it = is_ours && (!request.method.is_safe() || is_route());
    needs_it.then(|| {
        Problem::not_found(
            "This host is read-only: set CLAWHUB_REGISTRY to the URL of the registry's own server for this command.",
        )
    })
}

impl Route {
    /// Whether it belongs to this dialect, and not to the API that OpenAPI describes.
    #[cfg(feature = "openapi")]
    pub(crate) fn is_clawhub(&self) -> bool {
        self.path.split('/').nth(1) == Some(MOUNT)
    }
}
