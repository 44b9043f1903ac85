//! What signing in needs: passwords, sessions, failed logins, logins with a code, and
//! when tokens were used.

pub(super) mod device_login;
mod job_tokens;
mod login_failures;
mod password;
mod session_key;
pub(super) mod sessions;
mod sign_ins;
pub(super) mod token_use;

pub use device_login::{
    DEVICE_CODE_TTL, DEVICE_POLL_INTERVAL, DeviceCodes, DevicePoll, DeviceRequest, DeviceVerdict, UserCode,
};
pub use password::PasswordChange;
pub use session_key::SessionKey;
pub use sessions::{Session, SessionFacts};
pub use sign_ins::SIGN_IN_TTL;

use super::Space;

/// The hash of the password of each account, by handle.
pub(super) const PASSWORDS: Space = Space::new("passwords.1");

/// What a restored history ends: the logins of its people and their clients.
pub(super) const ENDED_BY_RESTORE: [Space; 10] = [
    sessions::SESSIONS,
    sessions::SESSION_USES,
    sessions::SESSIONS_OF,
    device_login::LOGINS,
    device_login::OF_CODE,
    device_login::OF_NETWORK,
    token_use::TOKEN_USES,
    job_tokens::JOB_TOKENS,
    sign_ins::SIGN_INS,
    sign_ins::SIGNED_IN,
];
