//! Logging in a client: in a browser of the same machine (`/cli/auth`), or with a code in any browser
//! (`/cli/device`, RFC 8628). Both are at the root of the origin, where third-party clients look.
//!
//! Both pages ask for the password, also in a browser with a session: the token lives longer than
//! that session, so a stolen session must not suffice.

pub(super) mod browser;
mod device;
pub(super) mod device_page;
pub(super) mod grant;
pub(super) mod page;
mod request;

use super::prelude::*;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/cli/device/code", Access::Anyone, device::begin)
            .describe("beginDeviceLogin", "Begins the login of a client with a code (RFC 8628). Unknown fields are ignored.")
            .optional_body_or_form::<device::NewLogin>().replies::<device::Codes>(200).replies::<device::OauthError>(400)
            .counted_by_client(),
        post("/api/cli/device/token", Access::Anyone, device::poll)
            .describe("pollDeviceLogin", "Asks for the token of a login with a code (RFC 8628). Unknown fields are ignored.")
            .body_or_form::<device::TokenRequest>().replies::<device::Token>(200).replies::<device::OauthError>(400)
            .counted_by_client(),
        get("/cli/auth", Access::Anyone, browser::show).undescribed(),
        post("/cli/auth", Access::Anyone, browser::submit).undescribed().counted_by_client(),
        get("/cli/device", Access::Anyone, device_page::show).undescribed(),
        post("/cli/device", Access::Anyone, device_page::submit).undescribed().counted_by_client(),
    ]
}
