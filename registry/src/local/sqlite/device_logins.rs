//! The table of logins with a code.

use rusqlite::{OptionalExtension, params};

use super::SqliteLocal;
use crate::journal::database::{read_u64, to_sql};
use crate::local::{
    DeviceCodeDigest, DeviceLoginState, DeviceLogins, LocalError, NewDeviceLogin, StoredDeviceLogin,
};

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS device_logins(
        device_code TEXT PRIMARY KEY, user_code TEXT NOT NULL, network TEXT NOT NULL, label TEXT NOT NULL,
        scopes TEXT NOT NULL, client TEXT, ends_at INTEGER NOT NULL, poll_interval INTEGER NOT NULL,
        last_poll INTEGER, is_decided INTEGER NOT NULL, session TEXT, version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS device_logins_user_code ON device_logins(user_code, ends_at);
    CREATE INDEX IF NOT EXISTS device_logins_network ON device_logins(network);
    CREATE INDEX IF NOT EXISTS device_logins_ends ON device_logins(ends_at);
";

impl DeviceLogins for SqliteLocal {
    fn begin_device_login(&self, login: &NewDeviceLogin<'_>) -> Result<bool, LocalError> {
        let insert = "
            INSERT INTO device_logins(device_code, user_code, network, label, scopes, client, ends_at,
                poll_interval, is_decided, version)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0
            WHERE (SELECT count(*) FROM device_logins) < ?9
                AND (SELECT count(*) FROM device_logins WHERE network = ?3) < ?10";
        let begun = self.unsynced.lock().prepare_cached(insert)?.execute(params![
            login.device_code.to_string(),
            login.user_code.to_string(),
            login.network.to_string(),
            login.label,
            login.scopes,
            login.client,
            login.ends_at.as_unix(),
            to_sql(login.interval),
            login.max,
            login.max_of_network,
        ])?;
        Ok(begun == 1)
    }

    fn device_login(&self, code: DeviceCodeDigest<'_>) -> Result<Option<StoredDeviceLogin>, LocalError> {
        let (column, code) = match code {
            DeviceCodeDigest::Device(code) => ("device_code", code),
            DeviceCodeDigest::User(code) => ("user_code", code),
        };
        let select = format!(
            "SELECT device_code, label, scopes, client, ends_at, poll_interval, last_poll, is_decided, session, version
             FROM device_logins WHERE {column} = ?1 ORDER BY ends_at DESC LIMIT 1"
        );
        let connection = self.unsynced.lock();
        let mut statement = connection.prepare_cached(&select)?;
        let found = statement.query_row([code.to_string()], |row| {
            let verdict = DeviceLoginState::verdict(row.get(7)?, row.get(8)?);
            Ok(StoredDeviceLogin {
                device_code: row.get(0)?,
                label: row.get(1)?,
                scopes: row.get(2)?,
                client: row.get(3)?,
                ends_at: row.get(4)?,
                state: DeviceLoginState { interval: read_u64(row, 5)?, last_poll: row.get(6)?, verdict },
                version: row.get(9)?,
            })
        });
        Ok(found.optional()?)
    }

    fn change_device_login(
        &self,
        login: &StoredDeviceLogin,
        next: Option<&DeviceLoginState>,
    ) -> Result<bool, LocalError> {
        let StoredDeviceLogin { device_code, version, .. } = login;
        let connection = self.unsynced.lock();
        let changed = match next {
            Some(next) => {
                let update = "
                    UPDATE device_logins SET poll_interval = ?3, last_poll = ?4, is_decided = ?5, session = ?6,
                        version = version + 1
                    WHERE device_code = ?1 AND version = ?2";
                let (interval, is_decided) = (to_sql(next.interval), next.verdict.is_some());
                let values =
                    params![device_code, version, interval, next.last_poll, is_decided, next.session()];
                connection.prepare_cached(update)?.execute(values)?
            }
            None => {
                let delete = "DELETE FROM device_logins WHERE device_code = ?1 AND version = ?2";
                connection.prepare_cached(delete)?.execute(params![device_code, version])?
            }
        };
        Ok(changed == 1)
    }

    fn forget_device_logins(&self, until: i64) -> Result<(), LocalError> {
        let delete = "DELETE FROM device_logins WHERE ends_at <= ?1";
        self.unsynced.lock().prepare_cached(delete)?.execute([until])?;
        Ok(())
    }
}
