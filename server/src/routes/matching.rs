//! Finding a row of the table.

use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::LazyLock;

use hyper::Method;
use registry::names::Coordinate;

use super::table::{Access, ROUTES, Route};
use crate::problem::Problem;
use crate::request::Path;

/// What the table says of a request.
#[derive(Debug)]
pub enum Match {
    /// This row.
    Found(Found),
    /// `OPTIONS` on a public read: answered by
    /// [`representation::preflight`](crate::representation::preflight).
    Preflight {
        /// The methods there are, as the `Allow` header has them.
        allow: String,
    },
    /// The path is there, the method isn't; `allow` is the `Allow` header.
    WrongMethod {
        /// The methods there are.
        allow: String,
        /// Whether one of them is a public read.
        is_public: bool,
    },
    /// No row has this path.
    NotFound,
}

impl Match {
    /// Whether any origin may see what becomes of it, errors too.
    pub fn is_public(&self) -> bool {
        match self {
            Self::Found(found) => found.route.access == Access::PublicRead,
            Self::Preflight { .. } | Self::NotFound => true,
            Self::WrongMethod { is_public, .. } => *is_public,
        }
    }
}

/// A row, and what its parameters stand for.
#[derive(Debug)]
pub struct Found {
    /// The row.
    pub route: &'static Route,
    /// The parameters.
    pub params: Params,
}

/// Values of `{name}` segments, decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(&'static str, String)>);

impl Params {
    /// The text of a parameter; `None` if the row's path has none of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
    }

    /// The skill that `{namespace}` and `{slug}` name.
    pub fn skill(&self) -> Result<Coordinate, Problem> {
        Ok(Coordinate::new(self.parse("namespace")?, self.parse("slug")?))
    }

    /// A parameter, parsed.
    ///
    /// # Errors
    ///
    /// 404 if it does not parse: what can't be a name names nothing. 500 if
    /// the row's path has no such parameter.
    pub fn parse<T: FromStr>(&self, name: &str) -> Result<T, Problem>
    where
        T::Err: std::fmt::Display,
    {
        let text = self.get(name).ok_or_else(|| Problem::internal(format!("the route has no {{{name}}}")))?;
        text.parse().map_err(|error: T::Err| Problem::not_found(format!("There is no such {name}: {error}.")))
    }
}

/// Finds the row for a method and a path.
///
/// The path is settled first: of two patterns that fit, the one with a literal
/// segment where the other has a parameter, from the left. Then the method.
pub fn find(method: &Method, path: &Path) -> Match {
    let Some(segments) = path.segments() else { return Match::NotFound };
    let fitting = PATTERNS.iter().filter(|pattern| pattern.fits(segments));
    let Some(best) = fitting.min_by(|a, b| a.precedence(b)) else { return Match::NotFound };
    if let Some(route) = best.routes.iter().find(|r| r.method == *method).or_else(|| best.get(method)) {
        return Match::Found(Found { route, params: best.params(segments) });
    }
    let is_public = best.routes.iter().any(|route| route.access == Access::PublicRead);
    if *method == Method::OPTIONS && is_public {
        return Match::Preflight { allow: best.allow() };
    }
    Match::WrongMethod { allow: best.allow(), is_public }
}

/// The rows that share a path, with the path in pieces.
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
    for route in ROUTES {
        match patterns.iter_mut().find(|p| p.routes.iter().any(|r| r.path == route.path)) {
            Some(pattern) => pattern.routes.push(route),
            None => patterns.push(Pattern { segments: pieces(route.path), routes: vec![route] }),
        }
    }
    patterns
});

fn pieces(path: &'static str) -> Vec<Segment> {
    let piece = |text: &'static str| match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(name) => Segment::Parameter(name),
        None => Segment::Literal(text),
    };
    path.trim_start_matches('/').split('/').map(piece).collect()
}

impl Pattern {
    fn fits(&self, path: &[String]) -> bool {
        let fits = |(segment, text): (&Segment, &String)| match segment {
            Segment::Literal(literal) => literal == text,
            Segment::Parameter(_) => true,
        };
        self.segments.len() == path.len() && self.segments.iter().zip(path).all(fits)
    }

    /// Less is better. Only for patterns that fit the same path.
    fn precedence(&self, other: &Self) -> Ordering {
        let is_parameter = |s: &Segment| matches!(s, Segment::Parameter(_));
        self.segments.iter().map(is_parameter).cmp(other.segments.iter().map(is_parameter))
    }

    fn get(&self, method: &Method) -> Option<&&'static Route> {
        self.routes.iter().find(|r| *method == Method::HEAD && r.method == Method::GET)
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
    fn every_row_finds_itself_and_nothing_near_it() {
        for row in ROUTES {
            let path = row.path.replace('{', "x").replace('}', "y");
            let Match::Found(found) = at(row.method.clone(), &path) else { panic!("{}", row.path) };
            assert!(std::ptr::eq(found.route, row), "{} is found as {}", row.path, found.route.path);
            for near in [format!("{path}/"), format!("{path}//"), format!("/{path}"), format!("{path}/q/q/q")]
            {
                assert!(matches!(at(row.method.clone(), &near), Match::NotFound), "{near}");
            }
            let Match::WrongMethod { allow, .. } = at(Method::TRACE, &path) else { panic!("{}", row.path) };
            assert!(allow.split(", ").any(|m| m == row.method.as_str()), "{allow}");
        }
    }

    #[test]
    fn rows_and_operations_are_one_to_one() {
        let operations: HashSet<_> = ROUTES.iter().map(|r| r.operation).collect();
        let addresses: HashSet<_> = ROUTES.iter().map(|r| (r.method.as_str(), r.path)).collect();
        assert_eq!((operations.len(), addresses.len()), (ROUTES.len(), ROUTES.len()));
        let public_writes =
            ROUTES.iter().filter(|r| r.access == Access::PublicRead && r.method != Method::GET);
        assert_eq!(public_writes.count(), 0);
    }

    #[test]
    fn parameters_are_decoded_and_parsed() {
        let Match::Found(found) = at(Method::HEAD, "/api/v1/skills/global/%70df/versions/1.0.0") else {
            panic!()
        };
        assert_eq!(found.params.get("slug"), Some("pdf"));
        assert_eq!(found.params.parse::<String>("version").ok().as_deref(), Some("1.0.0"));
        assert_eq!(found.params.parse::<u8>("slug").unwrap_err().code().as_str(), "not_found");
        assert_eq!(found.params.parse::<u8>("nope").unwrap_err().code().as_str(), "internal");
    }

    #[test]
    fn methods() {
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
    fn literals_win_from_the_left() {
        let pattern = |path| Pattern { segments: pieces(path), routes: vec![] };
        assert_eq!(pattern("/a/b/{x}").precedence(&pattern("/a/{x}/c")), Ordering::Less);
        assert_eq!(pattern("/a/{x}").precedence(&pattern("/a/b")), Ordering::Greater);
    }
}
