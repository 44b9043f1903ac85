//! The route table. Each file has the routes of one resource and, below them,
//! their handlers.

mod account;
mod advisories;
mod audit;
mod bundles;
mod call;
pub(crate) mod clawhub;
mod client_login;
mod health;
mod invitations;
mod matching;
mod mcp;
mod members;
mod my_skills;
mod namespaces;
mod provider_sign_in;
mod public;
pub(crate) mod publish;
mod reviews;
mod route;
mod session;
mod session_steps;
mod sessions;
mod skills;
mod stars_and_ratings;
mod tags;
mod tokens;
mod transfers;
mod trusted;
mod users;
#[cfg(not(feature = "openapi"))]
mod without_openapi;

use std::sync::LazyLock;

pub use self::call::Call;
pub use self::matching::{Match, Params, find};
#[cfg(feature = "openapi")]
pub(crate) use self::public::{FeedPage, OpenApiDocument, VersionOrTag};
#[cfg(feature = "openapi")]
pub(crate) use self::publish::PublishForm;
pub(crate) use self::route::Counted;
pub use self::route::{Access, Route};

/// The names that the file of every resource uses.
mod prelude {
    pub(super) use hyper::StatusCode;
    pub(super) use serde::Deserialize;

    pub(super) use super::call::{Call, parse_field};
    pub(super) use super::route::{
        Access, MANAGE, PUBLISH, READ, Route, SOCIAL, TOKENS, delete, get, post, put,
    };
    pub(super) use crate::Response;
    pub(super) use crate::blocking::blocking;
    pub(super) use crate::problem::{Code, Problem};
    pub(super) use crate::reply::{json, no_content};
}

/// All routes, in no particular order: see [`find`].
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let of_accounts = [
        session::routes(),
        sessions::routes(),
        provider_sign_in::routes(),
        users::routes(),
        tokens::routes(),
        client_login::routes(),
    ];
    let of_accounts = of_accounts.into_iter().flatten().map(Route::of_accounts);
    [
        public::routes(),
        health::routes(),
        account::routes(),
        mcp::routes(),
        publish::routes(),
        stars_and_ratings::routes(),
        tags::routes(),
        skills::routes(),
        advisories::routes(),
        transfers::routes(),
        my_skills::routes(),
        reviews::routes(),
        namespaces::routes(),
        bundles::routes(),
        members::routes(),
        invitations::routes(),
        trusted::routes(),
        audit::routes(),
        clawhub::routes(),
    ]
    .into_iter()
    .flatten()
    .chain(of_accounts)
    .collect()
});
