//! Reads of a closed registry with a read key, compared with reads of the same registry when it is open: by the
//! server, and by nginx with the configuration that the program prints.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::load::Load;
use super::{Nginx, TURNS, Turn, turn};
use crate::Failure;
use crate::numbers::median;
use crate::program::{self, Server, run};
use crate::table::{Bound, Row};

/// The most that a key may cost.
const BOUND: f64 = 1.2;

/// A registry of these folders, open or closed.
struct Registry {
    server: Server,
    nginx: Nginx,
    /// The header with its read key.
    credential: String,
}

impl Registry {
    fn start(data: &Path, public: &Path, scratch: &Path, require: &str) -> Result<Self, Failure> {
        std::fs::create_dir_all(scratch)?;
        let config = scratch.join("config.toml");
        std::fs::write(&config, format!("[reads]\nrequire = \"{require}\"\n"))?;
        let folders = ["--config", "--data", "--public"].map(OsStr::new);
        let folders: Vec<_> = folders
            .into_iter()
            .zip([&config, data, public].map(AsRef::as_ref))
            .flat_map(|(a, b)| [a, b])
            .collect();
        run(&[&folders[..], &[OsStr::new("generate")]].concat())?;
        let printed = |words: &[&str]| -> Result<String, Failure> {
            let output = Command::new(program::path()?).args(words).args(&folders).output()?;
            if output.status.success() {
                Ok(String::from_utf8(output.stdout)?)
            } else {
                Err(format!("{output:?}").into())
            }
        };
        let key = printed(&["read-key", "new", "bench"])?;
        let host = printed(&["hosts", "nginx", "--server-name", "127.0.0.1"])?;
        let (server, nginx) = (Server::start(&folders)?, Nginx::printed(&host, scratch)?);
        let credential = if require == "none" {
            String::new()
        } else {
            format!("Authorization: Bearer {}\r\n", key.trim())
        };
        Ok(Self { server, nginx, credential })
    }
}

/// Reads `urls` from both in turn. `public` is the tree of the open registry.
pub fn measure(
    data: &Path,
    public: &Path,
    scratch: &Path,
    urls: &[String],
    lasts: Duration,
) -> Result<Vec<Row>, Failure> {
    let [open, closed] = ["open", "closed"].map(|name| scratch.join(name));
    let open = Registry::start(data, public, &open, "none")?;
    let closed = Registry::start(data, &closed.join("public"), &closed, "token")?;
    let mut found: [Vec<Turn>; 4] = Default::default();
    for round in 0..=TURNS {
        for (registry, at) in [(&open, 0), (&closed, 1)] {
            let load = |address| Load { address, urls, header: &registry.credential, lasts };
            let turns = [
                turn(&load(registry.server.address), &[registry.server.pid()])?,
                turn(&load(registry.nginx.address), &registry.nginx.workers()?)?,
            ];
            // The first round warms up, and counts for nothing.
            if round > 0 {
                found[at].push(turns[0]);
                found[at + 2].push(turns[1]);
            }
        }
    }
    let cost = |turns: &[Turn]| {
        median(&turns.iter().map(|turn| turn.microseconds).collect::<Vec<_>>()).ok_or("nothing was measured")
    };
    let rows = [("the server", 0), ("nginx", 2)].map(|(name, at)| {
        let row = Row::of(
            format!("reads with a key: processor time of {name} for each"),
            cost(&found[at + 1])?,
            "µs",
        );
        Ok::<_, Failure>(row.beside("open", cost(&found[at])?).bound(Bound::Ratio(BOUND)))
    });
    let rows = rows.into_iter().collect::<Result<_, _>>()?;
    for registry in [open, closed] {
        registry.server.stop()?;
    }
    Ok(rows)
}
