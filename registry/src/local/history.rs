//! What is remembered of a history ends with it.

use std::collections::HashSet;

use super::{LocalError, LocalStore};
use crate::names::Handle;

impl LocalStore {
    /// To be called when a backup has taken the place of another history, with
    /// the accounts that the restored one has. Others' passwords are forgotten,
    /// because their handles are free again; when tokens were used, because the
    /// ids of those that are gone are given to new ones; and all sessions.
    pub fn history_replaced(&self, accounts: &HashSet<Handle>) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        transaction.execute_batch("DELETE FROM token_uses; DELETE FROM sessions")?;
        let known: Vec<String> = transaction
            .prepare("SELECT handle FROM passwords")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for handle in known {
            if !handle.parse().is_ok_and(|handle: Handle| accounts.contains(&handle)) {
                transaction.execute("DELETE FROM passwords WHERE handle = ?1", [handle])?;
            }
        }
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use crate::local::opened;
    use crate::names::Handle;
    use crate::time::Timestamp;

    #[test]
    fn who_is_not_in_the_new_history_has_no_password_and_nobody_a_session() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let [ann, bob] = ["ann", "bob"].map(|handle| handle.parse::<Handle>().unwrap());
        for handle in [&ann, &bob] {
            store.set_password(handle, "$a$1").unwrap();
        }
        store.token_used("7", Timestamp::now()).unwrap();
        let (lifetime, now) = (Duration::from_secs(9), Timestamp::now());
        let (key, _) = store.begin_session(&ann, "$a$1", now, lifetime).unwrap().unwrap();
        drop(store);
        let store = opened(data.path());
        store.history_replaced(&HashSet::from([ann.clone()])).unwrap();
        assert!(store.password(&ann).unwrap().is_some());
        assert!(store.password(&bob).unwrap().is_none());
        assert_eq!(store.token_last_used("7").unwrap(), None);
        assert!(store.session(&key, now).unwrap().is_none());
    }
}
