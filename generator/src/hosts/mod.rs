//! Configurations of hosts that serve the tree: nginx, Caddy and others.
//!
//! The templates are in `site-template/hosts`. What they say about addresses comes from [`rules`],
//! which is made from the table of documents.

mod paths;
mod problems;
mod queries;
mod rules;
mod template;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::problems::Problems;
use self::rules::Rules;
pub use self::template::HostError;
use crate::pages::assets;

/// A host that can serve the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// nginx.
    Nginx,
    /// Caddy.
    Caddy,
    /// Apache httpd.
    Apache,
    /// A Cloudflare Worker.
    Cloudflare,
    /// A Fastly Compute service.
    Fastly,
    /// A CloudFront function in front of a bucket.
    CloudFront,
    /// An S3 bucket that is a website.
    S3,
    /// Hosts of static pages.
    Pages,
}

impl Host {
    /// All hosts.
    pub const ALL: [Self; 8] = [
        Self::Nginx,
        Self::Caddy,
        Self::Apache,
        Self::Cloudflare,
        Self::Fastly,
        Self::CloudFront,
        Self::S3,
        Self::Pages,
    ];

    /// Whether its configuration can refuse reads without a key. Caddy computes no digest, and asks the server.
    pub fn checks_keys(self, has_server: bool) -> bool {
        match self {
            Self::Nginx | Self::Cloudflare | Self::Fastly => true,
            // Its cache may have the file of an address before the server is asked for it.
            Self::CloudFront => !has_server,
            Self::Caddy => has_server,
            Self::Apache | Self::S3 | Self::Pages => false,
        }
    }

    /// The files of its configuration: the path of each, and its template.
    fn files(self, is_closed: bool) -> Vec<(&'static str, &'static str)> {
        let own: &[_] = match self {
            Self::Nginx => &[("skillmirror.conf", "nginx.conf")],
            Self::Caddy => &[("Caddyfile", "Caddyfile")],
            Self::Apache => &[("skillmirror.conf", "apache.conf")],
            Self::Cloudflare => {
                &[("wrangler.toml", "cloudflare/wrangler.toml"), ("worker.js", "cloudflare/worker.js")]
            }
            Self::Fastly => &[
                ("fastly.toml", "fastly/fastly.toml"),
                ("package.json", "fastly/package.json"),
                ("index.js", "fastly/index.js"),
            ],
            Self::CloudFront => &[("function.js", "cloudfront/function.js")],
            Self::S3 => &[("s3.sh", "s3.sh")],
            Self::Pages => &[("_headers", "pages/_headers"), ("_redirects", "pages/_redirects")],
        };
        let shared = if self.runs_modules() { WORKER } else { &[] };
        let keys: &[_] =
            if self.runs_modules() && is_closed { &[("keys.js", "worker/keys.js")] } else { &[] };
        [own, shared, keys].concat()
    }

    /// Whether it runs JavaScript modules, such as `search.js`.
    fn runs_modules(self) -> bool {
        matches!(self, Self::Cloudflare | Self::Fastly)
    }
}

/// The modules that edge workers share.
const WORKER: &[(&str, &str)] = &[
    ("answer.js", "worker/answer.js"),
    ("clawhub.js", "worker/clawhub.js"),
    ("git.js", "worker/git.js"),
    ("rules.js", "worker/rules.js"),
];

/// A file of a configuration.
#[derive(Debug, Serialize)]
pub struct ConfigurationFile {
    /// A relative path.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// What a configuration depends on besides the addresses.
#[derive(Debug, Clone, Serialize)]
pub struct HostOptions {
    /// The absolute path of the output folder.
    pub root: String,
    /// The name of the host, such as `skills.example.org`.
    pub server_name: String,
    /// The URL of a host with the files, for workers that do not have them.
    pub files_url: Option<String>,
    /// The path below which the host serves the tree: empty, or with a slash at its start only.
    pub base_path: String,
    /// The files for TLS. None serves plain HTTP.
    pub tls: Option<TlsFiles>,
    /// How nginx is told to speak HTTP/2. None leaves it out, which every version understands.
    pub http2: Option<Http2>,
    /// The URL of the server for writes and for reads without a file, without a path.
    pub origin: Option<String>,
    /// The folder with the records of read keys, if reads need one.
    pub read_keys: Option<String>,
    /// Whether nginx takes a read key at the start of a path, too.
    pub key_in_path: bool,
    /// The folder with the trees of private namespaces and, beside each, its read keys, if nginx serves them too.
    pub private: Option<String>,
    /// Whether the tree is that of a private namespace, of which a stranger may read nothing at all.
    pub is_private_namespace: bool,
    /// Whether the tree has git repositories.
    pub git: bool,
    /// The largest body of a request, in MiB.
    pub max_body: u64,
}

/// How nginx is told to speak HTTP/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Http2 {
    /// `listen … http2`, before 1.25.1. Later versions warn of it.
    Listen,
    /// `http2 on`, since 1.25.1. Earlier versions do not start with it.
    Directive,
}

/// The files for TLS.
#[derive(Debug, Clone, Serialize)]
pub struct TlsFiles {
    /// The certificate with its chain; empty if the host gets one by itself.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

/// Everything that a template can show.
#[derive(Serialize)]
struct Context<'a> {
    #[serde(flatten)]
    options: &'a HostOptions,
    #[serde(flatten)]
    rules: Rules,
    problems: Problems,
    version: &'static str,
}

/// Makes the configuration of a host: one file, or several for hosts that run modules.
pub fn configuration(host: Host, options: &HostOptions) -> Result<Vec<ConfigurationFile>, HostError> {
    let context = Context {
        options,
        rules: Rules::new(options.read_keys.is_some(), options.is_private_namespace),
        problems: Problems::new(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let made = host.files(options.read_keys.is_some()).into_iter().map(|(path, template)| {
        Ok(ConfigurationFile { path: path.into(), text: template::fill(template, &context)? })
    });
    let mut files = made.collect::<Result<Vec<_>, _>>()?;
    if host.runs_modules() {
        let modules = assets::names().filter(|path| is_search(path));
        let text = |path| assets::embedded(path).unwrap_or_default().to_owned();
        files.extend(modules.map(|path| ConfigurationFile { path: path.into(), text: text(path) }));
    }
    Ok(files)
}

/// Whether an asset belongs to the search that runs without a server.
fn is_search(path: &str) -> bool {
    path == "search.js" || path.starts_with("search/")
}
