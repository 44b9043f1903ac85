//! Whose certificates are believed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

use super::proxies::Variable;

/// No file of certificates is longer: those of systems have 300 KiB.
const LONGEST: u64 = 16 << 20;

/// The authorities of the environment, as OpenSSL reads them: the certificates in the file
/// `SSL_CERT_FILE` and in the files of the folders `SSL_CERT_DIR`, in the place of the list
/// that is part of the program, which is taken where neither is set.
pub(super) fn authorities(variable: Variable<'_>) -> Result<RootCerts, String> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let (file, folders) = (set("SSL_CERT_FILE"), set("SSL_CERT_DIR"));
    if file.is_none() && folders.is_none() {
        return Ok(RootCerts::WebPki);
    }
    let mut found = Vec::new();
    if let Some(file) = &file {
        let path = Path::new(file);
        let why = match certificates(path) {
            Ok(some) if !some.is_empty() => {
                found.extend(some);
                None
            }
            Ok(_) => Some("there is no certificate in PEM form in it".to_owned()),
            Err(why) => Some(why.to_string()),
        };
        if let Some(why) = why {
            return Err(format!("SSL_CERT_FILE names {}, which cannot be used: {why}", shown(file)));
        }
    }
    for folder in folders.iter().flat_map(std::env::split_paths) {
        // Like OpenSSL, which leaves out what it cannot use of a folder.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.for_each(|entry| found.extend(certificates(&entry.path()).unwrap_or_default()));
    }
    if found.is_empty() {
        let folders = folders.unwrap_or_default();
        return Err(format!(
            "SSL_CERT_DIR names {}, where there is no certificate in PEM form",
            shown(&folders)
        ));
    }
    Ok(RootCerts::Specific(Arc::new(found)))
}

fn shown(value: &OsStr) -> String {
    value.to_string_lossy().escape_debug().to_string()
}

/// The certificates of a file; what else is in it does not matter.
fn certificates(path: &Path) -> io::Result<Vec<Certificate<'static>>> {
    // Nobody waits for a pipe.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut pem = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut pem)?;
    let certificate =
        |item| if let Ok(PemItem::Certificate(certificate)) = item { Some(certificate) } else { None };
    Ok(parse_pem(&pem).filter_map(certificate).collect())
}
