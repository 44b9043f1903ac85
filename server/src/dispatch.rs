//! From a request to the handler that answers it.

use std::sync::Arc;

use registry::private::Verdict;

use crate::Response;
use crate::auth::{self, Authentication, Caller};
use crate::cors::Audience;
use crate::not_found_page::{self, Visitor};
use crate::problem::Problem;
use crate::reads;
use crate::representation::preflight;
use crate::request::Request;
use crate::request_origin;
use crate::routes::{Access, Found, Match, Operation as Op, find};
use crate::routes::{
    account, health, me, members, namespaces, publish, reviews, session, skills, social, tags, tokens,
    transfers,
};
use crate::state::App;
use crate::write_rate::{Key, RateStatus};

/// Answers a request: public reads in front, all else by the route table. A
/// token that is presented must be valid, whatever is asked for.
pub async fn dispatch(app: Arc<App>, request: Request) -> Response {
    let row = find(&request.method, &request.path);
    let id = request.id.clone();
    let presented = auth::presented(&app, &request.headers).await;
    let visitor = Visitor::of(&request);
    let audience = Audience::of(row.is_public(), &request.headers, &presented);
    let status = count(&app, &row, &presented, &request);
    let answer = match status.map_or(Ok(()), |status| status.admit()).and(presented) {
        Ok(presented) => answer(&app, row, presented, request).await,
        Err(problem) => Err(problem),
    };
    let response = match answer {
        Ok(response) => response,
        Err(problem) => visitor.map_error(&app, audience.map_error(problem), &id).await,
    };
    let mut response = audience.map_response(response);
    if let Some(status) = status {
        status.set_headers(response.headers_mut());
    }
    response
}

/// Counts a request that writes, or tries to.
fn count(
    app: &App,
    row: &Match,
    presented: &Result<Authentication, Problem>,
    request: &Request,
) -> Option<RateStatus> {
    let Match::Found(found) = row else { return None };
    if request.method.is_safe() {
        return None;
    }
    let actor = match found.route.operation {
        // Else whoever has many tokens could try as many times more passwords.
        Op::LogIn => None,
        _ => presented.as_ref().ok().and_then(Authentication::actor),
    };
    Some(app.write_rate.count(&Key::of(actor, request.client)))
}

async fn answer(
    app: &Arc<App>,
    row: Match,
    presented: Authentication,
    request: Request,
) -> Result<Response, Problem> {
    match reads::answer(app, (&request).into()).await? {
        Some(response) => Ok(response),
        None => routed(app, row, presented, request).await,
    }
}

async fn routed(
    app: &Arc<App>,
    row: Match,
    presented: Authentication,
    request: Request,
) -> Result<Response, Problem> {
    match row {
        Match::Found(found) if found.route.operation == Op::LogIn => {
            session::log_in(app, presented, request).await
        }
        Match::Found(found) => match admit(app, found.route.access, presented, &request)? {
            Some(caller) => signed_in(app, &caller, request, &found).await,
            None => open(app, &found).await,
        },
        Match::Preflight { allow } => Ok(preflight(&allow)),
        Match::WrongMethod { allow, .. } => Err(Problem::method_not_allowed(allow)),
        Match::NotFound => Err(not_found_page::not_read(app, &request.path).await?),
    }
}

fn nothing() -> Problem {
    Problem::not_found("There is nothing at this address: docs/api.md lists those there are.")
}

/// What a row of the table asks of the caller. Gives the caller back where the
/// row is for signed-in people.
fn admit(
    app: &App,
    access: Access,
    presented: Authentication,
    request: &Request,
) -> Result<Option<Caller>, Problem> {
    let scope = match access {
        Access::PublicRead | Access::Anyone => return Ok(None),
        Access::Credential => None,
        Access::Scope(scope) => Some(scope),
    };
    let caller = presented.caller()?;
    if caller.actor.session.is_some() && !request.method.is_safe() {
        request_origin::require_own(&app.settings.public_url, &request.headers)?;
    }
    if let Some(scope) = scope {
        caller.actor.needs(scope)?;
    }
    Ok(Some(caller))
}

async fn open(app: &Arc<App>, found: &Found) -> Result<Response, Problem> {
    match found.route.operation {
        Op::Health => health::health(),
        Op::Ready => health::ready(app).await,
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
        Op::ChangeMe => account::change(app, caller, request).await,
        Op::LogOut => session::log_out(app, caller).await,
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
        | Op::Search
        | Op::SearchManifest
        | Op::SearchPiece
        | Op::MirrorHead
        | Op::MirrorSettings
        | Op::MirrorChanges
        | Op::MirrorCounters
        | Op::LogIn
        | Op::Health
        | Op::Ready => open(app, found).await,
    }
}
