//! Mirrors by the feed compared with `rsync`, snapshots with `tar` and `zstd`, and what proofs cost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use registry::names::Version;

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{mebibytes, median, milliseconds};
use crate::program;
use crate::reads::Nginx;
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::{MEDIAN, Size, World, package};

/// Changes between two pulls.
const CHANGES: usize = 100;

/// Installs of each kind, taken in turn.
const INSTALLS: usize = 100;

/// The name of the log.
const NAME: &str = "skills.example.org";

/// Requests and bytes of one pull.
struct Traffic {
    requests: usize,
    bytes: u64,
}

/// The folders of the registry.
struct Place {
    scratch: PathBuf,
    vkey: String,
}

/// Measures all of it with one signed registry.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let skills = effort.of(20_000);
    let mut place = Place { scratch: fs::canonicalize(scratch)?, vkey: String::new() };
    World::of(Size { skills, versions: 1, packages: true })?.copy_to(&place.at("data"))?;
    place.vkey = place.output(&["key", "new", "--name", NAME])?.trim().to_owned();
    place.run(&["generate"])?;
    let mut rows = place.pulls(skills, effort)?;
    rows.extend(place.snapshots()?);
    rows.extend(place.installs(effort.of(INSTALLS))?);
    Ok(rows)
}

impl Place {
    fn at(&self, name: &str) -> PathBuf {
        self.scratch.join(name)
    }

    /// The program with its folders. Keys and trust are in the scratch folder.
    fn command(&self, arguments: &[&str]) -> Result<Command, Failure> {
        let mut command = Command::new(program::path()?);
        command.args(arguments).current_dir(&self.scratch).stdin(Stdio::null());
        command.env("RUST_LOG", "warn").env("XDG_CONFIG_HOME", self.at("config"));
        Ok(command)
    }

    fn run(&self, arguments: &[&str]) -> Result<Duration, Failure> {
        timed(self.command(arguments)?.stdout(Stdio::null()))
    }

    fn output(&self, arguments: &[&str]) -> Result<String, Failure> {
        let output = self.command(arguments)?.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(format!("{arguments:?} ended with {}", output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Runs something against an nginx that serves the tree, with its traffic. `{}` in an argument is
    /// the URL. A new nginx has no file in its cache.
    fn through_nginx(&self, arguments: &[&str]) -> Result<(Duration, Traffic), Failure> {
        let log = self.at("access.log");
        let nginx = Nginx::logging(&self.at("public"), &self.scratch, &log)?;
        let url = format!("http://{}", nginx.address);
        let arguments: Vec<_> = arguments.iter().map(|argument| argument.replace("{}", &url)).collect();
        let took = self.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
        drop(nginx);
        let lines = fs::read_to_string(&log)?;
        fs::remove_file(&log)?;
        // The first connection only asks whether nginx listens.
        let bytes = lines.lines().filter_map(|line| line.parse::<u64>().ok()).filter(|bytes| *bytes > 0);
        let bytes: Vec<_> = bytes.collect();
        Ok((took, Traffic { requests: bytes.len(), bytes: bytes.iter().sum() }))
    }

    fn pull(&self) -> Result<(Duration, Traffic), Failure> {
        self.through_nginx(&["generate", "--feed", "{}", "--out", "mirror", "--vkey", &self.vkey])
    }

    fn pulls(&self, skills: usize, effort: Effort) -> Result<Vec<Row>, Failure> {
        let all = bytes_below(&self.at("public"))?;
        rustix::fs::sync();
        let (took, full) = self.pull()?;
        rustix::fs::sync();
        let rsync = timed(Command::new("rsync").args(["-a", "public/", "copy"]).current_dir(&self.scratch))?;
        let (_, none) = self.pull()?;
        let changes = effort.of(CHANGES);
        let expected = self.change(changes)?;
        let (after, changed) = self.pull()?;
        let of = |bytes: u64| mebibytes(bytes);
        Ok(vec![
            Row::of(format!("full pull of {skills} skills"), took.as_secs_f64(), "s")
                .beside("`rsync -a`", rsync.as_secs_f64()),
            Row::of("— its bytes", of(full.bytes), "MiB")
                .beside("`rsync -a`", of(all))
                .bound(Bound::Ratio(1.0)),
            Row::of("pull without a change, requests", none.requests as f64, "").bound(Bound::Most(2.0)),
            Row::of(format!("pull of {changes} changes"), after.as_secs_f64(), "s"),
            Row::of("— its bytes", changed.bytes as f64 / 1024.0, "KiB")
                .beside("packages and rows", expected as f64 / 1024.0)
                .bound(Bound::Ratio(1.2)),
        ])
    }

    /// Publishes new skills. Returns the bytes of their packages and rows.
    fn change(&self, count: usize) -> Result<u64, Failure> {
        let folder = self.at("new");
        fs::create_dir(&folder)?;
        let version: Version = "1.0.0".parse()?;
        for number in 0..count {
            let archive = package(&format!("new-{number}"), &version, number as u64, MEDIAN)?.archive()?;
            fs::write(folder.join(format!("new-{number}.zip")), archive)?;
        }
        let before = self.feed()?;
        self.run(&["import", "new"])?;
        self.run(&["generate"])?;
        let packages: u64 = (0..count)
            .map(|number| {
                let package = format!("public/api/v1/skills/global/new-{number}/versions/1.0.0/download.zip");
                fs::metadata(self.at(&package)).map(|meta| meta.len())
            })
            .sum::<Result<_, _>>()?;
        Ok(packages + (self.feed()? - before))
    }

    /// The bytes of all feed pages.
    fn feed(&self) -> Result<u64, Failure> {
        bytes_below(&self.at("public/api/v1/mirror/changes"))
    }

    fn snapshots(&self) -> Result<Vec<Row>, Failure> {
        let read = "tar -cf - public | cat >/dev/null";
        timed(Command::new("sh").args(["-c", read]).current_dir(&self.scratch))?;
        rustix::fs::sync();
        let create = self.run(&["snapshot", "create", "--out", "all.tar.zst"])?;
        rustix::fs::sync();
        let tar = "tar -cf - public | zstd -q -T0 -o other.tar.zst";
        let by_hand = timed(Command::new("sh").args(["-c", tar]).current_dir(&self.scratch))?;
        let size = |name: &str| fs::metadata(self.at(name)).map(|meta| mebibytes(meta.len()));
        Ok(vec![
            Row::of("`snapshot create`", create.as_secs_f64(), "s")
                .beside("`tar` and `zstd -T0`", by_hand.as_secs_f64())
                .bound(Bound::Ratio(1.3)),
            Row::of("— its size", size("all.tar.zst")?, "MiB")
                .beside("`tar` and `zstd -T0`", size("other.tar.zst")?),
        ])
    }

    fn installs(&self, runs: usize) -> Result<Vec<Row>, Failure> {
        let log = self.at("access.log");
        let nginx = Nginx::logging(&self.at("public"), &self.scratch, &log)?;
        let url = format!("http://{}", nginx.address);
        let requests = || fs::read_to_string(&log).map(|lines| lines.lines().count());
        let install = |number: usize, kind: &str| -> Result<(Duration, usize), Failure> {
            let (skill, to) = (format!("new-{}", number % 10), format!("{kind}-{number}"));
            let before = requests()?;
            let took = self.run(&["install", &skill, "--registry", &url, "--dir", &to])?;
            Ok((took, requests()? - before))
        };
        let (mut plain, mut proved) = (Vec::new(), Vec::new());
        for number in 0..runs {
            plain.push(install(number, "plain")?);
            self.run(&["trust", "add", &url, "--vkey", &self.vkey])?;
            proved.push(install(number, "proved")?);
            self.run(&["trust", "remove", &url])?;
        }
        drop(nginx);
        let time = |all: &[(Duration, usize)]| {
            let times: Vec<_> = all.iter().map(|(took, _)| *took).collect();
            median(&times).map(milliseconds).ok_or("nothing was measured")
        };
        let most = |all: &[(Duration, usize)]| all.iter().map(|(_, asked)| *asked).max().unwrap_or(0) as f64;
        let (without, with) = (time(&plain)?, time(&proved)?);
        Ok(vec![
            Row::of("install with a trusted key", with, "ms").beside("without", without),
            Row::of("— the proof alone", with - without, "ms").bound(Bound::Most(3.0)),
            Row::of("— requests", most(&proved), "").beside("without", most(&plain)),
        ])
    }
}

fn bytes_below(folder: &Path) -> Result<u64, Failure> {
    let mut all = 0;
    let mut seen = std::collections::HashSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let meta = entry.metadata()?;
            if meta.is_dir() {
                folders.push(entry.path());
            } else if seen.insert(std::os::unix::fs::MetadataExt::ino(&meta)) {
                all += meta.len();
            }
        }
    }
    Ok(all)
}
