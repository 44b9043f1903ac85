//! Runs the program git on a repository of somebody else: without hooks, without anybody's configuration, and within
//! limits of time and size.

use std::net::ToSocketAddrs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use client::http::is_public_address;
use data_encoding::BASE64;
use tempfile::TempDir;
use url::Url;
use walkdir::WalkDir;

use super::fetcher::{ALLOW_PRIVATE, Deadline};
use crate::config::source::{SourceAddress, SourceSection};
use crate::process::foreign::finish;

/// The most memory of git in KiB.
const MAX_MEMORY: u64 = 4 << 20;

/// The first version of git that heeds all settings here. An older one ignores some, and with them the limits.
const MIN_VERSION: (u32, u32) = (2, 37);

/// Variables that git keeps: where programs, proxies and certificates are.
const KEPT: &[&str] = &[
    "PATH",
    "TMPDIR",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
];

/// An empty repository, which is removed at the end, and how git fetches into it.
pub struct Git {
    folder: TempDir,
    /// The address of the other repository.
    pub address: String,
    settings: Vec<(String, String)>,
    deadline: Deadline,
    max_bytes: u64,
}

impl Git {
    /// Makes the repository. Finds out the addresses of the host, and git connects only to those.
    pub fn new(source: &SourceSection, deadline: Deadline) -> Result<Self, String> {
        let mut settings: Vec<_> = [
            ("core.hooksPath", "/dev/null"),
            ("core.symlinks", "false"),
            ("fetch.fsckObjects", "true"),
            ("fetch.recurseSubmodules", "false"),
            ("gc.auto", "0"),
            ("maintenance.auto", "false"),
            ("protocol.allow", "never"),
            ("http.followRedirects", "false"),
            ("http.lowSpeedLimit", "1000"),
            ("http.lowSpeedTime", "60"),
            ("credential.helper", ""),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let mut set = |name: String, value: String| settings.push((name, value));
        let scheme = match &source.address {
            SourceAddress::Folder(_) if !source.private_network => {
                return Err(format!("the repository is on this machine: {ALLOW_PRIVATE}"));
            }
            SourceAddress::Folder(_) => "file",
            SourceAddress::Web(url) => {
                if !source.private_network {
                    set("http.curloptResolve".to_owned(), resolved(url)?);
                }
                if let Some(credential) = source.credential() {
                    let headers = credential
                        .headers()
                        .map_err(|why| format!("its credential cannot be read: {why}"))?;
                    let token =
                        headers.values().find_map(|value| value.to_str().ok()?.strip_prefix("Bearer "));
                    // Hosts of git take a token as a password.
                    let password = BASE64.encode(format!("git:{}", token.unwrap_or_default()).as_bytes());
                    let origin = url.origin().ascii_serialization();
                    set(format!("http.{origin}/.extraHeader"), format!("Authorization: Basic {password}"));
                }
                url.scheme()
            }
        };
        set(format!("protocol.{scheme}.allow"), "always".to_owned());
        let folder = tempfile::Builder::new()
            .prefix("skillmirror-source-")
            .tempdir()
            .map_err(|why| why.to_string())?;
        let git = Self {
            folder,
            address: source.address.to_string(),
            settings,
            deadline,
            max_bytes: source.max_bytes,
        };
        let version = git.run(&["version"], "", 1_000)?;
        check_version(&String::from_utf8_lossy(&version))?;
        git.run(&["init", "--quiet", "--bare", "--template=", "."], "", 0)?;
        Ok(git)
    }

    /// Runs git with an input, and returns what it prints, at most `most` bytes.
    pub fn run(&self, arguments: &[&str], input: &str, most: u64) -> Result<Vec<u8>, String> {
        // A small object of git can unpack to any size.
        let limited = format!("ulimit -v {MAX_MEMORY} 2>/dev/null; exec git \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limited, "git"]);
        command.env_clear().envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "true")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("LC_ALL", "C")
            // Settings in arguments could be seen by others on the machine.
            .env("GIT_CONFIG_COUNT", self.settings.len().to_string());
        for (number, (name, value)) in self.settings.iter().enumerate() {
            command
                .env(format!("GIT_CONFIG_KEY_{number}"), name)
                .env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        command.args(["--no-pager", "--literal-pathspecs"]).args(arguments).current_dir(self.folder.path());
        // So that it ends with all that it has started.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|why| format!("the program git cannot be started: {why}"))?;
        let printed = finish(child, input, most, || {
            self.deadline.left()?;
            match self.size() > self.max_bytes {
                true => Err(format!("the repository has more than {} bytes (max_bytes)", self.max_bytes)),
                false => Ok(()),
            }
        })?;
        let output = printed.output.ok_or("git has left a process that keeps its output open")?;
        if output.len() as u64 > most {
            return Err(format!("git {} prints more than {most} bytes", arguments.first().unwrap_or(&"")));
        }
        match printed.status.success() {
            true => Ok(output),
            false => Err(failure(&String::from_utf8_lossy(&printed.errors))),
        }
    }

    /// The bytes of what was fetched.
    fn size(&self) -> u64 {
        let files = WalkDir::new(self.folder.path()).into_iter().flatten().flat_map(|entry| entry.metadata());
        files.map(|metadata| metadata.len()).sum()
    }
}

/// Checks what `git version` prints. Newer versions heed the settings, too.
fn check_version(printed: &str) -> Result<(), String> {
    let version = printed.trim().strip_prefix("git version ").unwrap_or_default();
    let mut numbers = version.split('.').map_while(|number| number.parse().ok());
    match numbers.next().zip(numbers.next()) {
        Some(version) if version >= MIN_VERSION => Ok(()),
        _ => Err(format!(
            "the program git is {:?}, and sources need version {}.{} or later: install a newer one",
            printed.trim().chars().take(100).collect::<String>(),
            MIN_VERSION.0,
            MIN_VERSION.1
        )),
    }
}

/// The addresses of a host in the form of curl, if all of them are public.
fn resolved(url: &Url) -> Result<String, String> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(443);
    let addresses = (host.trim_matches(['[', ']']), port).to_socket_addrs();
    let addresses: Vec<_> = addresses.map_err(|_| format!("there is no host `{host}`"))?.collect();
    if let Some(private) = addresses.iter().find(|address| !is_public_address(address.ip())) {
        return Err(format!(
            "`{host}` is {}, an address of this machine or of a private network: {ALLOW_PRIVATE}",
            private.ip()
        ));
    }
    let texts: Vec<_> = addresses.iter().map(|address| address.ip().to_string()).collect();
    Ok(format!("{host}:{port}:{}", texts.join(",")))
}

/// The sentence of git about a failure.
fn failure(said: &str) -> String {
    let line = said.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
    let line = line.or_else(|| said.lines().next_back()).unwrap_or("it has failed");
    format!("git says: {}", line.trim_start_matches("fatal: ").chars().take(300).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_of_git_are_refused() {
        for new in [
            "git version 2.37.0\n",
            "git version 2.39.5 (Apple Git-154)",
            "git version 3.0.rc1",
            "git version 2.47.1.windows.1",
        ] {
            assert_eq!(check_version(new), Ok(()), "{new}");
        }
        for old in ["git version 2.36.6\n", "git version 1.99.0", "git version two", ""] {
            assert!(check_version(old).is_err_and(|why| why.contains("need version 2.37 or later")), "{old}");
        }
    }
}
