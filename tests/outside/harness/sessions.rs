//! People with passwords, and browsers that are signed in.

use serde_json::json;

use super::{Client, Registry, Response};

/// A browser of somebody who has signed in: it has the cookie of a session.
pub struct Browser {
    /// The cookie as it is sent, `name=value`.
    pub cookie: String,
    /// A client that sends the cookie, and says that it is on the registry's
    /// own pages.
    pub own: Client,
    /// A client that sends the cookie and does not say where it is.
    pub bare: Client,
}

/// The name and value of the one cookie that an answer sets.
#[track_caller]
pub fn cookie_of(response: &Response) -> String {
    let all: Vec<_> = response.headers.get_all("set-cookie").iter().collect();
    assert_eq!(all.len(), 1, "{response} sets one cookie: {:?}", response.headers);
    let cookie = all[0].to_str().expect("a header is ASCII");
    cookie.split(';').next().expect("a first piece").to_owned()
}

impl Client {
    /// Tries to sign in.
    pub fn log_in(&self, handle: &str, password: &str) -> Response {
        self.post_json("/api/v1/auth/login", &json!({"handle": handle, "password": password}))
    }
}

impl Registry {
    /// A new user who can sign in, and has no token.
    #[track_caller]
    pub fn user_with_password(&self, handle: &str, password: &str) {
        self.command_with_input(["user", "add", handle, "--password-stdin"], &format!("{password}\n")).ok();
    }

    /// A browser that somebody signs in with.
    #[track_caller]
    pub fn sign_in(&self, handle: &str, password: &str) -> Browser {
        self.browser(cookie_of(&self.anonymous().log_in(handle, password).expect(200)))
    }

    /// A browser with that cookie.
    pub fn browser(&self, cookie: String) -> Browser {
        let bare = self.anonymous().with("cookie", &cookie);
        Browser { own: bare.with("origin", self.base()), bare, cookie }
    }
}
