//! Read keys at the start of a path, for clients that send no header.

use hyper::header::{AUTHORIZATION, HeaderValue};
use registry::read_key::ReadKey;

use crate::request::{Path, Request};

/// What comes before the key.
const MARK: &str = "/~";

/// Takes the key out of a path like `/~KEY/team/hello`, and makes it the credential of the request. Other requests
/// stay as they are.
pub fn take(request: &mut Request) {
    let Some((key, below)) = split(request.path.raw()) else { return };
    let Ok(mut value) = HeaderValue::try_from(format!("Bearer {key}")) else { return };
    value.set_sensitive(true);
    let path = Path::parse(below);
    request.headers.insert(AUTHORIZATION, value);
    request.path = path;
}

fn split(path: &str) -> Option<(&str, &str)> {
    let after = path.strip_prefix(MARK)?;
    let (key, below) = after.split_at(after.find('/')?);
    ReadKey::read(key).map(|_| (key, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str =
        "smr_1800000000_UW0bMXezvhqi286B6h4oXA_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    #[test]
    fn only_a_key_is_taken() {
        assert_eq!(split(&format!("/~{KEY}/team/hello")), Some((KEY, "/team/hello")));
        assert_eq!(split(&format!("/~{KEY}/")), Some((KEY, "/")));
        for path in
            [format!("/~{KEY}"), format!("/{KEY}/x"), format!("/~{KEY}a/x"), "/~/x".into(), "/~x/y".into()]
        {
            assert_eq!(split(&path), None, "{path}");
        }
    }
}
