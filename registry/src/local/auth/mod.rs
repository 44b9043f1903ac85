//! What signing in needs: passwords, sessions, failed logins, logins with a code, and
//! when tokens were used.

pub(super) mod device_login;
pub(super) mod login_failures;
pub(super) mod password;
mod session_key;
pub(super) mod sessions;
pub(super) mod token_use;

pub use device_login::{
    DEVICE_CODE_TTL, DEVICE_POLL_INTERVAL, DeviceCodes, DevicePoll, DeviceRequest, UserCode,
};
pub use session_key::SessionKey;
pub use sessions::{PasswordChange, Session};
