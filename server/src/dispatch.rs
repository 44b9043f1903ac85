//! From a request to the handler that answers it.

use std::sync::Arc;

use hyper::header::{AUTHORIZATION, CACHE_CONTROL};
use registry::private::Verdict;

use crate::Response;
use crate::auth::{self, Caller};
use crate::cache::CacheClass;
use crate::problem::Problem;
use crate::reads;
use crate::representation::preflight;
use crate::request::Request;
use crate::routes::{Access, Found, Match, Operation as Op, find};
use crate::routes::{
    account, health, me, members, namespaces, publish, reviews, skills, social, tags, tokens, transfers,
};
use crate::state::App;

/// Answers a request: public reads in front, all else by the route table. A
/// credential that is presented must be valid, whatever is asked for.
pub async fn dispatch(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let row = find(&request.method, &request.path);
    let (is_public, is_signed_in) = (row.is_public(), request.headers.contains_key(AUTHORIZATION));
    let mark = |problem: Problem| {
        let problem = if is_public { problem.public() } else { problem };
        if is_signed_in { problem.private() } else { problem }
    };
    let mut response = answer(&app, row, request).await.map_err(mark)?;
    if is_signed_in {
        response.headers_mut().insert(CACHE_CONTROL, CacheClass::Private.header());
    }
    Ok(response)
}

async fn answer(app: &Arc<App>, row: Match, request: Request) -> Result<Response, Problem> {
    let caller = auth::caller(app, &request.headers).await?;
    match reads::answer(app, (&request).into()).await? {
        Some(response) => Ok(response),
        None => routed(app, row, caller, request).await,
    }
}

async fn routed(
    app: &Arc<App>,
    row: Match,
    caller: Option<Caller>,
    request: Request,
) -> Result<Response, Problem> {
    match row {
        Match::Found(found) => {
            let caller = admit(found.route.access, caller)?;
            match caller {
                Some(caller) => {
                    if let Some(id) = caller.actor.credential.filter(|_| !request.method.is_safe()) {
                        app.write_rate.count(id)?;
                    }
                    signed_in(app, &caller, request, &found).await
                }
                None => open(app, &found),
            }
        }
        Match::Preflight { allow } => Ok(preflight(&allow)),
        Match::WrongMethod { allow, .. } => Err(Problem::method_not_allowed(allow)),
        Match::NotFound => Err(nothing()),
    }
}

fn nothing() -> Problem {
    Problem::not_found("There is nothing at this address: docs/api.md lists those there are.")
}

/// What a row of the table asks of the caller. Gives the caller back where the
/// row is for signed-in people.
fn admit(access: Access, caller: Option<Caller>) -> Result<Option<Caller>, Problem> {
    match access {
        Access::PublicRead | Access::Anyone => Ok(None),
        Access::Credential => caller.map(Some).ok_or_else(Problem::unauthenticated),
        Access::Scope(scope) => {
            let caller = caller.ok_or_else(Problem::unauthenticated)?;
            caller.actor.needs(scope)?;
            Ok(Some(caller))
        }
    }
}

fn open(app: &Arc<App>, found: &Found) -> Result<Response, Problem> {
    match found.route.operation {
        Op::Health => health::health(),
        Op::Ready => health::ready(app),
        // A public read whose names cannot be names: no document is there.
        _ => Err(nothing()),
    }
}

async fn signed_in(
    app: &Arc<App>,
    caller: &Caller,
    request: Request,
    found: &Found,
) -> Result<Response, Problem> {
    let params = &found.params;
    match found.route.operation {
        Op::Publish => publish::handle(app, caller, request).await,
        Op::WhoAmI => account::whoami(app, caller),
        Op::ShowMe => account::me(app, caller).await,
        Op::ListTokens => tokens::list(app, caller, &request.query).await,
        Op::CreateToken => tokens::create(app, caller, request).await,
        Op::RevokeToken => tokens::revoke(app, caller.of(&request), params).await,
        Op::CreateNamespace => namespaces::create(app, caller, request).await,
        Op::UpdateNamespace => namespaces::update(app, caller, request, params).await,
        Op::Star => social::star(app, caller.of(&request), params).await,
        Op::Unstar => social::unstar(app, caller.of(&request), params).await,
        Op::Rate => social::rate(app, caller, request, params).await,
        Op::ListTags => tags::list(app, params),
        Op::SetTag => tags::set(app, caller, request, params).await,
        Op::RemoveTag => tags::remove(app, caller.of(&request), params).await,
        Op::Yank => skills::yank(app, caller, request, params).await,
        Op::Unyank => skills::unyank(app, caller.of(&request), params).await,
        Op::RemoveSkill => skills::remove(app, caller.of(&request), params).await,
        Op::RestoreSkill => skills::restore(app, caller.of(&request), params).await,
        Op::OfferSkill => transfers::offer(app, caller, request, params).await,
        Op::WithdrawOffer => transfers::end(app, caller.of(&request), params).await,
        Op::AcceptSkill => transfers::accept(app, caller.of(&request), params).await,
        Op::ListStars => me::stars(app, caller, &request.query),
        Op::ListOwnSkills => me::skills(app, caller, &request.query).await,
        Op::ListTransfers => transfers::list(app, caller, &request.query),
        Op::ListReviews => reviews::list(app, caller, &request, params),
        Op::ShowReview => reviews::show(app, caller, params).await,
        Op::DownloadReview => reviews::package(app, caller, request, params).await,
        Op::Approve => reviews::decide(app, caller, request, params, Verdict::Approved).await,
        Op::Reject => reviews::decide(app, caller, request, params, Verdict::Rejected).await,
        Op::Promote => reviews::ask_for_promotion(app, caller, request, params).await,
        Op::ListMembers => members::list(app, caller, &request, params),
        Op::AddMember => members::add(app, caller, request, params).await,
        Op::ChangeRole => members::set_role(app, caller, request, params).await,
        Op::RemoveMember => members::remove(app, caller.of(&request), params).await,
        Op::ListSkills
        | Op::ShowSkill
        | Op::ListVersions
        | Op::ShowVersion
        | Op::ListFiles
        | Op::DownloadLatest
        | Op::DownloadVersion
        | Op::Resolve
        | Op::ListNamespaces
        | Op::ShowNamespace
        | Op::Discover
        | Op::DescribeApi
        | Op::ResolveSlug
        | Op::DownloadSlug
        | Op::MirrorHead
        | Op::MirrorSettings
        | Op::MirrorChanges
        | Op::MirrorCounters
        | Op::Health
        | Op::Ready => open(app, found),
    }
}
