//! Users with passwords, and browsers with sessions.

use serde_json::json;

use super::{Client, Registry, Response};

/// The password of users in tests.
pub const PASSWORD: &str = "correct horse battery";

/// A browser with a session cookie.
pub struct Browser {
    /// The cookie as it is sent, `name=value`.
    pub cookie: String,
    /// A client that sends the cookie and the `Origin` of the registry.
    pub own: Client,
    /// A client that sends the cookie without an `Origin`.
    pub bare: Client,
}

/// Name and value of the only cookie that a response sets.
#[track_caller]
pub fn cookie_of(response: &Response) -> String {
    let all: Vec<_> = response.headers.get_all("set-cookie").iter().collect();
    assert_eq!(all.len(), 1, "{response} sets one cookie: {:?}", response.headers);
    let cookie = all[0].to_str().expect("a header is ASCII");
    cookie.split(';').next().expect("a first piece").to_owned()
}

impl Client {
    /// Sends a login request.
    pub fn log_in(&self, handle: &str, password: &str) -> Response {
        self.post_json("/api/v1/auth/login", &json!({"handle": handle, "password": password}))
    }
}

impl Registry {
    /// Adds a user with a password and without a token.
    #[track_caller]
    pub fn user_with_password(&self, handle: &str, password: &str) {
        self.command_with_input(["user", "add", handle, "--password-stdin"], &format!("{password}\n")).ok();
    }

    /// Logs a user in and returns their browser.
    #[track_caller]
    pub fn sign_in(&self, handle: &str, password: &str) -> Browser {
        self.browser(cookie_of(&self.anonymous().log_in(handle, password).expect(200)))
    }

    /// A browser with an existing cookie.
    pub fn browser(&self, cookie: String) -> Browser {
        let bare = self.anonymous().with("cookie", &cookie);
        Browser { own: bare.with("origin", self.base()), bare, cookie }
    }
}
