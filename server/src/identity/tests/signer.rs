//! Keys that sign tokens.

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::*;
use serde_json::{Value, json};

/// A key with a name, as an issuer has it.
pub struct Signer {
    pub id: &'static str,
    pub algorithm: &'static str,
    key: Key,
}

enum Key {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

pub fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

impl Signer {
    /// The key is the same in all tests: `ring` makes none of this kind.
    pub fn rsa(id: &'static str, algorithm: &'static str) -> Self {
        let key = RsaKeyPair::from_pkcs8(include_bytes!("rsa.pk8")).unwrap();
        Self { id, algorithm, key: Key::Rsa(key) }
    }

    pub fn ec(id: &'static str, algorithm: &'static str) -> Self {
        let kind = match algorithm {
            "ES256" => &ECDSA_P256_SHA256_FIXED_SIGNING,
            _ => &ECDSA_P384_SHA384_FIXED_SIGNING,
        };
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        Self { id, algorithm, key: Key::Ec(EcdsaKeyPair::from_pkcs8(kind, key.as_ref(), &random).unwrap()) }
    }

    pub fn ed25519(id: &'static str) -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self { id, algorithm: "EdDSA", key: Key::Ed(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap()) }
    }

    /// The bytes that everybody may read.
    pub fn public(&self) -> &[u8] {
        match &self.key {
            Key::Rsa(key) => key.public_key().as_ref(),
            Key::Ec(key) => key.public_key().as_ref(),
            Key::Ed(key) => key.public_key().as_ref(),
        }
    }

    /// The key as an issuer publishes it.
    pub fn jwk(&self) -> Value {
        let mut jwk = match &self.key {
            Key::Rsa(key) => {
                let public = RsaPublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({ "kty": "RSA", "n": encode(&public.n), "e": encode(&public.e) })
            }
            Key::Ec(_) => {
                let (x, y) = self.public()[1..].split_at(self.public().len() / 2);
                let curve = if self.algorithm == "ES256" { "P-256" } else { "P-384" };
                json!({ "kty": "EC", "crv": curve, "x": encode(x), "y": encode(y) })
            }
            Key::Ed(_) => json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(self.public()) }),
        };
        (jwk["kid"], jwk["use"]) = (self.id.into(), "sig".into());
        jwk
    }

    /// A token with these claims.
    pub fn sign(&self, claims: &Value) -> String {
        self.sign_as(&json!({ "alg": self.algorithm, "kid": self.id }), claims)
    }

    /// A token with this header.
    pub fn sign_as(&self, header: &Value, claims: &Value) -> String {
        let text = unsigned(header, claims);
        let random = SystemRandom::new();
        let signature = match &self.key {
            Key::Rsa(key) => {
                let padding: &dyn RsaEncoding = match self.algorithm {
                    "RS256" => &RSA_PKCS1_SHA256,
                    "RS384" => &RSA_PKCS1_SHA384,
                    "RS512" => &RSA_PKCS1_SHA512,
                    "PS256" => &RSA_PSS_SHA256,
                    "PS384" => &RSA_PSS_SHA384,
                    _ => &RSA_PSS_SHA512,
                };
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(padding, &random, text.as_bytes(), &mut signature).unwrap();
                signature
            }
            Key::Ec(key) => key.sign(&random, text.as_bytes()).unwrap().as_ref().to_vec(),
            Key::Ed(key) => key.sign(text.as_bytes()).as_ref().to_vec(),
        };
        format!("{text}.{}", encode(&signature))
    }
}

/// Header and claims.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()))
}
