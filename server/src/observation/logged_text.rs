//! Requests as the access log shows them: without secrets. Clients send tokens where they do not
//! belong, and a log is read by more people than the request was meant for.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Written instead of a secret.
const BLANK: &str = "***";

/// The beginnings of every token and read key of a registry.
const SECRETS: [&str; 3] = ["smt_", "smj_", "smr_"];

/// How often a text is decoded: links in queries of links are encoded twice.
const MAX_DECODINGS: usize = 3;

/// Words in the name of a parameter whose value is a secret.
const SECRET_WORDS: [&str; 12] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "credential",
    "authorization",
    "bearer",
    "signature",
    "session",
    "jwt",
];

/// Ends of such names that other words contain.
const SECRET_ENDS: [&str; 8] = ["key", "pass", "pwd", "auth", "sig", "sid", "code", "cookie"];

/// Path and query of a request, with the values of secret parameters blanked.
pub(super) fn target(target: &str) -> Cow<'_, str> {
    let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
    let parts = || query.into_iter().flat_map(|query| query.split('&'));
    let hides_path = has_secret(path);
    if !hides_path && !parts().any(is_secret) {
        return Cow::Borrowed(target);
    }
    let mut text = if hides_path { format!("/{BLANK}") } else { path.to_owned() };
    for (n, part) in parts().enumerate() {
        text.push(if n == 0 { '?' } else { '&' });
        match part.split_once('=') {
            _ if !is_secret(part) => text.push_str(part),
            Some((name, _)) if !has_secret(name) => text.extend([name, "=", BLANK]),
            _ => text.push_str(BLANK),
        }
    }
    Cow::Owned(text)
}

/// A header of a request: blanked if it has a secret.
pub(super) fn header(value: Cow<'_, str>) -> String {
    if has_secret(&value) { BLANK.to_owned() } else { value.into_owned() }
}

/// Whether a part of a query has a secret.
fn is_secret(part: &str) -> bool {
    let (name, value) = part.split_once('=').unwrap_or(("", part));
    (is_secret_name(&decoded(name)) && !value.is_empty()) || has_secret(name) || has_secret(value)
}

/// Whether a text has a token of a registry, an address with a user name or password, or a parameter
/// whose value is a secret.
fn has_secret(text: &str) -> bool {
    let text = decoded(text);
    let is_parameter = |part: &str| part.split_once('=').is_some_and(|(name, _)| is_secret_name(name));
    SECRETS.iter().any(|start| text.contains(start))
        || has_user_info(&text)
        || text.split(['?', '&', ';', '#']).any(is_parameter)
}

fn has_user_info(text: &str) -> bool {
    let mut authorities = text.split("://").skip(1).filter_map(|rest| rest.split(['/', '?', '#']).next());
    authorities.any(|authority| authority.contains('@'))
}

/// Whether the values of a parameter are secrets. Letter case, signs and numbers of its name do not count.
fn is_secret_name(name: &str) -> bool {
    let name: String =
        name.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect();
    SECRET_WORDS.iter().any(|word| name.contains(word)) || SECRET_ENDS.iter().any(|end| name.ends_with(end))
}

/// A text without percent-encoding.
fn decoded(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_DECODINGS {
        if !text.contains('%') {
            break;
        }
        text = Cow::Owned(percent_decode_str(&text).decode_utf8_lossy().into_owned());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_with_secret_is_blanked() {
        for (sent, logged) in [
            ("/a?token=x", "/a?token=***"),
            ("/a?page=2&TOKEN=x&q=pdf", "/a?page=2&TOKEN=***&q=pdf"),
            ("/a?access_token=x", "/a?access_token=***"),
            ("/a?Access-Token=x=y", "/a?Access-Token=***"),
            ("/a?api_key=x&apiKey=y&key=z", "/a?api_key=***&apiKey=***&key=***"),
            ("/a?%74ok%65n=x", "/a?%74ok%65n=***"),
            ("/a?%2574oken=x", "/a?%2574oken=***"),
            ("/a?token[]=x&token2=y&X-Amz-Signature=z", "/a?token[]=***&token2=***&X-Amz-Signature=***"),
            ("/a?password=x&client_secret=y&code=z", "/a?password=***&client_secret=***&code=***"),
            ("/a?q=smt_0123", "/a?q=***"),
            ("/a?q=%73mt_0123", "/a?q=***"),
            ("/a?smt_0123", "/a?***"),
            ("/a?smt_0123=1", "/a?***"),
            ("/a?a=1;token=x", "/a?a=***"),
            ("/a?next=%2Fb%3Ftoken%3Dx", "/a?next=***"),
            ("/a?url=https://user:word@host/", "/a?url=***"),
            ("/a?url=https%3A%2F%2Fuser%40host%2F", "/a?url=***"),
            ("/https://user:word@host/", "/***"),
            ("/a;token=x/b?page=1", "/***?page=1"),
            ("/api/v1/tokens/smt_0123", "/***"),
            ("/~smr_0123/team/hello", "/***"),
        ] {
            assert_eq!(target(sent), logged, "{sent}");
        }
    }

    #[test]
    fn target_without_secret_is_logged_as_sent() {
        for sent in [
            "/",
            "/a?",
            "/a?token",
            "/a?token=",
            "/api/v1/skills?keyword=pdf&namespace=a&sort=name&page=1&size=20",
            "/api/v1/resolve?slug=a--b&version=1.0.0",
            "/clawhub/api/v1/skills/-/file?path=a%2Fb.md&ownerHandle=@ann&hash=ab&prefix=x&cursor=y&mode=exact",
            "/@ann/hello",
            "/a?q=%zz%0A&q=a@b.example",
            "/api/v1/tokens",
        ] {
            assert!(matches!(target(sent), Cow::Borrowed(_)), "{sent}");
        }
    }
}
