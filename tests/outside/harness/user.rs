//! Someone who can sign in.

/// A handle and a token of theirs.
#[derive(Debug, Clone)]
pub struct User {
    /// The handle.
    pub handle: String,
    /// A token with every scope, unless a test made it narrower.
    pub token: String,
}

impl User {
    /// The same person with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { handle: self.handle.clone(), token: token.to_owned() }
    }
}
