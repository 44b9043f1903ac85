//! The tree in a bucket: a full upload compared with `rclone copy`, publications a minute, and the
//! objects that each of them writes. The store is an object gateway of Ceph, in memory.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::effort::Effort;
use crate::http::Connection;
use crate::program::{self, Server};
use crate::reads::free_address;
use crate::request::Sender;
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::{MEDIAN, Size, World, namespace, package, slug};

/// Skills of the full upload.
const SKILLS: usize = 1_000;

/// Publications one after the other.
const PUBLICATIONS: usize = 300;

/// Requests at once, of both programs.
const AT_ONCE: &str = "32";

/// How often the server is asked how far the bucket is.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Uploads a tree in both ways, then publishes to a server with a bucket.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let skills = effort.of(SKILLS);
    let scratch = fs::canonicalize(scratch)?;
    let gateway = Gateway::start(&scratch)?;
    let place = Place { scratch, gateway };
    World::of(Size { skills, versions: 1, packages: true })?.copy_to(&place.scratch.join("data"))?;
    place.generate(None)?;
    rustix::fs::sync();
    let rclone = place.rclone()?;
    let mut rows = Vec::new();
    for keys in ["files", "paths"] {
        let took = place.generate(Some(keys))?;
        let unchanged = place.generate(Some(keys))?;
        let row = Row::of(format!("full upload, {skills} skills, keys of {keys}"), took.as_secs_f64(), "s");
        let bound = if keys == "files" { Bound::Ratio(1.2) } else { Bound::None };
        rows.push(row.beside("`rclone copy` of the files", rclone.as_secs_f64()).bound(bound));
        rows.push(Row::of("— again without a change", unchanged.as_secs_f64(), "s"));
    }
    rows.extend(place.publications(effort.of(PUBLICATIONS), skills)?);
    Ok(rows)
}

/// The gateway, which ends with its input.
struct Gateway {
    child: Child,
    endpoint: String,
    key: String,
    secret: String,
}

impl Gateway {
    fn start(scratch: &Path) -> Result<Self, Failure> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/stores/ceph.py");
        let installed = std::env::var_os("STORES").map(PathBuf::from);
        let installed = installed.ok_or("STORES is not set: use benches/run, which installs the store")?;
        let mut child = Command::new("python3")
            .args([script, installed, scratch.join("store")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("there is no pipe")?).read_line(&mut line)?;
        let words: Vec<_> = line.split_whitespace().map(ToOwned::to_owned).collect();
        let [endpoint, key, secret] =
            <[String; 3]>::try_from(words).map_err(|_| "the store did not start")?;
        Ok(Self { child, endpoint, key, secret })
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

struct Place {
    scratch: PathBuf,
    gateway: Gateway,
}

impl Place {
    /// Writes the settings, with a bucket below a prefix, which also names the style of its keys.
    fn configure(&self, prefix: Option<&str>, metrics: &str) -> Result<PathBuf, Failure> {
        let endpoint = &self.gateway.endpoint;
        let target = prefix.map_or(String::new(), |keys| {
            format!(
                "target = \"s3://skills/{keys}\"\ntarget_keys = \"{keys}\"\ntarget_endpoint = \"{endpoint}\"\n\
                 target_region = \"default\"\n"
            )
        });
        let text =
            format!("[limits]\nwrites_per_minute = 1000000\n{metrics}[mirror]\ngzip = false\n{target}");
        let file = self.scratch.join("config.toml");
        fs::write(&file, text)?;
        Ok(file)
    }

    fn variables(&self) -> [(&'static str, &str); 2] {
        [("AWS_ACCESS_KEY_ID", &self.gateway.key), ("AWS_SECRET_ACCESS_KEY", &self.gateway.secret)]
    }

    fn generate(&self, prefix: Option<&str>) -> Result<Duration, Failure> {
        self.configure(prefix, "")?;
        let mut command = Command::new(program::path()?);
        command.arg("generate").current_dir(&self.scratch).envs(self.variables()).env("RUST_LOG", "warn");
        timed(command.stdout(Stdio::null()))
    }

    /// Copies the files of the tree with rclone, which lists the empty bucket first.
    fn rclone(&self) -> Result<Duration, Failure> {
        let mut command = Command::new("rclone");
        command
            .args(["copy", "public", ":s3:skills/rclone", "--transfers", AT_ONCE, "--checkers", AT_ONCE])
            .args(["--s3-provider", "Ceph", "--s3-region", "default", "--s3-no-check-bucket"])
            .args(["--s3-endpoint", &self.gateway.endpoint, "--s3-access-key-id", &self.gateway.key])
            .args(["--s3-secret-access-key", &self.gateway.secret, "--config", "/dev/null", "-q"])
            // It refuses to start if a developer has one.
            .env_remove("AWS_CA_BUNDLE")
            .current_dir(&self.scratch);
        timed(&mut command)
    }

    /// Publishes new skills one after the other, until the bucket has the last one.
    fn publications(&self, many: usize, skills: usize) -> Result<Vec<Row>, Failure> {
        let metrics = free_address()?;
        let config = self.configure(Some("paths"), &format!("[metrics]\nlisten = \"{metrics}\"\n"))?;
        let [data, public] = ["data", "public"].map(|name| self.scratch.join(name));
        let [with, data_at, tree] = ["--config", "--data", "--public"].map(OsStr::new);
        let arguments = [with, config.as_ref(), data_at, data.as_ref(), tree, public.as_ref()];
        let server = Server::start_with(&arguments, &self.variables())?;
        let token = fs::read_to_string(data.join("admin-token"))?.trim().to_owned();
        let mut connection = Connection::to(server.address)?;
        let sender = Sender { address: server.address, token: &token };
        let before = self.settled(server.address, metrics)?;
        let start = Instant::now();
        for number in 0..many {
            let skill = skills + number;
            let package = package(&slug(skill), &"1.0.0".parse()?, (number as u64) << 20, MEDIAN)?;
            let request = sender.publication(&namespace(skill), &package.archive()?);
            let answer = connection.ask(&request)?;
            if answer.status != 201 {
                return Err(format!("publish: {}", answer.head).into());
            }
        }
        let answered = start.elapsed();
        let after = self.settled(server.address, metrics)?;
        let took = start.elapsed();
        server.stop()?;
        let a_minute = |time: Duration| many as f64 / time.as_secs_f64() * 60.0;
        let what = format!("publications a minute until the bucket has them, {skills} skills");
        Ok(vec![
            Row::of(what, a_minute(took), "/min").beside("until their answer", a_minute(answered)),
            Row::of("— objects written for each", (after - before) / many as f64, ""),
        ])
    }

    /// Waits until the bucket is up to date. Returns the objects that the server has written.
    fn settled(&self, server: SocketAddr, metrics: SocketAddr) -> Result<f64, Failure> {
        loop {
            let ready = read(server, "/readyz")?;
            let ready: serde_json::Value = serde_json::from_str(&ready)?;
            let target = &ready["target"];
            if target["revision"] == ready["revision"] && target["waiting"] == 0 {
                let metrics = read(metrics, "/metrics")?;
                let line = metrics.lines().find_map(|line| line.strip_prefix("skillmirror_target_written "));
                return Ok(line.ok_or("there is no number of objects")?.parse()?);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

fn read(address: SocketAddr, path: &str) -> Result<String, Failure> {
    let mut stream = std::net::TcpStream::connect(address)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}
