//! What a request prefers (RFC 7240).

use std::time::Duration;

use hyper::HeaderMap;
use hyper::header::HeaderName;

static PREFER: HeaderName = HeaderName::from_static("prefer");

/// How long a client wants to wait until the whole tree shows its write: `Prefer: wait`, or
/// `Prefer: wait=5` for at most five seconds. `None` if it does not say so, or says nothing that
/// can be read.
pub fn wait(headers: &HeaderMap) -> Option<Duration> {
    let preferences = headers.get_all(&PREFER).into_iter().filter_map(|value| value.to_str().ok());
    // The first one counts (section 2).
    let wait = preferences.flat_map(|value| value.split(',')).find_map(|preference| {
        // Parameters follow after a semicolon.
        let preference = preference.split(';').next().unwrap_or_default();
        let (name, value) = preference.split_once('=').unwrap_or((preference, ""));
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    if wait.is_empty() { Some(Duration::MAX) } else { wait.parse().ok().map(Duration::from_secs) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn wait_is_found_among_other_preferences() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (values, expected) in [
            (vec!["wait"], Some(Duration::MAX)),
            (vec!["respond-async, wait=10"], seconds(10)),
            (vec!["Wait = 3; q"], seconds(3)),
            (vec!["return=minimal", "wait=\"7\""], seconds(7)),
            (vec!["wait=1, wait=2"], seconds(1)),
            (vec!["wait=soon"], None),
            (vec!["wait=-1"], None),
            (vec!["waiting, return=wait"], None),
            (vec![""], None),
            (vec![], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in &values {
                headers.append(PREFER.clone(), value.parse().unwrap());
            }
            assert_eq!(wait(&headers), expected, "{values:?}");
        }
    }
}
