//! Reads a second and the server's processor time for each, compared with nginx on the same tree.

mod closed;
mod load;
mod nginx;
mod urls;

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::median;
use crate::process::cpu_seconds;
use crate::program::{Server, run};
use crate::table::{Bound, Row};
use crate::world::{Size, World};
use load::Load;
pub use nginx::Nginx;

/// How often each server has its turn.
const TURNS: usize = 5;

/// The result of one round.
#[derive(Clone, Copy)]
struct Turn {
    a_second: f64,
    microseconds: f64,
}

/// Bytes of the server's memory for each document, as the default has for 100,000. An entry takes about 4.6 kB, so less
/// than a fifth of them fits.
const MEMORY: usize = 839;

/// Reads the same documents from both in turn, a few popular ones and all alike.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let skills = effort.of(20_000);
    let [data, public, config] = ["data", "public", "config.toml"].map(|name| scratch.join(name));
    World::of(Size { skills, versions: 1, packages: true })?.copy_to(&data)?;
    std::fs::write(&config, format!("[reads]\nmemory = {}\n", MEMORY * skills))?;
    let [generate, config_at, data_at, public_at] =
        ["generate", "--config", "--data", "--public"].map(OsStr::new);
    let folders = [config_at, config.as_ref(), data_at, data.as_ref(), public_at, public.as_ref()];
    run(&[&[generate], &folders[..]].concat())?;
    let server = Server::start(&folders)?;
    let nginx = Nginx::start(&public, scratch)?;
    let lasts = Duration::from_secs(effort.of(10) as u64);
    let mut rows = Vec::new();
    for (name, urls) in [("hot", urls::hot(skills)), ("uniform", urls::uniform(skills))] {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let at = |address| Load { address, urls: &urls, header: "", lasts };
        // The first turn of each warms up, and counts for nothing.
        for turn in 0..=TURNS {
            let first = self::turn(&at(server.address), &[server.pid()])?;
            let second = self::turn(&at(nginx.address), &nginx.workers()?)?;
            if turn > 0 {
                ours.push(first);
                theirs.push(second);
            }
        }
        rows.extend(compared(name, &ours, &theirs)?);
    }
    server.stop()?;
    rows.extend(closed::measure(&data, &public, scratch, &urls::hot(skills), lasts)?);
    Ok(rows)
}

fn turn(load: &Load<'_>, pids: &[u32]) -> Result<Turn, Failure> {
    let used = || pids.iter().map(|pid| cpu_seconds(*pid)).sum::<Result<f64, _>>();
    let before = used()?;
    let (requests, took) = load.run()?;
    let (requests, cpu) = (requests as f64, used()? - before);
    Ok(Turn { a_second: requests / took.as_secs_f64(), microseconds: cpu * 1e6 / requests })
}

fn compared(name: &str, ours: &[Turn], theirs: &[Turn]) -> Result<[Row; 2], Failure> {
    let of = |turns: &[Turn], number: fn(&Turn) -> f64| {
        median(&turns.iter().map(number).collect::<Vec<_>>()).ok_or("nothing was measured")
    };
    let bound = if name == "hot" { Bound::Ratio(1.0) } else { Bound::None };
    let speed = Row::of(format!("{name} reads a second"), of(ours, |turn| turn.a_second)?, "");
    let cost = Row::of(
        format!("{name} reads: processor time of the server for each"),
        of(ours, |turn| turn.microseconds)?,
        "µs",
    );
    Ok([
        speed.beside("nginx", of(theirs, |turn| turn.a_second)?),
        cost.beside("nginx", of(theirs, |turn| turn.microseconds)?).bound(bound),
    ])
}

/// A free port.
pub(crate) fn free_address() -> Result<SocketAddr, Failure> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
