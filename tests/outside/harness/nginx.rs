//! A static host as people run it, with its access log.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

use super::Client;
use super::program::end;

/// nginx over a folder; ended when dropped.
pub struct Nginx {
    child: Option<Child>,
    /// `http://host:port`.
    pub base: String,
    scratch: PathBuf,
}

impl Nginx {
    /// Serves the tree `folder`; writes its logs and whatever else it has to into
    /// `scratch`. `formats` are `log_format` directives; for each of the names in
    /// `logs` it writes a log of that format and name.
    #[track_caller]
    pub fn over(folder: &Path, scratch: &Path, formats: &str, logs: &[&str]) -> Self {
        std::fs::create_dir_all(scratch).expect("a folder");
        // It is given a socket that listens already, as in an upgrade of itself:
        // so the port is free and known.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        fcntl_setfd(&listener, FdFlags::empty()).expect("a descriptor that is handed down");
        let address = listener.local_addr().expect("an address").to_string();
        let config = scratch.join("nginx.conf");
        std::fs::write(&config, configuration(folder, scratch, &address, formats, logs)).expect("a file");
        let child = Command::new(program())
            .arg("-c")
            .arg(&config)
            .env("NGINX", format!("{};", listener.as_raw_fd()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx starts");
        let nginx = Self { child: Some(child), base: format!("http://{address}"), scratch: scratch.into() };
        // The socket listens from the beginning, so the first answer is waited for.
        let mut probe = TcpStream::connect(&address).expect("it listens");
        drop(listener);
        std::io::Write::write_all(&mut probe, b"-\r\n\r\n").expect("it takes requests");
        let mut said = Vec::new();
        let _ = probe.read_to_end(&mut said);
        assert!(!said.is_empty(), "nginx ended: {}", nginx.error_log());
        nginx
    }

    /// A client of it.
    pub fn client(&self) -> Client {
        Client::of(&self.base)
    }

    fn error_log(&self) -> String {
        std::fs::read_to_string(self.scratch.join("error.log")).unwrap_or_default()
    }

    /// Asks it to end: then all its logs are written.
    #[track_caller]
    pub fn stop(mut self) {
        let mut child = self.child.take().expect("it runs");
        assert_eq!(end(&mut child), 0, "{}", self.error_log());
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Its worker ends when it is asked to end, and not when it is killed.
            let pid = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            let _ = child.wait();
        }
    }
}

/// Where Debian has it; not everybody's path leads there.
fn program() -> &'static str {
    let usual = "/usr/sbin/nginx";
    if Path::new(usual).exists() { usual } else { "nginx" }
}

fn configuration(folder: &Path, scratch: &Path, address: &str, formats: &str, logs: &[&str]) -> String {
    let (folder, scratch) = (folder.display(), scratch.display());
    let logs: String = logs.iter().map(|name| format!("access_log {scratch}/{name}.log {name};\n")).collect();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {scratch}/{name};\n"))
        .collect();
    // Workers read the tree as whoever made it.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    format!(
        "daemon off;
{user}
worker_processes 1;
pid {scratch}/nginx.pid;
error_log {scratch}/error.log;
events {{ worker_connections 64; }}
http {{
{temporary}
{formats}
{logs}
types {{ application/json json; application/zip zip; application/octet-stream bin; }}
server {{
    listen {address};
    root \"{folder}\";
    location / {{ try_files $uri $uri.json $uri.zip =404; }}
}}
}}
"
    )
}
