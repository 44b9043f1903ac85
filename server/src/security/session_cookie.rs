//! The cookies of a session, and of a browser that signs in.

use hyper::header::{COOKIE, HeaderMap, HeaderValue};
use registry::local::SessionKey;
use registry::names::PublicUrl;

/// A cookie: its names without and with TLS. Browsers accept a cookie with the second prefix only over TLS, from this
/// host and for all its paths (RFC 6265bis, section 4.1.3.2).
#[derive(Clone, Copy)]
pub struct Cookie([&'static str; 2]);

/// The session.
pub const SESSION: Cookie = Cookie(["skillmirror_session", "__Host-skillmirror_session"]);

/// The browser of sign-ins that have begun.
pub const SIGN_IN: Cookie = Cookie(["skillmirror_sign_in", "__Host-skillmirror_sign_in"]);

impl Cookie {
    fn name(self, url: &PublicUrl) -> &'static str {
        self.0[usize::from(url.is_encrypted())]
    }

    /// Finds the cookie. The first of several with the name counts.
    pub fn read(self, url: &PublicUrl, headers: &HeaderMap) -> SentCookie {
        let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.find(|(found, _)| *found == self.name(url)) {
            None => SentCookie::None,
            Some((_, text)) => SessionKey::read(text).map_or(SentCookie::Invalid, SentCookie::Key),
        }
    }

    /// `Set-Cookie` for a key that is kept for `lifetime` seconds.
    pub fn set(self, url: &PublicUrl, key: &SessionKey, lifetime: u64) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(self.text(url, key.reveal(), lifetime)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Hidden from scripts, and not sent with background requests of foreign pages.
    fn text(self, url: &PublicUrl, value: &str, lifetime: u64) -> String {
        let secure = if url.is_encrypted() { "; Secure" } else { "" };
        let name = self.name(url);
        format!("{name}={value}; Path=/; Max-Age={lifetime}; HttpOnly; SameSite=Lax{secure}")
    }
}

/// The session cookie of a request.
#[derive(Debug)]
pub enum SentCookie {
    /// Not sent.
    None,
    /// Not the key of any session.
    Invalid,
    /// A key that a session may have.
    Key(SessionKey),
}

/// Finds the cookie. The first of several with the name counts.
pub fn read(url: &PublicUrl, headers: &HeaderMap) -> SentCookie {
    SESSION.read(url, headers)
}
/// `Set-Cookie` for a session of `lifetime` seconds.
pub fn set(url: &PublicUrl, key: &SessionKey, lifetime: u64) -> Option<HeaderValue> {
    SESSION.set(url, key, lifetime)
}

/// `Set-Cookie` that makes a browser delete the cookie.
pub fn clear(url: &PublicUrl) -> Option<HeaderValue> {
    HeaderValue::try_from(SESSION.text(url, "", 0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_that_was_set_is_read() {
        let key = SessionKey::generate().unwrap();
        for url in ["https://skills.example.org", "http://127.0.0.1:8080"] {
            let url: PublicUrl = url.parse().unwrap();
            let set = set(&url, &key, 60).unwrap();
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            for sent in [pair.to_owned(), format!("a=b; {pair};c"), format!("  {pair}  ")] {
                let headers = HeaderMap::from_iter([(COOKIE, sent.parse().unwrap())]);
                let SentCookie::Key(read) = read(&url, &headers) else { panic!("{sent}") };
                assert_eq!(read.reveal(), key.reveal());
            }
            let split = [(COOKIE, "a=b".parse().unwrap()), (COOKIE, pair.parse().unwrap())];
            assert!(matches!(read(&url, &HeaderMap::from_iter(split)), SentCookie::Key(_)));
        }
    }

    #[test]
    fn other_cookies_are_ignored_and_bad_values_invalid() {
        let url: PublicUrl = "http://127.0.0.1:8080".parse().unwrap();
        let read = |text: &str| read(&url, &HeaderMap::from_iter([(COOKIE, text.parse().unwrap())]));
        for text in
            ["", "a=b", "skillmirror_session", "xskillmirror_session=a", "__Host-skillmirror_session=a"]
        {
            assert!(matches!(read(text), SentCookie::None), "{text}");
        }
        for text in ["skillmirror_session=", "skillmirror_session=a", "skillmirror_session=\"\""] {
            assert!(matches!(read(text), SentCookie::Invalid), "{text}");
        }
    }
}
