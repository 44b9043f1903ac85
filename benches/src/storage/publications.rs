//! Publications to a server with a journal in a folder, to one with a database, and to two that share a
//! database. Each server has a tree of its own.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::database::Database;
use crate::Failure;
use crate::effort::Effort;
use crate::http::Connection;
use crate::numbers::{milliseconds, percentile};
use crate::program::Server;
use crate::request::Sender;
use crate::table::{Bound, Row};
use crate::world::{MEDIAN, package, slug};

/// Publications of new skills, one after the other, to each kind of server in a round.
const ROUND: usize = 50;
const ROUNDS: usize = 8;

/// Publications at once, and connections.
const AT_ONCE: usize = 600;
const CONNECTIONS: usize = 16;

const SETTINGS: &str = "[limits]\nwrites_per_minute = 1000000\n";

/// Publishes in turn to one server of each kind, then at once to one and to two.
pub fn measure(effort: Effort, scratch: &Path, database: &Database) -> Result<Vec<Row>, Failure> {
    let folder = Servers::start(1, &scratch.join("folder"), None)?;
    let alone = Servers::start(1, &scratch.join("alone"), Some(&database.make("alone")?))?;
    let (mut in_folder, mut in_database) = (Vec::new(), Vec::new());
    for round in 0..effort.of(ROUNDS) {
        for (servers, times) in [(&folder, &mut in_folder), (&alone, &mut in_database)] {
            for number in 0..ROUND {
                times.push(servers.publish(round * ROUND + number)?);
            }
        }
    }
    let mut rows = Vec::new();
    for percent in [50, 95] {
        let [ours, beside] = [&in_database, &in_folder].map(|times| percentile(times, percent));
        let (ours, beside) = ours.zip(beside).ok_or("nothing was measured")?;
        let row =
            Row::of(format!("publication, PostgreSQL and folder, p{percent}"), milliseconds(ours), "ms");
        let bound = if percent == 50 { Bound::Ratio(1.5) } else { Bound::None };
        rows.push(row.beside("journal in a folder", milliseconds(beside)).bound(bound));
    }
    let many = effort.of(AT_ONCE);
    let in_folder = folder.at_once(1, 1_000_000, many)?;
    rows.push(Row::of(
        format!("publications a second, {CONNECTIONS} at once, journal in a folder"),
        in_folder,
        "/s",
    ));
    let one = alone.at_once(1, 1_000_000, many)?;
    rows.push(Row::of("— PostgreSQL, one server", one, "/s").beside("journal in a folder", in_folder));
    drop(alone);
    let shared = Servers::start(2, &scratch.join("shared"), Some(&database.make("shared")?))?;
    let two = shared.at_once(2, 2_000_000, many)?;
    rows.push(Row::of("— PostgreSQL, two servers", two, "/s").beside("one server", one));
    Ok(rows)
}

/// Servers of one registry.
struct Servers {
    servers: Vec<Server>,
    token: String,
}

impl Servers {
    /// Starts so many in the new folder, with a journal at this address or in the folder.
    fn start(count: usize, folder: &Path, journal: Option<&str>) -> Result<Self, Failure> {
        fs::create_dir_all(folder)?;
        let [data, config] = ["data", "config.toml"].map(|name| folder.join(name));
        fs::write(&config, SETTINGS)?;
        let variables: Vec<_> =
            journal.map(|address| ("SKILLMIRROR_STORAGE_JOURNAL", address)).into_iter().collect();
        let mut servers = Vec::new();
        for number in 0..count {
            let public = folder.join(format!("public-{number}"));
            let [with, data_at, tree] = ["--config", "--data", "--public"].map(OsStr::new);
            let arguments = [with, config.as_ref(), data_at, data.as_ref(), tree, public.as_ref()];
            servers.push(Server::start_with(&arguments, &variables)?);
        }
        let token = fs::read_to_string(data.join("admin-token"))?.trim().to_owned();
        Ok(Self { servers, token })
    }

    /// A publication of a new skill to one of the servers.
    fn request(&self, server: usize, number: usize) -> Result<Vec<u8>, Failure> {
        let zip = package(&slug(number), &"1.0.0".parse()?, number as u64, MEDIAN)?.archive()?;
        let address = self.servers.get(server).ok_or("there is no such server")?.address;
        Ok(Sender { address, token: &self.token }.publication("global", &zip))
    }

    /// Publishes a new skill to the first server. Returns how long that took.
    fn publish(&self, number: usize) -> Result<Duration, Failure> {
        let request = self.request(0, number)?;
        let address = self.servers.first().ok_or("there is no server")?.address;
        let mut connection = Connection::to(address)?;
        let start = Instant::now();
        let answer = connection.ask(&request)?;
        if answer.status != 201 {
            return Err(format!("publish: {}", answer.head).into());
        }
        Ok(start.elapsed())
    }

    /// Publishes new skills through several connections, which take turns among the first `count` servers.
    /// Returns how many a second were answered.
    fn at_once(&self, count: usize, from: usize, many: usize) -> Result<f64, Failure> {
        let requests = (0..many).map(|number| self.request(number % count, from + number));
        let requests: Vec<_> = requests.collect::<Result<_, Failure>>()?;
        let next: Vec<_> = (0..count).map(AtomicUsize::new).collect();
        let ask = |server: usize| -> Result<(), Failure> {
            let (next, address) = (&next[server], self.servers[server].address);
            let mut connection = Connection::to(address)?;
            while let Some(request) = requests.get(next.fetch_add(count, Ordering::Relaxed)) {
                let answer = connection.ask(request)?;
                if answer.status != 201 {
                    return Err(format!("publish: {}", answer.head).into());
                }
            }
            Ok(())
        };
        let start = Instant::now();
        thread::scope(|scope| {
            let asking: Vec<_> =
                (0..CONNECTIONS).map(|number| scope.spawn(move || ask(number % count))).collect();
            asking.into_iter().try_for_each(|asks| asks.join().unwrap_or_else(|_| Err("panic".into())))
        })?;
        Ok(many as f64 / start.elapsed().as_secs_f64())
    }
}
