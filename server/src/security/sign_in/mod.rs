//! Checking passwords: a few at a time, and only a few wrong ones of each client.

use std::sync::Arc;
use std::time::Duration;

use registry::Registry;
use registry::fair_share::Owner;
use registry::local::LocalStore;
use registry::names::{Digest, Handle};
use registry::private::Password;
use registry::time::Timestamp;

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::client_address::ClientAddress;
use crate::security::turns::Turns;

/// This many wrong passwords for one handle from one client, or for all handles from one
/// client, block further logins for up to ten minutes.
const MAX_FAILURES_OF_HANDLE: u32 = 10;
const MAX_FAILURES_OF_CLIENT: u32 = 30;

/// Checks and hashes passwords.
pub struct SignIn {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    /// Each check takes 19 MiB and a processor (see [`Password::hash`]). A client that checks one
    /// password at a time does not exceed its ten wrong passwords by sending them at once.
    turns: Turns,
}

/// Proof that a client knew a password. Never print it.
pub struct Proof {
    /// The account.
    pub handle: Handle,
    /// The stored hash of the password.
    pub phc: String,
}

impl SignIn {
    /// Checks at most `processors` passwords at a time.
    pub fn new(registry: Arc<Registry>, local: Arc<LocalStore>, processors: usize) -> Self {
        Self { registry, local, turns: Turns::new(processors) }
    }

    /// Checks the password of an account. None if it is wrong or the account cannot sign in.
    /// Clients do not learn which.
    ///
    /// Errors: 429 after ten failures within ten minutes for this handle and client, or thirty for
    /// this client, whatever the password. 503 if the queue is full, or if a failure cannot be stored:
    /// without counting failures no password may be tried.
    pub async fn check(
        &self,
        handle: &str,
        password: Password,
        client: ClientAddress,
    ) -> Result<Option<Proof>, Problem> {
        let Some(turn) = self.turns.take(&client.owner()).await else {
            return Err(Problem::unavailable(
                "Too many logins from your address are in progress: try again in a moment.",
                Duration::from_secs(1),
            ));
        };
        let client = client.network().to_string();
        let subjects = [format!("{handle}\n{client}"), client].map(|text| Digest::of(text.as_bytes()));
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        let handle = handle.parse().ok();
        blocking(move || {
            let _turn = turn;
            verify(&registry, &local, handle, &password, subjects)
        })
        .await
    }

    /// Hashes a new password for a person who has shown who they are.
    ///
    /// Errors: 503 if too many changes of the person's password are in progress.
    pub async fn hash(&self, person: &Handle, password: Password) -> Result<String, Problem> {
        let turn = self.turns.take(&Owner::of_person(person)).await.ok_or_else(|| {
            let detail = "Too many changes of your password are in progress: try again in a moment.";
            Problem::unavailable(detail, Duration::from_secs(1))
        })?;
        blocking(move || {
            let _turn = turn;
            password.hash().map_err(Problem::internal)
        })
        .await
    }
}

/// Takes the same time for every handle, so that clients do not learn which exist.
fn verify(
    registry: &Registry,
    local: &LocalStore,
    handle: Option<Handle>,
    password: &Password,
    subjects: [Digest; 2],
) -> Result<Option<Proof>, Problem> {
    let now = Timestamp::now();
    let [of_handle, of_client] = subjects;
    if let Some(wait) = local.login_blocked_for(&of_handle, MAX_FAILURES_OF_HANDLE, now)? {
        return Err(Problem::rate_limited(
            "Too many logins with this handle failed from your address: wait for the time in `Retry-After`.",
            wait,
        ));
    }
    if let Some(wait) = local.login_blocked_for(&of_client, MAX_FAILURES_OF_CLIENT, now)? {
        return Err(Problem::rate_limited(
            "Too many logins failed from your address: wait for the time in `Retry-After`.",
            wait,
        ));
    }
    // Another process may have added or disabled the account a moment ago.
    registry.try_catch_up()?;
    let stored = handle.as_ref().map(|handle| local.password(handle)).transpose()?.flatten();
    let is_active = |handle: &Handle| {
        registry.read(|catalog| catalog.private.user(handle).is_some_and(|user| !user.disabled))
    };
    let handle = handle.filter(is_active);
    let phc = stored.filter(|_| handle.is_some());
    let is_right = password.matches(phc.as_deref());
    match (handle, phc) {
        (Some(handle), Some(phc)) if is_right => Ok(Some(Proof { handle, phc })),
        _ => {
            local.record_login_failure(&subjects, now)?;
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests;
