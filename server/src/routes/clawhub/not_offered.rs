//! What clients ask for and this registry does not do. Each answer says what to do instead.

use super::super::prelude::*;

const RENAME: &str = "Skills are not renamed here: publish it under the new slug, then delete the old one.";
const MERGE: &str =
    "Skills are not merged here: publish the content under the slug that stays, then delete the other.";
const PUBLISHERS: &str = "There are no publishers here: create a team namespace with the registry's API, and publish as team--slug.";
const SCAN: &str = "There are no scans here: the registry checks each package when it is published, and says then what is wrong.";
const PACKAGES: &str =
    "There are no packages (plugins) here: publish a skill folder with the client's publish command.";
const ACCOUNTS: &str = "Clients do not change accounts here: the registry's operator disables them with `skillmirror user disable`, and gives roles with `skillmirror user add --role`.";
const OTHER_CATALOGS: &str = "There are no skills of other catalogs here: install one of this registry by its slug, such as team--slug.";
const NOTHING: &str =
    "There is nothing at this address: see docs/clients.md for the commands that work with this registry.";

pub(super) fn routes() -> [Route; 7] {
    [
        post("/clawhub/api/v1/skills/{slug}/rename", Access::Anyone, async |_: Call| refuse(RENAME)),
        post("/clawhub/api/v1/skills/{slug}/merge", Access::Anyone, async |_: Call| refuse(MERGE)),
        post("/clawhub/api/v1/publishers", Access::Anyone, async |_: Call| refuse(PUBLISHERS)),
        post("/clawhub/api/v1/skills/-/scan", Access::Anyone, async |_: Call| refuse(SCAN)),
        get("/clawhub/api/v1/skills/-/scan/{id}", Access::Anyone, async |_: Call| refuse(SCAN)),
        get("/clawhub/api/v1/skills/-/scan/{id}/download", Access::Anyone, async |_: Call| refuse(SCAN)),
        get("/clawhub/api/v1/skills/-/scan/download/{slug}", Access::Anyone, async |_: Call| refuse(SCAN)),
    ]
}

/// The problem for an address below the mount that no route has.
pub(super) fn unknown(path: &[&str]) -> Problem {
    Problem::not_found(match path {
        ["api", "v1", "packages", ..] => PACKAGES,
        ["api", "v1", "users", ..] => ACCOUNTS,
        ["api", "v1", "skills-sh", ..] => OTHER_CATALOGS,
        _ => NOTHING,
    })
}

fn refuse(sentence: &'static str) -> Result<Response, Problem> {
    Err(Problem::not_found(sentence))
}
