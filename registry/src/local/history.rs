//! What is remembered of a history ends with it.

use std::collections::HashSet;

use super::{LocalError, LocalStore};
use crate::names::Handle;

impl LocalStore {
    /// To be called when a backup has taken the place of another history, with
    /// the accounts that the restored one has. Others' passwords are forgotten,
    /// because their handles are free again; and when tokens were used, because
    /// the ids of those that are gone are given to new ones.
    pub fn history_replaced(&self, accounts: &HashSet<Handle>) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        transaction.execute("DELETE FROM token_uses", [])?;
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

    use crate::local::opened;
    use crate::names::Handle;
    use crate::time::Timestamp;

    #[test]
    fn who_is_not_in_the_new_history_has_no_password() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let [ann, bob] = ["ann", "bob"].map(|handle| handle.parse::<Handle>().unwrap());
        for handle in [&ann, &bob] {
            store.set_password(handle, "$a$1").unwrap();
        }
        store.token_used("7", Timestamp::now()).unwrap();
        drop(store);
        let store = opened(data.path());
        store.history_replaced(&HashSet::from([ann.clone()])).unwrap();
        assert!(store.password(&ann).unwrap().is_some());
        assert!(store.password(&bob).unwrap().is_none());
        assert_eq!(store.token_last_used("7").unwrap(), None);
    }
}
