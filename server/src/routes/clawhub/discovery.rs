//! Where the dialect is, for clients that know the second listener only. The documents at the root
//! of the origin are in the tree.

use serde::Serialize;

use super::super::prelude::*;
use registry::names::PublicUrl;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovery<'a> {
    api_base: &'a PublicUrl,
    auth_base: &'a PublicUrl,
}

/// The URL of the second listener, and that of the pages for logging in.
pub(super) async fn show(call: Call) -> Result<Response, Problem> {
    let settings = &call.app.settings;
    let api_base = settings.clawhub_url.as_ref().ok_or_else(|| {
        Problem::not_found(
            "There is no listener of its own for this dialect: set clawhub.listen in config.toml.",
        )
    })?;
    json(StatusCode::OK, &Discovery { api_base, auth_base: &settings.public_url })
}
