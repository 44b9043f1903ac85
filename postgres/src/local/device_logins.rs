//! Logins with a code.

use registry::local::{
    DeviceCodeDigest, DeviceLoginState, DeviceLogins, LocalError, NetworkLogins, NewDeviceLogin,
    StoredDeviceLogin,
};

use super::PostgresLocal;
use crate::connection::Connection;
use crate::error::StoreError;
use crate::params::{params, read, read_u64, read_utf8, to_sql};
use crate::schema::DEVICE_LOGIN_LOCK;

impl DeviceLogins for PostgresLocal {
    fn begin_device_login(&self, login: &NewDeviceLogin<'_>) -> Result<bool, LocalError> {
        let [device_code, user_code, network] =
            [login.device_code, login.user_code, login.network].map(ToString::to_string);
        self.0.write(|connection| {
            // Two servers that count at the same time would both find room for the last one.
            connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 DEVICE_LOGIN_LOCK])?;
            let (max, count) = (u64::from(login.max), "SELECT count(*) FROM skillmirror.device_logins");
            let of_network = format!("{count} WHERE network = $1");
            let of_network = read_u64(&connection.query_one(&of_network, params![TEXT network])?, 0)?;
            if of_network >= u64::from(login.max_of_network) {
                return Ok(false);
            }
            if read_u64(&connection.query_one(count, params![])?, 0)? >= max {
                let networks = networks(connection)?;
                let Some(code) = NetworkLogins::gives_way(&networks, login) else { return Ok(false) };
                let delete = "DELETE FROM skillmirror.device_logins WHERE device_code = $1";
                connection.execute(delete, params![TEXT code])?;
            }
            let insert = "
                INSERT INTO skillmirror.device_logins(device_code, user_code, network, label, scopes, client, ends_at,
                    poll_interval, is_decided, version)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, 0)";
            connection.execute(
                insert,
                params![
                    TEXT device_code, TEXT user_code, TEXT network, BYTEA login.label.as_bytes(), TEXT login.scopes,
                    TEXT login.client, INT8 login.ends_at.as_unix(), INT8 to_sql(login.interval),
                ],
            )?;
            Ok(true)
        })
    }

    fn device_login(&self, code: DeviceCodeDigest<'_>) -> Result<Option<StoredDeviceLogin>, LocalError> {
        let (column, code) = match code {
            DeviceCodeDigest::Device(code) => ("device_code", code.to_string()),
            DeviceCodeDigest::User(code) => ("user_code", code.to_string()),
        };
        let select = format!(
            "SELECT device_code, label, scopes, client, ends_at, poll_interval, last_poll, is_decided, session, version
             FROM skillmirror.device_logins WHERE {column} = $1 ORDER BY ends_at DESC LIMIT 1"
        );
        self.0.read(|connection| {
            let found = connection.query_opt(&select, params![TEXT code])?;
            let login = found.map(|row| {
                let verdict = DeviceLoginState::verdict(read(&row, 7)?, read(&row, 8)?);
                let (interval, last_poll) = (read_u64(&row, 5)?, read(&row, 6)?);
                Ok(StoredDeviceLogin {
                    device_code: read(&row, 0)?,
                    label: read_utf8(&row, 1)?,
                    scopes: read(&row, 2)?,
                    client: read(&row, 3)?,
                    ends_at: read(&row, 4)?,
                    state: DeviceLoginState { interval, last_poll, verdict },
                    version: read(&row, 9)?,
                })
            });
            login.transpose()
        })
    }

    fn change_device_login(
        &self,
        login: &StoredDeviceLogin,
        next: Option<&DeviceLoginState>,
    ) -> Result<bool, LocalError> {
        let StoredDeviceLogin { device_code, version, .. } = login;
        self.0.write(|connection| {
            let changed = match next {
                Some(next) => {
                    let update = "
                        UPDATE skillmirror.device_logins SET poll_interval = $3, last_poll = $4, is_decided = $5,
                            session = $6, version = version + 1
                        WHERE device_code = $1 AND version = $2";
                    let (interval, is_decided) = (to_sql(next.interval), next.verdict.is_some());
                    let values = params![
                        TEXT device_code, INT8 *version, INT8 interval, INT8 next.last_poll, BOOL is_decided,
                        TEXT next.session(),
                    ];
                    connection.execute(update, values)?
                }
                None => {
                    let delete =
                        "DELETE FROM skillmirror.device_logins WHERE device_code = $1 AND version = $2";
                    connection.execute(delete, params![TEXT device_code, INT8 *version])?
                }
            };
            Ok(changed == 1)
        })
    }

    fn forget_device_logins(&self, until: i64) -> Result<(), LocalError> {
        self.0.read(|connection| {
            let delete = "DELETE FROM skillmirror.device_logins WHERE ends_at <= $1";
            connection.execute(delete, params![INT8 until])?;
            Ok(())
        })
    }
}

fn networks(connection: &mut Connection) -> Result<Vec<NetworkLogins>, StoreError> {
    let select = "
        SELECT network, min(client), count(*), min(ends_at), (array_agg(device_code ORDER BY ends_at))[1]
        FROM skillmirror.device_logins GROUP BY network";
    let rows = connection.query(select, params![])?;
    let networks = rows.iter().map(|row| {
        let oldest = (read(row, 3)?, read(row, 4)?);
        Ok(NetworkLogins { network: read(row, 0)?, client: read(row, 1)?, logins: read_u64(row, 2)?, oldest })
    });
    networks.collect()
}
