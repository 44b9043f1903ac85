//! Why the token of an issuer is refused.

/// Why a token is refused, as a sentence for its owner. It never contains the token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The issuer does not answer in time.
    #[error("{issuer} cannot be reached ({why}): try again later")]
    Away {
        /// The issuer.
        issuer: String,
        /// The reason.
        why: String,
    },
    /// The issuer answers something that it must not.
    #[error("{issuer} gave an unusable answer ({why}): an operator of this registry has to look at it")]
    Nonsense {
        /// The issuer.
        issuer: String,
        /// The reason.
        why: String,
    },
    /// The text is no signed token.
    #[error("the token is not a signed JWT: get a new one from its issuer")]
    Malformed,
    /// The header asks for a rule that is not known here (RFC 7515, section 4.1.11).
    #[error("the token has critical header parameters, which this registry does not know")]
    Critical,
    /// The algorithm is not allowed.
    #[error(
        "the token is not signed with an allowed algorithm ({}): its issuer has to use one of these",
        super::signature::NAMES
    )]
    Algorithm,
    /// The issuer has no such key, also after it was asked again.
    #[error("the token is signed with a key that {issuer} does not have: get a new one")]
    UnknownKey {
        /// The issuer.
        issuer: String,
    },
    /// The signature is wrong.
    #[error("the signature of the token is wrong: get a new one from its issuer")]
    Signature,
    /// A claim that must be there is not, or has another type.
    #[error("the token has no valid claim `{0}`: its issuer has to add it")]
    Claim(&'static str),
    /// The claims are not what the caller reads.
    #[error("the token lacks claims that are needed here: {0}")]
    Claims(String),
    /// Another issuer.
    #[error("the token is from another issuer than {issuer}: get one from there")]
    Issuer {
        /// The expected issuer.
        issuer: String,
    },
    /// For somebody else.
    #[error("the token is for another audience than `{audience}`: ask its issuer for one with this audience")]
    Audience {
        /// The expected audience.
        audience: String,
    },
    /// The answer is from another provider than the one that was asked.
    #[error("the answer is not from {issuer}, where this sign-in began: begin again")]
    MixedUp {
        /// The provider that was asked.
        issuer: String,
    },
    /// The provider does not know the code of the browser (RFC 6749, section 5.2).
    #[error("the provider does not know this sign-in any longer, or it was used before: begin again")]
    Code,
    /// The token is of another sign-in.
    #[error("the token belongs to another sign-in: begin again")]
    Nonce,
    /// The person is in no group that may sign in.
    #[error(
        "your account at {provider} is in no group that may sign in here: ask the people who run this registry"
    )]
    Group {
        /// The provider, as people know it.
        provider: String,
    },
    /// The person did not sign in again.
    #[error(
        "the provider did not ask again who you are, which this needs: begin again, or sign out there first"
    )]
    Stale,
    /// Too old.
    #[error("the token has expired: get a new one")]
    Expired,
    /// From the future.
    #[error("the token is not valid yet: compare the clocks of its issuer and of this registry")]
    NotYet,
}

impl Refusal {
    /// Whether the issuer has failed, and not the token.
    pub fn is_of_issuer(&self) -> bool {
        matches!(self, Self::Away { .. } | Self::Nonsense { .. })
    }
}
