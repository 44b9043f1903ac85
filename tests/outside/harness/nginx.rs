//! nginx as a static host, with access logs.

use std::ffi::OsString;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

use super::Client;
use super::program::{end, run};

/// nginx that serves a folder. Dropping it ends it.
pub struct Nginx {
    child: Option<Child>,
    /// `http://host:port`.
    pub base: String,
    scratch: PathBuf,
}

impl Nginx {
    /// Serves the tree `folder` and writes its logs and temporary files into `scratch`. `formats`
    /// are `log_format` directives. Each name in `logs` gets a log of that format and name.
    #[track_caller]
    pub fn over(folder: &Path, scratch: &Path, formats: &str, logs: &[&str]) -> Self {
        let log = |name: &&str| format!("access_log {}/{name}.log {name};\n", scratch.display());
        let logs: String = logs.iter().map(log).collect();
        Self::start(scratch, |address| format!("{formats}\n{logs}{}", plain(folder, address)))
    }

    /// Serves the tree `folder` with the configuration that the program prints.
    #[track_caller]
    pub fn configured(folder: &Path, scratch: &Path) -> Self {
        std::fs::create_dir_all(scratch).expect("a folder");
        std::fs::write(scratch.join("config.toml"), "[mirror]\ngit = true\n").expect("a file");
        let mut arguments: Vec<OsString> =
            ["hosts", "nginx", "--server-name", "127.0.0.1"].map(Into::into).into();
        arguments.extend(["--root".into(), folder.into()]);
        Self::printed(&run(scratch, &arguments).ok().stdout, scratch)
    }

    /// Starts with a configuration that the program has printed.
    #[track_caller]
    pub fn printed(printed: &str, scratch: &Path) -> Self {
        // Its usual places are those of the system.
        let place = |printed: String, usual: &str, name: &str| {
            printed.replace(usual, &scratch.join(name).display().to_string())
        };
        let printed = place(printed.to_owned(), "/run/skillmirror-tokens", "tokens");
        let printed = place(printed, "/var/log/nginx/access.log", "access.log");
        let (before, after) = printed.split_at(printed.find("listen 80;").expect("a server listens"));
        Self::start(scratch, |address| {
            let server = format!("{before}listen {address};{}", &after["listen 80;".len()..]);
            let others = ["    listen 80;\n", "    listen [::]:80;\n"];
            let server = others.iter().fold(server, |server, other| server.replace(other, ""));
            // A server without an address would listen on port 80.
            let unused = format!("server {{\n    listen unix:{}/unused;\n    server_name", scratch.display());
            let server = server.replace("server {\n    server_name", &unused);
            format!("access_log off;\n{server}")
        })
    }

    /// Starts nginx with the `http` block of a configuration.
    #[track_caller]
    fn start(scratch: &Path, http: impl Fn(&str) -> String) -> Self {
        std::fs::create_dir_all(scratch).expect("a folder");
        // nginx gets a listening socket, as in an upgrade of itself, so that the port is free and
        // known.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        fcntl_setfd(&listener, FdFlags::empty()).expect("a descriptor that is handed down");
        let address = listener.local_addr().expect("an address").to_string();
        let config = scratch.join("nginx.conf");
        std::fs::write(&config, configuration(scratch, &http(&address))).expect("a file");
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
        // The socket listens before nginx does, so wait for the first response.
        let mut probe = TcpStream::connect(&address).expect("it listens");
        drop(listener);
        std::io::Write::write_all(&mut probe, b"-\r\n\r\n").expect("it takes requests");
        let mut printed = Vec::new();
        let _ = probe.read_to_end(&mut printed);
        assert!(!printed.is_empty(), "nginx ended: {}", nginx.error_log());
        nginx
    }

    /// An anonymous client of this host.
    pub fn client(&self) -> Client {
        Client::of(&self.base)
    }

    /// The access log of a closed registry.
    pub fn access_log(&self) -> String {
        std::fs::read_to_string(self.scratch.join("access.log")).unwrap_or_default()
    }

    /// The error log.
    pub fn error_log(&self) -> String {
        std::fs::read_to_string(self.scratch.join("error.log")).unwrap_or_default()
    }

    /// Ends nginx, so that all its logs are written.
    #[track_caller]
    pub fn stop(mut self) {
        let mut child = self.child.take().expect("it runs");
        assert_eq!(end(&mut child), 0, "{}", self.error_log());
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Its worker ends with SIGTERM, but not with SIGKILL.
            let pid = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            let _ = child.wait();
        }
    }
}

/// The path on Debian, which is in the PATH of root only.
fn program() -> &'static str {
    let usual = "/usr/sbin/nginx";
    if Path::new(usual).exists() { usual } else { "nginx" }
}

/// A configuration that only serves documents.
fn plain(folder: &Path, address: &str) -> String {
    let folder = folder.display();
    format!(
        "types {{ application/json json; application/zip zip; application/octet-stream bin; }}
server {{
    listen {address};
    root \"{folder}\";
    location / {{ try_files $uri $uri.json $uri.zip =404; }}
}}"
    )
}

fn configuration(scratch: &Path, http: &str) -> String {
    let scratch = scratch.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {scratch}/{name};\n"))
        .collect();
    // Workers run as the user who made the tree.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    format!(
        "daemon off;
{user}
worker_processes 1;
pid {scratch}/nginx.pid;
error_log {scratch}/error.log warn;
events {{ worker_connections 64; }}
http {{
{temporary}
{http}
}}
"
    )
}
