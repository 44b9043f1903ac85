//! Finding the route of a request.

use std::cmp::Ordering;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

use hyper::Method;

use super::{Access, ROUTES, Route};
use crate::observation::RouteLabel;
use crate::problem::Problem;
use crate::request::Path;

/// The result of looking up a request in the table.
pub enum Match {
    /// This route answers it.
    Found {
        /// The route.
        route: &'static Route,
        /// The parameters of its path.
        params: Params,
    },
    /// `OPTIONS` on a public read: a CORS preflight.
    Preflight {
        /// The value of `Allow`: the methods of this path.
        allow: String,
    },
    /// The path has routes, but none for this method.
    WrongMethod {
        /// The value of `Allow`: the methods of this path.
        allow: String,
        /// Whether one of them is a public read.
        is_public: bool,
    },
    /// No route has this path.
    NotFound,
}

impl Match {
    /// The name in metrics.
    pub(crate) fn label(&self) -> RouteLabel {
        match self {
            Self::Found { route, .. } => RouteLabel(route.path),
            Self::Preflight { .. } => RouteLabel("preflight"),
            Self::WrongMethod { .. } => RouteLabel("wrong method"),
            // Pages and other files of the tree, and addresses that do not exist.
            Self::NotFound => RouteLabel("file"),
        }
    }

    /// Whether pages of any origin may read the response, even if it is an error.
    pub fn is_public(&self) -> bool {
        match self {
            Self::Found { route, .. } => route.access == Access::PublicRead,
            Self::Preflight { .. } | Self::NotFound => true,
            Self::WrongMethod { is_public, .. } => *is_public,
        }
    }
}

/// Values of `{name}` segments, percent-decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(&'static str, String)>);

impl Params {
    /// The text of a parameter. `None` if the path of the route does not have it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
    }

    /// A parameter, parsed.
    ///
    /// Errors: 404 if the text is not a valid `T`: nothing can have such a name. 500 if
    /// the path of the route does not have the parameter.
    pub fn parse<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, Problem> {
        let text = self.get(name).ok_or_else(|| Problem::internal(format!("the route has no {{{name}}}")))?;
        text.parse().map_err(|error| Problem::not_found(format!("There is no such {name}: {error}.")))
    }
}

/// Finds the route for a method and a path.
///
/// The path decides first: of two patterns that match, the one with a literal
/// segment where the other has a parameter wins, from the left. Then the method
/// decides among the routes with that pattern.
pub fn find(method: &Method, path: &Path) -> Match {
    let Some(segments) = path.segments() else { return Match::NotFound };
    let matching = PATTERNS.iter().filter(|pattern| pattern.matches(segments));
    let Some(best) = matching.min_by(|a, b| a.precedence(b)) else { return Match::NotFound };
    if let Some(route) = best.route(method) {
        return Match::Found { route, params: best.params(segments) };
    }
    let is_public = best.routes.iter().any(|route| route.access == Access::PublicRead);
    if *method == Method::OPTIONS && is_public {
        return Match::Preflight { allow: best.allow() };
    }
    Match::WrongMethod { allow: best.allow(), is_public }
}

/// The routes that share a path.
struct Pattern {
    segments: Vec<Segment>,
    routes: Vec<&'static Route>,
}

#[derive(PartialEq)]
enum Segment {
    Literal(&'static str),
    Parameter(&'static str),
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut patterns: Vec<Pattern> = Vec::new();
    for route in ROUTES.iter() {
        match patterns.iter_mut().find(|p| p.routes.iter().any(|r| r.path == route.path)) {
            Some(pattern) => pattern.routes.push(route),
            None => patterns.push(Pattern { segments: split(route.path), routes: vec![route] }),
        }
    }
    patterns
});

fn split(path: &'static str) -> Vec<Segment> {
    let segment = |text: &'static str| match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(name) => Segment::Parameter(name),
        None => Segment::Literal(text),
    };
    path.trim_start_matches('/').split('/').map(segment).collect()
}

impl Pattern {
    fn matches(&self, path: &[String]) -> bool {
        let matches = |(segment, text): (&Segment, &String)| match segment {
            Segment::Literal(literal) => literal == text,
            Segment::Parameter(_) => true,
        };
        self.segments.len() == path.len() && self.segments.iter().zip(path).all(matches)
    }

    /// Less is better. Only for patterns that match the same path.
    fn precedence(&self, other: &Self) -> Ordering {
        let is_parameter = |s: &Segment| matches!(s, Segment::Parameter(_));
        self.segments.iter().map(is_parameter).cmp(other.segments.iter().map(is_parameter))
    }

    /// The route for a method. HEAD uses the route for GET.
    fn route(&self, method: &Method) -> Option<&'static Route> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().copied().find(|route| route.method == *method)
    }

    fn params(&self, path: &[String]) -> Params {
        let named = self.segments.iter().zip(path).filter_map(|(segment, text)| match segment {
            Segment::Parameter(name) => Some((*name, text.clone())),
            Segment::Literal(_) => None,
        });
        Params(named.collect())
    }

    fn allow(&self) -> String {
        let mut methods: Vec<&str> = self.routes.iter().map(|r| r.method.as_str()).collect();
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        methods.sort_unstable();
        methods.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn at(method: Method, path: &str) -> Match {
        find(&method, &Path::parse(path))
    }

    #[test]
    fn each_route_matches_its_own_path_only() {
        for row in ROUTES.iter() {
            let path = row.path.replace('{', "x").replace('}', "y");
            let Match::Found { route, .. } = at(row.method.clone(), &path) else { panic!("{}", row.path) };
            assert!(std::ptr::eq(route, row), "{} matches {}", row.path, route.path);
            for near in [format!("{path}/"), format!("{path}//"), format!("/{path}"), format!("{path}/q/q/q")]
            {
                assert!(matches!(at(row.method.clone(), &near), Match::NotFound), "{near}");
            }
            let Match::WrongMethod { allow, .. } = at(Method::TRACE, &path) else { panic!("{}", row.path) };
            assert!(allow.split(", ").any(|m| m == row.method.as_str()), "{allow}");
        }
    }

    #[test]
    fn route_method_and_path_are_unique() {
        let addresses: HashSet<_> = ROUTES.iter().map(|r| (r.method.as_str(), r.path)).collect();
        assert_eq!(addresses.len(), ROUTES.len());
        let public_writes =
            ROUTES.iter().filter(|r| r.access == Access::PublicRead && r.method != Method::GET);
        assert_eq!(public_writes.count(), 0);
    }

    #[test]
    fn parameter_with_escapes_is_decoded() {
        let Match::Found { params, .. } = at(Method::HEAD, "/api/v1/skills/global/%70df/versions/1.0.0")
        else {
            panic!()
        };
        assert_eq!(params.get("slug"), Some("pdf"));
        assert_eq!(params.parse::<String>("version").ok().as_deref(), Some("1.0.0"));
        assert_eq!(params.parse::<u8>("slug").unwrap_err().code().as_str(), "not_found");
        assert_eq!(params.parse::<u8>("nope").unwrap_err().code().as_str(), "internal");
    }

    #[test]
    fn wrong_method_lists_allowed_methods() {
        let Match::WrongMethod { allow, .. } = at(Method::PATCH, "/api/v1/namespaces/a") else { panic!() };
        assert_eq!(allow, "GET, HEAD, PUT");
        let Match::WrongMethod { allow, .. } = at(Method::GET, "/api/v1/publish") else { panic!() };
        assert_eq!(allow, "POST");
        let Match::Preflight { allow } = at(Method::OPTIONS, "/api/v1/namespaces") else { panic!() };
        assert_eq!(allow, "GET, HEAD, POST");
        assert!(matches!(at(Method::OPTIONS, "/api/v1/publish"), Match::WrongMethod { .. }));
        assert!(matches!(at(Method::OPTIONS, "*"), Match::NotFound));
        assert!(matches!(at(Method::GET, "/"), Match::NotFound));
    }

    #[test]
    fn literal_segment_beats_parameter_from_the_left() {
        let pattern = |path| Pattern { segments: split(path), routes: vec![] };
        assert_eq!(pattern("/a/b/{x}").precedence(&pattern("/a/{x}/c")), Ordering::Less);
        assert_eq!(pattern("/a/{x}").precedence(&pattern("/a/b")), Ordering::Greater);
    }
}
