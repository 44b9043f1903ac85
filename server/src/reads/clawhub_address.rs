//! Addresses of the ClawHub dialect, and what is said about one that has no route.

use registry::names::PublicUrl;

use crate::problem::Problem;
use crate::request::Path;

/// The first segment of all addresses of the dialect.
pub(crate) const MOUNT: &str = "clawhub";

/// Whether a request is in this dialect.
pub(crate) fn is_mounted(path: &Path) -> bool {
    path.raw().strip_prefix('/').and_then(|path| path.split('/').next()) == Some(MOUNT)
}

/// The problem for a path without a route, if a client of this dialect has asked for it: this registry
/// does not offer that, or the client needs another URL.
pub(crate) fn hint(path: &str, public_url: Option<&PublicUrl>) -> Option<Problem> {
    let segments: Vec<_> = path.split('/').skip(1).collect();
    if let [MOUNT, "api", "v1", below @ ..] = &segments[..] {
        return Some(Problem::not_found(instead_of(below)));
    }
    if segments[..].first() == Some(&MOUNT) {
        return Some(Problem::not_found(NOTHING));
    }
    let is_ours = matches!(
        segments[..],
        ["api", "v1", "stars" | "download" | "transfers" | "publishers" | "skills", ..]
    );
    let url = public_url.map(|url| format!("{url}/{MOUNT}")).unwrap_or_else(|| format!("…/{MOUNT}"));
    is_ours.then(|| {
        Problem::not_found(format!(
            "There is nothing at this address. A client of the ClawHub dialect needs the registry URL {url} \
             (CLAWHUB_REGISTRY)."
        ))
    })
}

const NOTHING: &str =
    "There is nothing at this address: see docs/clients.md for the commands that work with this registry.";

/// The sentence for an address below `/clawhub/api/v1` that no route has: it says what to do instead.
fn instead_of(path: &[&str]) -> &'static str {
    match path {
        ["skills", _, "rename"] => {
            "Skills are not renamed here: publish it under the new slug, then delete the old one."
        }
        ["skills", _, "merge"] => {
            "Skills are not merged here: publish the content under the slug that stays, then delete the other."
        }
        ["skills", "-", "scan", ..] => {
            "There are no scans here: the registry checks each package when it is published, and says then what is wrong."
        }
        ["publishers"] => {
            "There are no publishers here: create a team namespace with the registry's API, and publish as team--slug."
        }
        ["packages", ..] => {
            "There are no packages (plugins) here: publish a skill folder with the client's publish command."
        }
        ["skills-sh", ..] => {
            "There are no skills of other catalogs here: install one of this registry by its slug, such as team--slug."
        }
        _ => NOTHING,
    }
}

/// The problem for a path that cannot be read, such as `…/skills/team%2Fx`. Clients encode what people
/// typed into it, so it names a skill in another way. They look for "Skill not found".
pub(crate) fn unreadable() -> Problem {
    Problem::not_found("Skill not found: write its slug, which is team--slug in the namespace team.")
}
