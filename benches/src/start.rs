//! The time and memory until `serve` listens.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;
use crate::effort::Effort;
use crate::http::Connection;
use crate::numbers::{mebibytes, median};
use crate::process::{drop_page_cache, peak_memory};
use crate::program::{Server, run};
use crate::table::{Bound, Row};
use crate::world::{Size, World};

/// How many starts of each kind are measured.
const RUNS: usize = 5;

/// A query without a precomputed answer, which needs the search index.
const QUERY: &[u8] =
    b"GET /api/v1/search?q=nothing+is+called+so HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// The medians of several starts.
struct Starts {
    seconds: f64,
    peak: f64,
    /// Time and memory until a query without a precomputed answer is answered. The index is built
    /// after the start.
    found: f64,
    peak_found: f64,
}

/// Starts with three versions of each skill, of 7 files each.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let size = Size { skills: effort.of(100_000), versions: 3, packages: true };
    let world = World::of(size)?;
    let data = scratch.join("data");
    // A copy, because an open journal makes more files and other benchmarks use the world again.
    world.copy_to(&data)?;
    let public = scratch.join("public");
    let what = format!("{} skills, {} versions", size.skills, size.skills * size.versions);
    let mut rows = Vec::new();
    let warm = starts(&data, &public, &["--no-mirror"], Cache::Warm)?;
    rows.extend(warm.rows(&format!("start without tree, {what}")));
    let digest = digest_time(&data.join("journal.sqlite"))?;
    let row = Row::of("— compared with a digest of the journal", warm.seconds, "s");
    rows.push(row.beside("`sha256sum`", digest).bound(Bound::Ratio(1.0)));
    if drop_page_cache() {
        let cold = starts(&data, &public, &["--no-mirror"], Cache::Cold)?;
        rows.extend(cold.rows("the same from a cold page cache"));
    }
    rows.extend(with_tree(effort, scratch)?);
    Ok(rows)
}

/// The median time of `sha256sum` of a file that is in the page cache.
fn digest_time(file: &Path) -> Result<f64, Failure> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let status = Command::new("sha256sum").arg(file).stdout(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("sha256sum ended with {status}").into());
        }
        seconds.push(start.elapsed().as_secs_f64());
    }
    median(&seconds).ok_or_else(|| "nothing was measured".into())
}

/// A start with a tree. It has fewer skills, because millions of files take longer to create and
/// remove than everything else.
fn with_tree(effort: Effort, scratch: &Path) -> Result<[Row; 4], Failure> {
    let size = Size { skills: effort.of(20_000), versions: 1, packages: true };
    let [data, public] = ["tree-data", "tree"].map(|name| scratch.join(name));
    World::of(size)?.copy_to(&data)?;
    let [data_option, out] = ["--data", "--out"].map(OsStr::new);
    run(&[OsStr::new("generate"), data_option, data.as_os_str(), out, public.as_os_str()])?;
    let tree = starts(&data, &public, &[], Cache::Warm)?;
    Ok(tree.rows(&format!("start with a tree that is up to date, {} skills", size.skills)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cache {
    Warm,
    Cold,
}

fn starts(data: &Path, public: &Path, options: &[&str], cache: Cache) -> Result<Starts, Failure> {
    let mut seen: [Vec<f64>; 4] = Default::default();
    // The first one warms up.
    for number in 0..=RUNS {
        if cache == Cache::Cold {
            drop_page_cache();
        }
        let [data_option, public_option] = ["--data", "--public"].map(OsStr::new);
        let mut arguments = vec![data_option, data.as_os_str(), public_option, public.as_os_str()];
        arguments.extend(options.iter().map(OsStr::new));
        let start = Instant::now();
        let server = Server::start(&arguments)?;
        let peak = mebibytes(peak_memory(server.pid())?);
        let answer = Connection::to(server.address)?.ask(QUERY)?;
        if answer.status != 200 {
            return Err(format!("a query is answered with {}", answer.status).into());
        }
        let found = start.elapsed().as_secs_f64();
        let peak_found = mebibytes(peak_memory(server.pid())?);
        if number > 0 {
            let now = [server.took.as_secs_f64(), peak, found, peak_found];
            seen.iter_mut().zip(now).for_each(|(all, one)| all.push(one));
        }
        server.stop()?;
    }
    let median = |all: &Vec<f64>| median(all).ok_or("nothing was measured");
    let [seconds, peak, found, peak_found] = &seen;
    Ok(Starts {
        seconds: median(seconds)?,
        peak: median(peak)?,
        found: median(found)?,
        peak_found: median(peak_found)?,
    })
}

impl Starts {
    fn rows(&self, what: &str) -> [Row; 4] {
        [
            Row::of(what, self.seconds, "s").bound(Bound::Most(5.0)),
            Row::of("— its peak memory", self.peak, "MiB").bound(Bound::Most(1024.0)),
            Row::of("— until a query without a file gets its response", self.found, "s"),
            Row::of("— its peak memory", self.peak_found, "MiB").bound(Bound::Most(1024.0)),
        ]
    }
}
