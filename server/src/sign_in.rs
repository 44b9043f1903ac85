//! Passwords are checked: a few at a time, and never many wrong ones.

use std::sync::Arc;
use std::time::Duration;

use registry::Registry;
use registry::local::LocalStore;
use registry::names::{Digest, Handle};
use registry::private::Password;
use registry::time::Timestamp;
use tokio::sync::Semaphore;

use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::reply::blocking;

/// In how many lines passwords wait to be checked. A client is always in the
/// same one and comes to its turn one password at a time: so ten wrong ones are
/// ten, however many come at once, and nobody keeps all processors busy.
const LINES: usize = 256;
/// How many may be in one line: the last waits for some seconds.
const PLACES: usize = 100;

/// Checks and hashes passwords.
pub struct SignIn {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    lines: Vec<Line>,
    /// Each check takes 19 MiB and a processor (see [`Password::hash`]).
    turns: Arc<Semaphore>,
}

struct Line {
    places: Semaphore,
    front: Semaphore,
}

/// What became of a check.
pub enum Verdict {
    /// It is the password.
    Right(Proof),
    /// It is not, or nobody of that handle can sign in; which of them it is
    /// nobody learns.
    Wrong,
}

/// That somebody knew a password. Not to be printed.
pub struct Proof {
    /// Who.
    pub handle: Handle,
    /// What is kept of the password that they knew.
    pub phc: String,
}

impl SignIn {
    /// At most `processors` passwords are checked at a time.
    pub fn new(registry: Arc<Registry>, local: Arc<LocalStore>, processors: usize) -> Self {
        Self {
            registry,
            local,
            lines: (0..LINES)
                .map(|_| Line { places: Semaphore::new(PLACES), front: Semaphore::new(1) })
                .collect(),
            turns: Arc::new(Semaphore::new(processors)),
        }
    }

    /// Checks the password of whoever calls themselves `handle`.
    ///
    /// # Errors
    ///
    /// 429 after ten failures within ten minutes for this handle and client,
    /// whatever the password; 503 where too many wait, or where the failure
    /// cannot be kept: nobody tries on while failures are not counted.
    pub async fn check(
        &self,
        handle: &str,
        password: Password,
        client: ClientAddress,
    ) -> Result<Verdict, Problem> {
        let client = client.network().to_string();
        let line = usize::from(Digest::of(client.as_bytes()).as_bytes()[0]);
        let line = self.lines.get(line).ok_or_else(|| Problem::internal("a line is missing"))?;
        let Ok(_place) = line.places.try_acquire() else {
            return Err(Problem::unavailable(
                "Too many people sign in from your address just now: try again in a moment.",
                Duration::from_secs(1),
            ));
        };
        let _front = line.front.acquire().await.map_err(Problem::internal)?;
        let subject = Digest::of(format!("{handle}\n{client}").as_bytes());
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Problem::internal)?;
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        let handle = handle.parse().ok();
        blocking(move || {
            let verdict = verify(&registry, &local, handle, &password, &subject);
            drop(turn);
            verdict
        })
        .await
    }

    /// The hash of a new password, in its turn.
    pub async fn hash(&self, password: Password) -> Result<String, Problem> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Problem::internal)?;
        blocking(move || {
            let hash = password.hash().map_err(Problem::internal);
            drop(turn);
            hash
        })
        .await
    }
}

/// Does the same work whoever is asked for.
fn verify(
    registry: &Registry,
    local: &LocalStore,
    handle: Option<Handle>,
    password: &Password,
    subject: &Digest,
) -> Result<Verdict, Problem> {
    let now = Timestamp::now();
    if let Some(wait) = local.login_blocked_for(subject, now)? {
        return Err(Problem::rate_limited(
            "Too many logins of this handle failed from your address: wait as long as `Retry-After` says.",
            wait,
        ));
    }
    // Another process may have added or disabled them a moment ago.
    registry.try_catch_up()?;
    let kept = handle.as_ref().map(|handle| local.password(handle)).transpose()?.flatten();
    let is_active = |handle: &Handle| {
        registry.read(|catalog| catalog.private.user(handle).is_some_and(|user| !user.disabled))
    };
    let handle = handle.filter(is_active);
    let phc = kept.filter(|_| handle.is_some());
    let is_right = password.matches(phc.as_deref());
    match (handle, phc) {
        (Some(handle), Some(phc)) if is_right => Ok(Verdict::Right(Proof { handle, phc })),
        _ => {
            local.record_login_failure(subject, now)?;
            Ok(Verdict::Wrong)
        }
    }
}

#[cfg(test)]
mod tests;
