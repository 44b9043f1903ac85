//! What a credential may be used for. Stands in for `registry::access::Scope`.

/// A scope of a token (wire contract, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Reading what is not public.
    Read,
    /// Publishing versions.
    Publish,
    /// Stars and ratings.
    Social,
    /// Tags, yanks, namespaces, members, reviews, promotion.
    Manage,
    /// The caller's own tokens.
    Tokens,
}

impl Scope {
    /// The scope's name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Publish => "publish",
            Self::Social => "social",
            Self::Manage => "manage",
            Self::Tokens => "tokens",
        }
    }
}
