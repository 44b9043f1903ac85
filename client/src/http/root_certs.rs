//! The root certificates for TLS.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

use crate::regular_file::{self, Links};
use crate::user_path;

/// The size limit of a file of certificates. Those of operating systems have about 300 KiB.
const MAX_BYTES: u64 = 16 << 20;

/// The root certificates from the file `SSL_CERT_FILE` and the files in the folders
/// `SSL_CERT_DIR`, as OpenSSL reads them. If neither is set, the built-in list and those of the system.
pub fn root_certs_of_environment() -> Result<RootCerts, String> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let (file, folders) = (set("SSL_CERT_FILE"), set("SSL_CERT_DIR"));
    if file.is_none() && folders.is_none() {
        let of_system = rustls_native_certs::load_native_certs().certs;
        // An old system may lack some, and a container all.
        let all = of_system.iter().chain(webpki_root_certs::TLS_SERVER_ROOT_CERTS);
        return Ok(all.map(|certificate| Certificate::from_der(certificate).to_owned()).into());
    }
    let mut found = Vec::new();
    if let Some(file) = &file {
        let unusable =
            |why: &dyn Display| format!("SSL_CERT_FILE names {}, which cannot be used: {why}", shown(file));
        let path = user_path(Path::new(file)).map_err(|why| unusable(&why))?;
        found = certificates(&path).map_err(|why| unusable(&why))?;
        if found.is_empty() {
            return Err(unusable(&"it contains no PEM certificate"));
        }
    }
    for folder in folders.iter().flat_map(std::env::split_paths) {
        let folder = user_path(&folder).map_err(|why| format!("SSL_CERT_DIR: {why}"))?;
        // Unusable files in a folder are skipped, as OpenSSL does.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.for_each(|entry| found.extend(certificates(&entry.path()).unwrap_or_default()));
    }
    if found.is_empty() {
        let folders = shown(&folders.unwrap_or_default());
        return Err(format!("SSL_CERT_DIR names {folders}, which contains no PEM certificate"));
    }
    Ok(RootCerts::Specific(Arc::new(found)))
}

fn shown(value: &OsStr) -> String {
    value.to_string_lossy().escape_debug().to_string()
}

/// The certificates in a file. Keys and other content are skipped.
fn certificates(path: &Path) -> io::Result<Vec<Certificate<'static>>> {
    let pem = regular_file::read(path, Links::Follow, MAX_BYTES)?;
    let certificate =
        |item| if let Ok(PemItem::Certificate(certificate)) = item { Some(certificate) } else { None };
    Ok(parse_pem(&pem).filter_map(certificate).collect())
}
