//! `skillmirror hosts`: prints the configuration of a host that serves the static tree.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use generator::hosts::{ConfigurationFile, Host, HostOptions, Http2, TlsFiles, configuration};
use generator::tree::Tree;
use registry::names::PublicUrl;

use crate::Failure;
use crate::config::Config;
use crate::output::{Items, Printer, print_note};

/// The hosts by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum HostName {
    /// nginx 1.18 or newer
    Nginx,
    /// Caddy 2.6 or newer
    Caddy,
    /// Apache httpd 2.4
    Apache,
    /// A Cloudflare Worker, with search. Needs --out
    Cloudflare,
    /// A Fastly Compute service, with search. Needs --out
    Fastly,
    /// A function for CloudFront in front of a bucket
    Cloudfront,
    /// A script that fills an S3 bucket and makes it a website
    S3,
    /// Headers and redirects for hosts of static pages. Needs --out
    Pages,
}

/// Print the configuration of a host, such as nginx
///
/// The host serves the static tree alone, or in front of a server.
#[derive(Args)]
#[command(after_help = "
    hosts nginx --root /srv/skills --server-name skills.example.org  # A configuration of nginx for the tree
    hosts caddy --tls --origin http://127.0.0.1:8080                 # Caddy with https, before a server
    hosts cloudflare --out worker                                    # A worker, as a folder of files
")]
pub struct Arguments {
    /// The host
    host: HostName,
    /// Write the configuration into this folder instead of printing it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The folder of the tree on the host [default: the absolute path of the output folder]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The name of the host [default: that of the public URL]
    #[arg(long, value_name = "NAME")]
    server_name: Option<String>,
    /// The server that answers writes and what has no file, for example http://127.0.0.1:8080
    #[arg(long, value_name = "URL")]
    origin: Option<PublicUrl>,
    /// A host with the files of the tree, for workers (Fastly)
    #[arg(long, value_name = "URL")]
    files: Option<PublicUrl>,
    /// Serve https. Caddy gets its certificate by itself
    #[arg(long)]
    tls: bool,
    /// The certificate with its chain, for nginx and Apache
    #[arg(long, value_name = "FILE", requires = "tls")]
    certificate: Option<String>,
    /// The private key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls")]
    key: Option<String>,
    /// The version of nginx, also as `nginx -v` prints it: then https is HTTP/2, too. Its
    /// directive changed in 1.25.1
    #[arg(long, value_name = "VERSION", requires = "tls", value_parser = http2_of)]
    nginx_version: Option<Http2>,
    /// Serve the tree below this path, for example /skills [default: the path of the public URL]
    #[arg(long, value_name = "PATH")]
    base_path: Option<String>,
    /// Serve the trees of private namespaces, too, for those who have a key. nginx only
    #[arg(long)]
    private_namespaces: bool,
}

/// Runs the command.
pub fn run(config: &Config, arguments: Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let Arguments {
        host,
        out,
        root,
        files,
        server_name,
        origin,
        tls,
        certificate,
        key,
        nginx_version,
        base_path,
        private_namespaces,
    } = arguments;
    if private_namespaces && !matches!(host, HostName::Nginx) {
        let why = "only nginx serves all private namespaces: with --origin the server does it behind other hosts, and \
                   --private NAMESPACE makes a host for one";
        return Err(why.into());
    }
    if matches!(host, HostName::Nginx) && tls && nginx_version.is_none() {
        print_note("this is HTTP/1.1 only: for HTTP/2, add --nginx-version \"$(nginx -v 2>&1)\"");
    }
    let root = std::path::absolute(root.as_ref().unwrap_or(&config.public))?;
    let public_url = config.public_url.as_ref();
    let server_name = server_name.or_else(|| public_url.map(host_of));
    let server_name = server_name.unwrap_or_else(|| "skills.example.org".into());
    let base_path = base_path.or_else(|| public_url.map(|url| url.path().to_owned())).unwrap_or_default();
    // Caddy gets a certificate by itself.
    let makes_certificates = matches!(host, HostName::Caddy);
    let place = |path: String| if makes_certificates { String::new() } else { path };
    let tls = tls.then(|| TlsFiles {
        certificate: certificate.unwrap_or_else(|| place(format!("/etc/ssl/certs/{server_name}.pem"))),
        key: key.unwrap_or_else(|| place(format!("/etc/ssl/private/{server_name}.key"))),
    });
    let options = HostOptions {
        private: private_namespaces.then(|| Config::private_folder(&root).display().to_string()),
        key_in_path: config.reads.key_in_path,
        is_private_namespace: config.private_namespace.is_some(),
        root: root.display().to_string(),
        base_path: base_path_of(&base_path)?,
        server_name,
        files_url: files.map(|url| url.to_string()),
        tls,
        http2: nginx_version,
        origin: origin.map(origin_of).transpose()?,
        read_keys: config
            .is_closed()
            .then(|| Tree::at(&config.public).read_key_folder().display().to_string()),
        git: config.mirror.git,
        max_body: max_body(config.limits.zip),
    };
    let texts = [("--root", &options.root), ("--server-name", &options.server_name)];
    let tls_texts =
        options.tls.iter().flat_map(|tls| [("--certificate", &tls.certificate), ("--key", &tls.key)]);
    for (name, text) in texts.into_iter().chain(tls_texts.filter(|(_, text)| !text.is_empty())) {
        require_plain(name, text)?;
    }
    let host = match host {
        HostName::Nginx => Host::Nginx,
        HostName::Caddy => Host::Caddy,
        HostName::Apache => Host::Apache,
        HostName::Cloudflare => Host::Cloudflare,
        HostName::Fastly => Host::Fastly,
        HostName::Cloudfront => Host::CloudFront,
        HostName::S3 => Host::S3,
        HostName::Pages => Host::Pages,
    };
    if options.read_keys.is_some() && !host.checks_keys(options.origin.is_some()) {
        return Err("the registry is closed ([reads] require), and this host cannot check keys: docs/private.md names \
                    those that can"
            .into());
    }
    let files = configuration(host, &options)?;
    match (out, &files[..]) {
        (Some(folder), _) => {
            write(&folder, &files)?;
            let text = format!("wrote {} files to {}\n", files.len(), folder.display());
            printer.report(text, &Items { items: files })?;
        }
        (None, [only]) => printer.report(&only.text, &Items { items: vec![only] })?,
        (None, _) => {
            let why =
                format!("this configuration has {} files: name a folder for them with --out", files.len());
            return Err(why.into());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How a version of nginx is told to speak HTTP/2.
fn http2_of(version: &str) -> Result<Http2, String> {
    let number = version.rsplit('/').next().and_then(|after| after.split_whitespace().next());
    let parts = number.map(|number| number.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>());
    match parts {
        Some(Ok(parts)) if parts.len() >= 2 && parts < vec![1, 25, 1] => Ok(Http2::Listen),
        Some(Ok(parts)) if parts.len() >= 2 => Ok(Http2::Directive),
        _ => Err("it is not a version like 1.26.3".to_owned()),
    }
}

/// Writes the files of a configuration, also over older ones.
fn write(folder: &Path, files: &[ConfigurationFile]) -> Result<(), Failure> {
    for ConfigurationFile { path, text } in files {
        let path = folder.join(path);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|why| format!("cannot write {}: {why}", path.display()))?;
    }
    Ok(())
}

/// The host of a URL, without the port.
fn host_of(url: &PublicUrl) -> String {
    let origin = url.origin();
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    let port = host.rfind(':').filter(|colon| !host[*colon..].contains(']'));
    host[..port.unwrap_or(host.len())].to_owned()
}

/// The base path with a slash at its start only. A lone slash is no base path.
fn base_path_of(text: &str) -> Result<String, Failure> {
    let path = text.trim_end_matches('/');
    let is_path = |path: &str| format!("http://host{path}").parse::<PublicUrl>().is_ok();
    if path.is_empty() || (path.starts_with('/') && is_path(path)) {
        return Ok(path.to_owned());
    }
    Err(format!("--base-path: `{text}` is no path: write it like /skills").into())
}

/// The URL of the server. A proxy cannot add a path to every request in the same way everywhere.
fn origin_of(url: PublicUrl) -> Result<String, Failure> {
    if url.path().is_empty() {
        return Ok(url.to_string());
    }
    Err(format!("--origin: the URL {url} has a path: use the address that the server listens on").into())
}

/// The largest body of a request, in MiB: an upload and the framing of its form.
fn max_body(zip: usize) -> u64 {
    (zip as u64).div_ceil(1 << 20).saturating_add(1)
}

/// Refuses texts that would end a quoted text of a configuration.
fn require_plain(option: &str, text: &str) -> Result<(), Failure> {
    let is_special = |c: char| c.is_control() || matches!(c, '"' | '\'' | '\\' | '$' | '`' | '{' | '}' | ';');
    match text.chars().find(|c| is_special(*c)) {
        Some(c) => {
            Err(format!("{option}: `{text}` has the character {c:?}, which configurations use: rename it")
                .into())
        }
        None => Ok(()),
    }
}
