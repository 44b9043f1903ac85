//! The scopes of tokens.

use serde::{Deserialize, Serialize};

/// A use that a token can allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Reads that need a credential.
    Read,
    /// Publishing.
    Publish,
    /// Stars and ratings.
    Social,
    /// Tags, yanks, namespaces, members, reviews, promotion.
    Manage,
    /// Tokens.
    Tokens,
}

/// A sorted set of scopes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Scope>", into = "Vec<Scope>")]
pub struct Scopes(Vec<Scope>);

impl Scopes {
    /// Every scope.
    pub fn all() -> Self {
        Self(Scope::ALL.to_vec())
    }

    /// Whether the set contains a scope.
    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// The scopes of `self` that `other` does not have.
    pub fn beyond<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Scope> + 'a {
        self.0.iter().copied().filter(|scope| !other.has(*scope))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<Scope>> for Scopes {
    fn from(mut scopes: Vec<Scope>) -> Self {
        scopes.sort_unstable();
        scopes.dedup();
        Self(scopes)
    }
}

impl From<Scopes> for Vec<Scope> {
    fn from(scopes: Scopes) -> Self {
        scopes.0
    }
}
