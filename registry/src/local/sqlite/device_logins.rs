//! The table of logins with a code.

use rusqlite::{OptionalExtension, params};

use super::{SqliteLocal, write_to};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{
    DeviceCodeDigest, DeviceLoginState, DeviceLogins, LocalError, NetworkLogins, NewDeviceLogin,
    StoredDeviceLogin,
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
        write_to(&self.unsynced, |transaction| {
            let (network, count) = (login.network.to_string(), "SELECT count(*) FROM device_logins");
            let of_network = format!("{count} WHERE network = ?1");
            let of_network: u32 = transaction.query_row(&of_network, [&network], |row| row.get(0))?;
            if of_network >= login.max_of_network {
                return Ok(false);
            }
            if transaction.query_row(count, [], |row| row.get::<_, u32>(0))? >= login.max {
                let networks = networks(transaction)?;
                let Some(code) = NetworkLogins::gives_way(&networks, login) else { return Ok(false) };
                transaction.execute("DELETE FROM device_logins WHERE device_code = ?1", [code])?;
            }
            let insert = "
                INSERT INTO device_logins(device_code, user_code, network, label, scopes, client, ends_at,
                    poll_interval, is_decided, version)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0)";
            transaction.prepare_cached(insert)?.execute(params![
                login.device_code.to_string(),
                login.user_code.to_string(),
                network,
                login.label,
                login.scopes,
                login.client,
                login.ends_at.as_unix(),
                to_sql(login.interval),
            ])?;
            Ok(true)
        })
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

fn networks(transaction: &rusqlite::Transaction<'_>) -> Result<Vec<NetworkLogins>, LocalError> {
    // SQLite takes the bare columns from the row with the minimum.
    let select =
        "SELECT network, client, count(*), min(ends_at), device_code FROM device_logins GROUP BY network";
    let mut statement = transaction.prepare_cached(select)?;
    let networks = statement.query_map([], |row| {
        let oldest = (row.get(3)?, row.get(4)?);
        Ok(NetworkLogins { network: row.get(0)?, client: row.get(1)?, logins: read_u64(row, 2)?, oldest })
    });
    Ok(networks?.collect::<Result<_, _>>()?)
}
