//! Many people who write at the same time, each on their own connection. Nothing may be lost.
//!
//! `WriteLoad` is the driver; `tests/outside/concurrency/mixed_writes.rs` runs it too, for a
//! shorter time.

mod action;
mod bare;
mod compare;
mod model;
#[cfg(test)]
mod model_tests;
mod people;
mod shared_state;
mod write_load;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

pub use action::{Action, Attempt, Kind};
pub use model::Model;
pub use write_load::{Person, WriteLoad};

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{mebibytes, milliseconds, percentile};
use crate::process::peak_memory;
use crate::program::{Server, run};
use crate::table::Row;

/// How many connections, and people.
pub const CONNECTIONS: usize = 64;

/// The server's configuration. Its limit of writes a minute is for one person
/// and is not what is asked about; the numbers of stars and ratings are published
/// as often as they can be, so that this happens between the writes.
pub const CONFIG: &str = "[limits]\nwrites_per_minute = 1000000\n[mirror]\ncounter_interval = 0\n";

/// How many seconds they write.
const SECONDS: usize = 60;

/// How many appends are measured before.
const APPENDS: usize = 2_000;

/// Runs the load on an empty registry.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let [data, public, config] = ["data", "public", "config.toml"].map(|name| scratch.join(name));
    let appends = bare::appends(effort.of(APPENDS), &scratch.join("appends"))?;
    fs::write(&config, CONFIG)?;
    let [data_at, tree, with] = ["--data", "--public", "--config"].map(OsStr::new);
    let places = [data_at, data.as_ref(), tree, public.as_ref(), with, config.as_ref()];
    let server = Server::start(&places)?;
    let people = people::made(CONNECTIONS, &data)?;
    let admin = fs::read_to_string(data.join("admin-token"))?;
    let lasts = Duration::from_secs(effort.of(SECONDS) as u64);
    let write_load =
        WriteLoad { address: server.address, admin: admin.trim(), people: &people, lasts, seed: 1 };
    let start = Instant::now();
    let attempt = write_load.run()?;
    let checked = start.elapsed() - lasts;
    let peak = mebibytes(peak_memory(server.pid())?);
    server.stop()?;
    let mut verify = vec![OsStr::new("verify")];
    verify.extend(places);
    run(&verify).map_err(|why| format!("verify: {why}"))?;
    let mut rows = rows(&attempt, lasts, &appends)?;
    rows.push(Row::of("peak memory of the server", peak, "MiB"));
    rows.push(Row::of("beginning and checking", checked.as_secs_f64(), "s"));
    Ok(rows)
}

fn rows(attempt: &[Attempt], lasts: Duration, appends: &[Duration]) -> Result<Vec<Row>, Failure> {
    let none = "nothing was measured";
    let rate = |number: usize| number as f64 / lasts.as_secs_f64();
    let acknowledged = |attempt: &&Attempt| attempt.revision.is_some();
    let bare = appends.len() as f64 / appends.iter().sum::<Duration>().as_secs_f64();
    let all = rate(attempt.iter().filter(acknowledged).count());
    let mut rows = vec![Row::of("writes, all kinds", all, "a second").beside("bare appends", bare)];
    let bare = milliseconds(percentile(appends, 50).ok_or(none)?);
    let kinds = [(Kind::Publish, "publish"), (Kind::Star, "star"), (Kind::Rate, "rate"), (Kind::Tag, "tag")];
    for (kind, name) in kinds {
        let of_it: Vec<&Attempt> = attempt.iter().filter(|attempt| attempt.action.kind() == kind).collect();
        let written = of_it.iter().copied().filter(acknowledged).count();
        rows.push(Row::of(format!("{name}: writes"), rate(written), "a second"));
        let times: Vec<Duration> = of_it.iter().map(|attempt| attempt.took).collect();
        for percent in [50, 95, 99] {
            let took = milliseconds(percentile(&times, percent).ok_or(none)?);
            let row = Row::of(format!("{name}: response, p{percent}"), took, "ms");
            rows.push(if percent == 50 { row.beside("bare append, p50", bare) } else { row });
        }
    }
    let count = |what: &str, is_one: fn(&Attempt) -> bool| {
        Row::of(what, attempt.iter().filter(|attempt| is_one(attempt)).count() as f64, "")
    };
    rows.push(count("responses", |_| true));
    rows.push(count("— with nothing to change", |attempt| {
        attempt.revision.is_none() && attempt.status < 400
    }));
    rows.push(count("— refused, because somebody else was first or it is one's own skill", |attempt| {
        attempt.status >= 400
    }));
    rows.push(count("— before the tree held the change (`X-Mirror-Lag`)", |attempt| attempt.lags));
    Ok(rows)
}
