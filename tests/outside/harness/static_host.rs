//! A plain file server.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::Client;
use super::program::{listen_for, run};

/// `python3 -m http.server` for a folder. Dropping it ends it.
pub struct StaticHost {
    child: Child,
    /// `http://host:port`.
    pub base: String,
}

impl StaticHost {
    /// Serves `folder` on a free port.
    #[track_caller]
    pub fn over(folder: &Path) -> Self {
        let mut child = Command::new("python3")
            .args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 starts");
        let ready =
            listen_for(child.stdout.take().expect("a pipe"), Arc::new(Mutex::default()), "Serving HTTP on");
        let Ok(line) = ready.recv_timeout(Duration::from_secs(60)) else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("python3 -m http.server never served");
        };
        let port = line.split(" port ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let port: u16 =
            port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no port in {line:?}"));
        Self { child, base: format!("http://127.0.0.1:{port}") }
    }

    /// An anonymous client of this host.
    pub fn client(&self) -> Client {
        Client::of(&self.base)
    }
}

/// Writes the edge worker into the folder `worker` of a folder.
#[track_caller]
pub fn write_worker(folder: &Path) {
    let to = folder.join("worker");
    std::fs::create_dir_all(&to).expect("a folder");
    std::fs::write(to.join("config.toml"), "[mirror]\ngit = true\n").expect("a file");
    std::fs::write(to.join("package.json"), r#"{"type":"module"}"#).expect("a file");
    run(&to, &["hosts", "cloudflare", "--out", "."].map(Into::into)).ok();
}

impl Drop for StaticHost {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
