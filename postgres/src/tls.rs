//! TLS to the database. The certificate of the server is always checked.

use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The authorities whose certificates are accepted.
#[derive(Debug, Clone, Default)]
pub enum Roots {
    /// Mozilla's list, which is part of the program.
    #[default]
    Builtin,
    /// These certificates (DER).
    Specific(Vec<Vec<u8>>),
}

/// What makes TLS connections.
///
/// Errors: this build has no TLS version.
pub(crate) fn connector(roots: &Roots) -> Result<MakeRustlsConnect, rustls::Error> {
    let mut store = RootCertStore::empty();
    match roots {
        Roots::Builtin => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Roots::Specific(certificates) => {
            // Systems have some that rustls does not read.
            store.add_parsable_certificates(
                certificates.iter().map(|der| CertificateDer::from(der.as_slice())),
            );
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
