//! A file server over TLS, with its own certificate authority.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A server in Python that prints its port.
const SERVER: &str = "
import functools, http.server, ssl, sys
folder, certificate, key = sys.argv[1:]
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
";

/// A running host. Dropping it ends it.
pub struct TlsHost {
    child: Child,
    files: TempDir,
    /// Its port.
    pub port: u16,
}

impl TlsHost {
    /// Serves `folder` with a certificate for `names`, such as
    /// `IP:127.0.0.1,DNS:skills.example.org`.
    #[track_caller]
    pub fn of(folder: &Path, names: &str) -> Self {
        let files = tempfile::tempdir().expect("a folder");
        let at = |name: &str| files.path().join(name).display().to_string();
        let (authority, certificate) = (at("authority.pem"), at("certificate.pem"));
        let key = |name: &str| at(&format!("{name}.key"));
        let made =
            ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2"];
        openssl(&made, &["-subj", "/CN=ours", "-keyout", &key("authority"), "-out", &authority]);
        let names = format!("subjectAltName={names}");
        let signed = [
            "-subj",
            "/CN=host",
            "-keyout",
            &key("host"),
            "-out",
            &certificate,
            "-CA",
            &authority,
            "-CAkey",
            &key("authority"),
            "-addext",
            &names,
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ];
        openssl(&made, &signed);
        Self::serving(folder, files, "certificate.pem", "host.key")
    }

    /// Serves `folder` with the certificate that `openssl req -x509` makes with these further options. It
    /// has signed itself.
    #[track_caller]
    pub fn self_signed(folder: &Path, options: &[&str]) -> Self {
        let files = tempfile::tempdir().expect("a folder");
        let at = |name: &str| files.path().join(name).display().to_string();
        let (certificate, key) = (at("authority.pem"), at("authority.key"));
        let named = ["-subj", "/CN=127.0.0.1", "-keyout", &key, "-out", &certificate];
        openssl(&["req", "-x509", "-nodes", "-newkey", "rsa:2048"], &[&named[..], options].concat());
        Self::serving(folder, files, "authority.pem", "authority.key")
    }

    fn serving(folder: &Path, files: TempDir, certificate: &str, key: &str) -> Self {
        let at = |name: &str| files.path().join(name);
        let mut server = Command::new("python3");
        server.args(["-c", SERVER]).arg(folder).args([at(certificate), at(key)]);
        server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = server.spawn().expect("python3 starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let port = line.trim().parse().expect("a port");
        Self { child, files, port }
    }

    /// The certificate of its authority.
    pub fn authority(&self) -> PathBuf {
        self.files.path().join("authority.pem")
    }

    /// The folder that the authority's certificate is in, among other files.
    pub fn files(&self) -> &Path {
        self.files.path()
    }
}

impl Drop for TlsHost {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn openssl(arguments: &[&str], more: &[&str]) {
    let output = Command::new("openssl").args(arguments).args(more).output().expect("openssl starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
