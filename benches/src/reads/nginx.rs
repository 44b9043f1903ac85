//! An nginx that serves the same tree.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::free_address;
use crate::Failure;
use crate::process::children;

/// Open files of a worker, where the machine allows as many: room for all
/// documents.
const MAX_OPEN_FILES: u64 = 250_000;

/// How long it may take until it answers.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// A running nginx with two workers, ended when dropped.
pub struct Nginx {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Nginx {
    /// Starts one that serves `tree`, with what it has to write in `scratch`.
    pub fn start(tree: &Path, scratch: &Path) -> Result<Self, Failure> {
        Self::start_with(tree, scratch, "off")
    }

    /// Starts one that also writes the bytes of each response to a line of `log`.
    pub fn logging(tree: &Path, scratch: &Path, log: &Path) -> Result<Self, Failure> {
        Self::start_with(tree, scratch, &format!("{} bytes", log.display()))
    }

    /// Starts one with the configuration that the program prints.
    pub fn printed(printed: &str, scratch: &Path) -> Result<Self, Failure> {
        let address = free_address()?;
        let http =
            printed.replace("listen 80;", &format!("listen {address};")).replace("    listen [::]:80;\n", "");
        let http = http.replace("access_log /var/log/nginx/access.log sm_log", "access_log off");
        let scratch_folder = scratch.display();
        let text = format!(
            "daemon off;\nuser root;\nworker_processes 2;\npid {scratch_folder}/nginx.pid;\nerror_log {scratch_folder}/nginx.log;\n\
             events {{ worker_connections 1024; }}\nhttp {{\naccess_log off;\nkeepalive_requests 1000000000;\n{http}\n}}\n"
        );
        Self::started(&text, address, scratch)
    }

    fn start_with(tree: &Path, scratch: &Path, access_log: &str) -> Result<Self, Failure> {
        let address = free_address()?;
        Self::started(&configuration(address, tree, scratch, access_log), address, scratch)
    }

    fn started(text: &str, address: SocketAddr, scratch: &Path) -> Result<Self, Failure> {
        let config = scratch.join("nginx.conf");
        fs::write(&config, text)?;
        let child = Command::new("nginx").arg("-c").arg(&config).stdin(Stdio::null()).spawn();
        let child = child.map_err(|why| format!("nginx: {why}: use benches/run, which installs it"))?;
        let mut nginx = Self { child, address };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            if let Some(status) = nginx.child.try_wait()? {
                return Err(format!("nginx ended with {status}").into());
            }
            if start.elapsed() > START_TIMEOUT {
                return Err("nginx does not answer".into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(nginx)
    }

    /// Its workers, which do all the work.
    pub fn workers(&self) -> Result<Vec<u32>, Failure> {
        children(self.child.id())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The workers end when their master does, when asked to; it may be gone.
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

/// As an operator would set it for a tree that is read a lot. The cache of open
/// files is smaller than what a worker may have open: above that it answers 404.
fn configuration(address: SocketAddr, tree: &Path, scratch: &Path, access_log: &str) -> String {
    let (tree, scratch) = (tree.display(), scratch.display());
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let open = limit.maximum.unwrap_or(MAX_OPEN_FILES).min(MAX_OPEN_FILES);
    let cached = open * 4 / 5;
    format!(
        "daemon off;
user root;
worker_processes 2;
worker_rlimit_nofile {open};
pid {scratch}/nginx.pid;
error_log {scratch}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    log_format bytes $bytes_sent;
    access_log {access_log};
    gzip_static on;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    keepalive_requests 1000000000;
    open_file_cache max={cached} inactive=600s;
    open_file_cache_valid 60s;
    open_file_cache_min_uses 1;
    types {{ application/json json; application/zip zip; application/octet-stream bin; }}
    server {{
        listen {address};
        root \"{tree}\";
        location / {{
            add_header Cache-Control \"public, max-age=60, must-revalidate\";
            add_header Access-Control-Allow-Origin *;
            add_header X-Content-Type-Options nosniff;
            try_files $uri.json $uri.zip $uri =404;
        }}
    }}
}}
"
    )
}
