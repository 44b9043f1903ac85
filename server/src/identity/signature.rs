//! Checks signatures with `ring`, which TLS has brought already: `jsonwebtoken` reads tokens and keys, and this is
//! its cryptography.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{self as of_ring, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};

/// The allowed algorithms. All have a public key, so that nobody can sign with what everybody may read.
pub(super) const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Their names, for messages.
pub(super) const NAMES: &str = "RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA";

/// Gives `jsonwebtoken` its cryptography. May be called again.
pub(super) fn install() {
    static PROVIDER: CryptoProvider = CryptoProvider {
        signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
        verifier_factory,
        key_utils: KeyUtils::new_unimplemented(),
    };
    // An error means that it is installed.
    let _ = PROVIDER.install_default();
}

fn verifier_factory(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    if algorithm.family() != key.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(RingVerifier { algorithm: *algorithm, key: key.clone() }))
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (self.key.kind(), self.algorithm) {
            (DecodingKeyKind::RsaModulusExponent { n, e }, algorithm) => {
                let parameters = rsa(algorithm).ok_or_else(signature::Error::new)?;
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (DecodingKeyKind::SecretOrDer(key), Algorithm::ES256) => {
                UnparsedPublicKey::new(&of_ring::ECDSA_P256_SHA256_FIXED, key).verify(message, signature)
            }
            (DecodingKeyKind::SecretOrDer(key), Algorithm::ES384) => {
                UnparsedPublicKey::new(&of_ring::ECDSA_P384_SHA384_FIXED, key).verify(message, signature)
            }
            (DecodingKeyKind::SecretOrDer(key), Algorithm::EdDSA) => {
                UnparsedPublicKey::new(&of_ring::ED25519, key).verify(message, signature)
            }
            (DecodingKeyKind::SecretOrDer(_), _) => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

/// The parameters of an algorithm of RSA. Keys have 2048 to 8192 bits.
fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        Algorithm::RS256 => &of_ring::RSA_PKCS1_2048_8192_SHA256,
        Algorithm::RS384 => &of_ring::RSA_PKCS1_2048_8192_SHA384,
        Algorithm::RS512 => &of_ring::RSA_PKCS1_2048_8192_SHA512,
        Algorithm::PS256 => &of_ring::RSA_PSS_2048_8192_SHA256,
        Algorithm::PS384 => &of_ring::RSA_PSS_2048_8192_SHA384,
        Algorithm::PS512 => &of_ring::RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}
