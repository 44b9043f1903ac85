//! Whom an answer is for: who may see it, and who may keep it.

use hyper::header::{ACCESS_CONTROL_ALLOW_ORIGIN, AUTHORIZATION, CACHE_CONTROL, HeaderMap};

use crate::Response;
use crate::auth::Authentication;
use crate::cache_control::CacheClass;
use crate::problem::Problem;

/// Whom an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Anyone: it is a public document, or the lack of one.
    Anyone,
    /// Whoever asked for something that is not public.
    Caller,
    /// The same, with a credential.
    SignedIn,
    /// Someone who has asked for a public document with a token.
    AnyoneByToken,
}

impl Audience {
    /// Whom the answer to a request is for. With a cookie that is none its
    /// sender is anyone; with one that is good nothing is for foreign pages,
    /// whatever it is.
    pub fn of(is_public: bool, headers: &HeaderMap, presented: &Result<Authentication, Problem>) -> Self {
        let by_token = headers.contains_key(AUTHORIZATION);
        let by_cookie = !by_token && matches!(presented, Ok(Authentication::Valid(_)));
        match (is_public, by_token, by_cookie) {
            (true, false, false) => Self::Anyone,
            (true, true, _) => Self::AnyoneByToken,
            (false, false, false) => Self::Caller,
            (false, true, _) | (_, false, true) => Self::SignedIn,
        }
    }

    /// An error for this audience.
    pub fn map_error(self, problem: Problem) -> Problem {
        match self {
            Self::Anyone => problem.public(),
            Self::Caller => problem,
            Self::SignedIn => problem.private(),
            Self::AnyoneByToken => problem.public().private(),
        }
    }

    /// An answer for this audience.
    pub fn map_response(self, mut response: Response) -> Response {
        if matches!(self, Self::SignedIn | Self::AnyoneByToken) {
            response.headers_mut().insert(CACHE_CONTROL, CacheClass::Private.header());
        }
        if self == Self::SignedIn {
            response.headers_mut().remove(ACCESS_CONTROL_ALLOW_ORIGIN);
        }
        response
    }
}
