//! Verdaccio, a registry for npm packages with storage in files, for comparison.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use sha1::{Digest, Sha1};

use crate::Failure;
use crate::http::{Connection, Response};

/// Where `benches/run` has installed it.
const VARIABLE: &str = "VERDACCIO";

/// The longest time until it listens.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// No accounts, no other registry behind it, and no log.
const SETTINGS: &str = "packages:\n  '**':\n    access: $all\n    publish: $all\nlog: { type: stdout, level: fatal }\nmax_body_size: 100mb\n";

/// A running Verdaccio, killed when dropped.
pub struct Verdaccio {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    connection: Connection,
}

impl Verdaccio {
    /// Starts one with an empty storage in the new folder. `None` if it is not installed.
    pub fn start(folder: &Path) -> Result<Option<Self>, Failure> {
        let Some(program) = std::env::var_os(VARIABLE) else { return Ok(None) };
        fs::create_dir_all(folder)?;
        let config = folder.join("config.yaml");
        fs::write(&config, format!("storage: {}\n{SETTINGS}", folder.join("storage").display()))?;
        // Another program may take the port before it does: then the run fails.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new(program);
        command.arg("--config").arg(&config).arg("--listen").arg(address.to_string());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let start = Instant::now();
        loop {
            match Connection::to(address) {
                Ok(connection) => return Ok(Some(Self { child, address, connection })),
                Err(why) if start.elapsed() > START_TIMEOUT => return Err(why),
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Publishes a new package of so many bytes. Returns how long it took until the answer.
    pub fn publish(&mut self, number: usize, bytes: usize) -> Result<Duration, Failure> {
        let request = publication(self.address, number, bytes);
        let start = Instant::now();
        let answer = self.connection.ask(&request)?;
        let took = start.elapsed();
        accepted(&answer)?;
        Ok(took)
    }
}

impl Drop for Verdaccio {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Errors: the answer is not 201.
pub fn accepted(answer: &Response) -> Result<(), Failure> {
    match answer.status {
        201 => Ok(()),
        _ => Err(format!("verdaccio: {}{}", answer.head, String::from_utf8_lossy(&answer.body)).into()),
    }
}

/// The request that `npm publish` sends for a package whose archive has so many bytes.
pub fn publication(address: SocketAddr, number: usize, bytes: usize) -> Vec<u8> {
    let name = format!("package-{number}");
    let file = format!("{name}-1.0.0.tgz");
    let length = bytes.div_ceil(3) * 3;
    let digest: String = Sha1::digest(vec![0; length]).iter().map(|byte| format!("{byte:02x}")).collect();
    let version = json!({
        "name": name, "version": "1.0.0", "description": "A package to publish.",
        "dist": { "shasum": digest, "tarball": format!("http://{address}/{name}/-/{file}") },
    });
    // Base64 of zeros: nothing unpacks the archive.
    let content = "AAAA".repeat(bytes.div_ceil(3));
    let body = json!({
        "_id": name, "name": name, "dist-tags": { "latest": "1.0.0" }, "versions": { "1.0.0": version },
        "_attachments": { file: {
            "content_type": "application/octet-stream", "data": content, "length": length,
        } },
    })
    .to_string();
    let head = format!(
        "PUT /{name} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body.into_bytes()].concat()
}
