//! Users.

/// A user with a token.
#[derive(Debug, Clone)]
pub struct User {
    /// The handle.
    pub handle: String,
    /// A token, with every scope unless a test limits it.
    pub token: String,
}

impl User {
    /// The same user with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { handle: self.handle.clone(), token: token.to_owned() }
    }

    /// The options of `token issue` that these do not say, for a token with every scope and without an end.
    pub(super) fn widest(options: &[&str]) -> Vec<&'static str> {
        let all = [["--scopes", "read,publish,social,manage,tokens"], ["--expires", "never"]];
        all.into_iter().filter(|[name, _]| !options.contains(name)).flatten().collect()
    }
}
