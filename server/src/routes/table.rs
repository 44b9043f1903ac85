//! The route table: every address of the API, who may use it, what it does.

use hyper::Method;

use registry::private::Scope;

/// A row of the table.
#[derive(Debug)]
pub struct Route {
    /// The method; a row for GET answers HEAD too (RFC 9110, section 9.3.2).
    pub method: Method,
    /// The path: literal segments, and `{name}` for one segment of any text.
    pub path: &'static str,
    /// What is asked of the caller.
    pub access: Access,
    /// What it does.
    pub operation: Operation,
}

/// What a route asks of its caller. A credential that is presented must be
/// valid on every route, on public ones too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing; a public document that any origin may read.
    PublicRead,
    /// Nothing.
    Anyone,
    /// Any valid credential.
    Credential,
    /// A valid credential with this scope.
    Scope(Scope),
}

/// One variant for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each name says what its row does, and the table below says it again")]
pub enum Operation {
    ListSkills,
    ShowSkill,
    ListVersions,
    ShowVersion,
    ListFiles,
    DownloadLatest,
    DownloadVersion,
    Resolve,
    ListNamespaces,
    ShowNamespace,
    Discover,
    DescribeApi,
    ResolveSlug,
    DownloadSlug,
    Search,
    SearchManifest,
    SearchPiece,
    MirrorHead,
    MirrorSettings,
    MirrorChanges,
    MirrorCounters,
    Publish,
    WhoAmI,
    ShowMe,
    ChangeMe,
    LogIn,
    LogOut,
    ListTokens,
    CreateToken,
    RevokeToken,
    Star,
    Unstar,
    Rate,
    ListTags,
    SetTag,
    RemoveTag,
    Yank,
    Unyank,
    RemoveSkill,
    RestoreSkill,
    OfferSkill,
    WithdrawOffer,
    AcceptSkill,
    ListStars,
    ListOwnSkills,
    ListTransfers,
    ListReviews,
    ShowReview,
    DownloadReview,
    Approve,
    Reject,
    Promote,
    CreateNamespace,
    UpdateNamespace,
    ListMembers,
    AddMember,
    ChangeRole,
    RemoveMember,
    Health,
    Ready,
}

use Access::{Anyone, Credential, PublicRead};
use Operation as Op;

const MANAGE: Access = Access::Scope(Scope::Manage);
const PUBLISH: Access = Access::Scope(Scope::Publish);
const READ: Access = Access::Scope(Scope::Read);
const SOCIAL: Access = Access::Scope(Scope::Social);
const TOKENS: Access = Access::Scope(Scope::Tokens);

/// All routes, in no particular order: see [`find`](super::find()).
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    row(Method::GET, "/.well-known/registry.json", PublicRead, Op::Discover),
    row(Method::GET, "/api/v1/openapi.json", PublicRead, Op::DescribeApi),
    row(Method::GET, "/api/v1/skills", PublicRead, Op::ListSkills),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}", PublicRead, Op::ShowSkill),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/versions", PublicRead, Op::ListVersions),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/versions/{version}", PublicRead, Op::ShowVersion),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/versions/{version}/files", PublicRead, Op::ListFiles),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/versions/{version}/download", PublicRead, Op::DownloadVersion),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/download", PublicRead, Op::DownloadLatest),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/resolve", PublicRead, Op::Resolve),
    row(Method::GET, "/api/v1/namespaces", PublicRead, Op::ListNamespaces),
    row(Method::GET, "/api/v1/namespaces/{slug}", PublicRead, Op::ShowNamespace),
    row(Method::GET, "/api/v1/resolve", PublicRead, Op::ResolveSlug),
    row(Method::GET, "/api/v1/download/{slug}/{version}", PublicRead, Op::DownloadSlug),
    row(Method::GET, "/api/v1/search", PublicRead, Op::Search),
    row(Method::GET, "/api/v1/search/_index/manifest.bin", PublicRead, Op::SearchManifest),
    row(Method::GET, "/api/v1/search/_index/{piece}", PublicRead, Op::SearchPiece),
    row(Method::GET, "/api/v1/mirror/head.json", PublicRead, Op::MirrorHead),
    row(Method::GET, "/api/v1/mirror/settings.json", PublicRead, Op::MirrorSettings),
    row(Method::GET, "/api/v1/mirror/changes/{page}", PublicRead, Op::MirrorChanges),
    row(Method::GET, "/api/v1/mirror/counters/{shard}", PublicRead, Op::MirrorCounters),

    row(Method::POST, "/api/v1/auth/login", Anyone, Op::LogIn),
    row(Method::POST, "/api/v1/auth/logout", Credential, Op::LogOut),
    row(Method::GET, "/api/v1/auth/me", Credential, Op::ShowMe),
    row(Method::PUT, "/api/v1/auth/me", Credential, Op::ChangeMe),
    row(Method::GET, "/api/v1/whoami", Credential, Op::WhoAmI),
    row(Method::POST, "/api/v1/publish", PUBLISH, Op::Publish),

    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/star", SOCIAL, Op::Star),
    row(Method::DELETE, "/api/v1/skills/{namespace}/{slug}/star", SOCIAL, Op::Unstar),
    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/rating", SOCIAL, Op::Rate),
    row(Method::GET, "/api/v1/skills/{namespace}/{slug}/tags", READ, Op::ListTags),
    row(Method::PUT, "/api/v1/skills/{namespace}/{slug}/tags/{tagName}", MANAGE, Op::SetTag),
    row(Method::DELETE, "/api/v1/skills/{namespace}/{slug}/tags/{tagName}", MANAGE, Op::RemoveTag),
    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/versions/{version}/yank", MANAGE, Op::Yank),
    row(Method::DELETE, "/api/v1/skills/{namespace}/{slug}/versions/{version}/yank", MANAGE, Op::Unyank),
    row(Method::DELETE, "/api/v1/skills/{namespace}/{slug}", MANAGE, Op::RemoveSkill),
    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/restore", MANAGE, Op::RestoreSkill),
    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/transfer", MANAGE, Op::OfferSkill),
    row(Method::DELETE, "/api/v1/skills/{namespace}/{slug}/transfer", MANAGE, Op::WithdrawOffer),
    row(Method::POST, "/api/v1/skills/{namespace}/{slug}/transfer/accept", MANAGE, Op::AcceptSkill),

    row(Method::GET, "/api/v1/me/stars", READ, Op::ListStars),
    row(Method::GET, "/api/v1/me/skills", READ, Op::ListOwnSkills),
    row(Method::GET, "/api/v1/me/transfers", READ, Op::ListTransfers),

    row(Method::GET, "/api/v1/namespaces/{slug}/reviews", READ, Op::ListReviews),
    row(Method::GET, "/api/v1/namespaces/{slug}/reviews/{id}", READ, Op::ShowReview),
    row(Method::GET, "/api/v1/namespaces/{slug}/reviews/{id}/package", READ, Op::DownloadReview),
    row(Method::POST, "/api/v1/namespaces/{slug}/reviews/{id}/approve", MANAGE, Op::Approve),
    row(Method::POST, "/api/v1/namespaces/{slug}/reviews/{id}/reject", MANAGE, Op::Reject),
    row(Method::POST, "/api/v1/namespaces/{slug}/skills/{skillId}/promote", MANAGE, Op::Promote),

    row(Method::POST, "/api/v1/namespaces", MANAGE, Op::CreateNamespace),
    row(Method::PUT, "/api/v1/namespaces/{slug}", MANAGE, Op::UpdateNamespace),
    row(Method::GET, "/api/v1/namespaces/{slug}/members", READ, Op::ListMembers),
    row(Method::POST, "/api/v1/namespaces/{slug}/members", MANAGE, Op::AddMember),
    row(Method::PUT, "/api/v1/namespaces/{slug}/members/{userId}/role", MANAGE, Op::ChangeRole),
    row(Method::DELETE, "/api/v1/namespaces/{slug}/members/{userId}", MANAGE, Op::RemoveMember),

    row(Method::GET, "/api/v1/tokens", TOKENS, Op::ListTokens),
    row(Method::POST, "/api/v1/tokens", TOKENS, Op::CreateToken),
    row(Method::DELETE, "/api/v1/tokens/{id}", TOKENS, Op::RevokeToken),

    row(Method::GET, "/healthz", Anyone, Op::Health),
    row(Method::GET, "/readyz", Anyone, Op::Ready),
];

const fn row(method: Method, path: &'static str, access: Access, operation: Operation) -> Route {
    Route { method, path, access, operation }
}
