//! What a request prefers (RFC 7240).

use std::time::Duration;

use hyper::HeaderMap;
use hyper::header::HeaderName;

static PREFER: HeaderName = HeaderName::from_static("prefer");

/// How long a client wants to wait until the whole tree shows its write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The preference that says so, for `Preference-Applied`.
    pub preference: &'static str,
    /// The longest wait. Zero: the response is sent at once.
    pub longest: Duration,
}

/// The wait that a request prefers: `wait`, `wait=5` for at most five seconds, or `respond-async` for none.
/// `None` if the request names no wait, or one that cannot be read.
pub fn wait(headers: &HeaderMap) -> Option<Wait> {
    let values = || headers.get_all(&PREFER).into_iter().filter_map(|value| value.to_str().ok());
    let preferences = || {
        values().flat_map(|value| value.split(',')).map(|preference| {
            // Parameters follow after a semicolon.
            let preference = preference.split(';').next().unwrap_or_default();
            let (name, value) = preference.split_once('=').unwrap_or((preference, ""));
            (name.trim(), value.trim().trim_matches('"'))
        })
    };
    // The first one of a name counts (section 2).
    let find = |wanted: &str| preferences().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    if let Some((_, value)) = find("wait") {
        return longest(value).map(|longest| Wait { preference: "wait", longest });
    }
    find("respond-async").map(|_| Wait { preference: "respond-async", longest: Duration::ZERO })
}

/// The longest wait for the value of `wait`. A number that is too large is cut.
fn longest(value: &str) -> Option<Duration> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| value.parse().map_or(Duration::MAX, Duration::from_secs))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn wait_is_found_among_other_preferences() {
        let wait_of = |longest| Some(Wait { preference: "wait", longest });
        let seconds = |seconds| wait_of(Duration::from_secs(seconds));
        let at_once = Some(Wait { preference: "respond-async", longest: Duration::ZERO });
        for (values, expected) in [
            (vec!["wait"], wait_of(Duration::MAX)),
            (vec!["wait=0"], seconds(0)),
            (vec!["WAIT=\"0\""], seconds(0)),
            (vec!["wait=99999999999999999999"], wait_of(Duration::MAX)),
            (vec!["respond-async"], at_once),
            (vec!["return=minimal", "Respond-Async; x=1"], at_once),
            (vec!["wait=soon, respond-async"], None),
            (vec!["wait=1.5"], None),
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
