//! The address of a database, `postgres://USER@HOST/DATABASE`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// How long a connection to one host may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the system waits for a host that acknowledges nothing.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);

/// After which time without a word it asks a host whether it is still there, unless the address says another one. On
/// Linux, no answer within [`TCP_TIMEOUT`] breaks the connection.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// What an address has that says none.
const SYSTEM_KEEPALIVE: Duration = Duration::from_secs(2 * 60 * 60);

/// Where a database is, and as whom it is used. `Display` and `Debug` leave out the password.
#[derive(Clone)]
pub struct Address {
    pub(crate) config: Box<Config>,
    shown: String,
}

/// Why a text is not the address of a database. The message does not repeat the text, which may have
/// a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

impl Address {
    /// Sets the password, for addresses without one.
    #[must_use]
    pub fn with_password(mut self, password: &str) -> Self {
        self.config.password(password);
        self
    }

    /// Whether TLS is used. A connection that leaves this machine uses it, unless the address says
    /// `sslmode=disable`.
    pub(crate) fn needs_tls(&self) -> bool {
        self.config.get_ssl_mode() != SslMode::Disable
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        if !is_url {
            return Err(AddressError("an address begins with postgres://".into()));
        }
        let mut config: Config = text.parse().map_err(|why| AddressError(invalid(&why)))?;
        if config.get_hosts().is_empty() || config.get_dbname().is_none() || config.get_user().is_none() {
            let why = "an address names user, host and database: postgres://USER@HOST/DATABASE";
            return Err(AddressError(why.into()));
        }
        let is_said = text.contains("sslmode=");
        let is_here = config.get_hosts().iter().all(is_this_machine);
        match config.get_ssl_mode() {
            SslMode::Prefer if is_said && !is_here => {
                let why = "sslmode=prefer would also send the password without TLS: use sslmode=require, which is the \
                           default, or sslmode=disable";
                return Err(AddressError(why.into()));
            }
            // Only `disable` and `require` are left, so that nobody in between chooses.
            SslMode::Prefer if is_here => drop(config.ssl_mode(SslMode::Disable)),
            SslMode::Prefer => drop(config.ssl_mode(SslMode::Require)),
            _ => {}
        }
        if config.get_hosts().len() > 1 && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_application_name().is_none() {
            config.application_name("skillmirror");
        }
        config.connect_timeout(config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT));
        config.tcp_user_timeout(config.get_tcp_user_timeout().copied().unwrap_or(TCP_TIMEOUT));
        if config.get_keepalives_idle() == SYSTEM_KEEPALIVE {
            config.keepalives_idle(KEEPALIVE);
        }
        Ok(Self { shown: shown(&config), config: Box::new(config) })
    }
}

/// Whether nothing that is sent to the host leaves this machine.
fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// Why the parser refuses. Its own text repeats no value.
fn invalid(why: &tokio_postgres::Error) -> String {
    let cause = std::error::Error::source(why).map_or_else(|| why.to_string(), ToString::to_string);
    format!("not the address of a database: {cause}")
}

/// The address without user and password.
fn shown(config: &Config) -> String {
    let hosts: Vec<_> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        })
        .collect();
    format!("postgres://{}/{}", hosts.join(","), config.get_dbname().unwrap_or_default())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.shown).finish()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn address_never_shows_the_password() {
        let address: Address = "postgres://skill:hunter2@db.example.org:5433/skills".parse().unwrap();
        let address = address.with_password("hunter2");
        assert!(!format!("{address} {address:?} {:?}", address.config).contains("hunter2"));
        assert_eq!(address.to_string(), "postgres://db.example.org/skills");
        for invalid in [
            "postgres://skill:hunter2@db.example.org",
            "postgres://skill:hunter2@db.example.org/skills?hunter2=1",
            "postgres://skill:hunter2@db.example.org:x/skills",
            "mysql://skill:hunter2@db.example.org/skills",
            "postgres://skill:hunter2@db/skills?sslmode=prefer",
            "hunter2",
        ] {
            let why = invalid.parse::<Address>().unwrap_err();
            // The name of an unknown parameter may be shown.
            let repeats = format!("{why} {why:?}").contains(":hunter2");
            assert!(!repeats && why.to_string().len() > 20, "{why}");
        }
    }

    #[test]
    fn tls_is_used_unless_the_address_says_otherwise() {
        for (address, tls) in [
            ("postgres://u@db.example.org/d", true),
            ("postgres://u@db.example.org/d?sslmode=require", true),
            ("postgres://u@db.example.org/d?sslmode=disable", false),
            ("postgres://u@localhost/d", false),
            ("postgres://u@127.0.0.1/d", false),
            ("postgres://u@localhost/d?sslmode=require", true),
            ("postgres://u@localhost,db.example.org/d", true),
            ("postgres://u@%2Frun%2Fpostgresql/d", false),
        ] {
            assert_eq!(address.parse::<Address>().unwrap().needs_tls(), tls, "{address}");
        }
    }
}
