//! The time of an install, compared with `curl` and `unzip` of the same package and a start of the
//! program.

use std::ffi::OsStr;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use generator::address::Document;
use registry::names::{Coordinate, Namespace, Slug, Version};

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{median, milliseconds};
use crate::program::{self, Server, run};
use crate::reads::Nginx;
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::{MEDIAN, package};

/// How often each way is taken.
const RUNS: usize = 200;

/// The skill to install, and its source.
struct Skill<'a> {
    address: SocketAddr,
    /// The address of its package as a file.
    package: String,
    scratch: &'a Path,
}

/// The times of all runs.
#[derive(Default)]
struct Times {
    install: Vec<Duration>,
    /// Each part by itself, and all of them.
    curl: Vec<Duration>,
    unzip: Vec<Duration>,
    start: Vec<Duration>,
    by_hand: Vec<Duration>,
}

/// Installs the median package from our server and from nginx on the same tree.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let [data, public, zip] = ["data", "public", "skill.zip"].map(|name| scratch.join(name));
    let version: Version = "1.0.0".parse()?;
    let slug: Slug = "median".parse()?;
    let archive = package(slug.as_str(), &version, 7, MEDIAN)?.archive()?;
    fs::write(&zip, &archive)?;
    let [data_at, tree] = ["--data", "--public"].map(OsStr::new);
    let folders = [data_at, data.as_os_str(), tree, public.as_os_str()];
    run(&[&[OsStr::new("import"), OsStr::new("--init"), zip.as_os_str()], &folders[..]].concat())?;
    run(&[&[OsStr::new("generate")], &folders[..]].concat())?;
    let server = Server::start(&folders)?;
    let nginx = Nginx::start(&public, scratch)?;
    let coordinate = Coordinate::new(Namespace::global(), slug);
    let package = Document::Package(coordinate, version).file().ok_or("a package has a file")?;
    let mut rows = Vec::new();
    for (name, address) in [("our server", server.address), ("nginx", nginx.address)] {
        let package = format!("http://{address}/{package}");
        let times = Skill { address, package, scratch }.times(effort.of(RUNS))?;
        rows.extend(times.rows(name)?);
    }
    server.stop()?;
    Ok(rows)
}

impl Skill<'_> {
    /// Takes both ways in turn; the first turn warms up.
    fn times(&self, runs: usize) -> Result<Times, Failure> {
        let mut times = Times::default();
        for number in 0..=runs {
            let [ours, theirs] = ["ours", "theirs"].map(|name| self.scratch.join(format!("{name}-{number}")));
            let install = self.install(&ours)?;
            let [curl, unzip, start] = self.by_hand(&theirs)?;
            if number > 0 {
                times.install.push(install);
                times.curl.push(curl);
                times.unzip.push(unzip);
                times.start.push(start);
                times.by_hand.push(curl + unzip + start);
            }
            fs::remove_dir_all(ours)?;
            fs::remove_dir_all(theirs)?;
        }
        Ok(times)
    }

    fn install(&self, into: &Path) -> Result<Duration, Failure> {
        let mut command = Command::new(program::path()?);
        command.args(["install", "median", "--registry"]).arg(format!("http://{}", self.address));
        let took = timed(command.arg("--dir").arg(into))?;
        if !into.join("median/SKILL.md").exists() {
            return Err("install has installed nothing".into());
        }
        Ok(took)
    }

    /// `curl` and `unzip` into an own folder, and a start of the program.
    fn by_hand(&self, into: &PathBuf) -> Result<[Duration; 3], Failure> {
        fs::create_dir(into)?;
        let zip = into.join("skill.zip");
        let curl = timed(Command::new("curl").args(["-f", "-s", "-o"]).arg(&zip).arg(&self.package))?;
        let unzip = timed(Command::new("unzip").arg("-q").arg(&zip).arg("-d").arg(into.join("median")))?;
        let start = timed(Command::new(program::path()?).arg("--version"))?;
        Ok([curl, unzip, start])
    }
}

impl Times {
    fn rows(&self, from: &str) -> Result<[Row; 4], Failure> {
        let of = |times: &[Duration]| median(times).map(milliseconds).ok_or("nothing was measured");
        let install = Row::of(format!("install of the median package from {from}"), of(&self.install)?, "ms");
        Ok([
            install.beside("curl, unzip, start", of(&self.by_hand)?).bound(Bound::Ratio(1.5)),
            Row::of("— curl alone", of(&self.curl)?, "ms"),
            Row::of("— unzip alone", of(&self.unzip)?, "ms"),
            Row::of("— a start of the program alone", of(&self.start)?, "ms"),
        ])
    }
}
