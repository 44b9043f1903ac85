//! Sign-ins with a provider: those that have begun, and when each person last did.

use std::slice::from_ref;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::local::{LocalError, LocalStore, Record, Space};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// What waits for the answer of a provider or of a person, by the digest of its secret.
pub(super) const SIGN_INS: Space = Space::new("sign_ins.1");
/// The time of the last sign-in with a provider, by handle.
pub(super) const SIGNED_IN: Space = Space::new("signed_in.1");

/// How long a sign-in waits.
pub const SIGN_IN_TTL: Duration = Duration::from_secs(600);

/// A sign-in with the time of its end.
type Stored<T> = (Timestamp, T);

impl LocalStore {
    /// Keeps a sign-in under a random secret.
    pub fn keep_sign_in(
        &self,
        secret: &str,
        waiting: &impl Serialize,
        now: Timestamp,
    ) -> Result<(), LocalError> {
        let end = now.plus(SIGN_IN_TTL);
        let record = Record::new((SIGN_INS, key(secret)), &(end, waiting))?.expiring(end.as_unix());
        self.single(|records| records.put(from_ref(&record)))
    }

    /// Takes a sign-in, which therefore goes on only once. None if none waits under this secret.
    pub fn take_sign_in<T: DeserializeOwned>(
        &self,
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<T>, LocalError> {
        let found: Option<Stored<T>> = self.write(None, |records| {
            let found = records.value(SIGN_INS, &key(secret))?;
            records.delete(&[(SIGN_INS, key(secret))])?;
            Ok(found)
        })?;
        Ok(found.filter(|(end, _)| *end > now).map(|(_, waiting)| waiting))
    }

    /// Notes that a person has signed in with a provider.
    pub fn note_sign_in(&self, handle: &Handle, now: Timestamp) -> Result<(), LocalError> {
        let record = Record::new((SIGNED_IN, handle.to_string()), &now)?;
        self.single(|records| records.put(from_ref(&record)))
    }

    /// When a person has last signed in with a provider.
    pub fn last_sign_in(&self, handle: &Handle) -> Result<Option<Timestamp>, LocalError> {
        self.single(|records| records.value(SIGNED_IN, handle.as_str()))
    }
}

fn key(secret: &str) -> String {
    Digest::of(secret.as_bytes()).to_string()
}
