//! Signatures of files in the format of minisign (<https://jedisct1.github.io/minisign/>), for
//! people who have no other program of ours.
//!
//! The key is the one that signs checkpoints. A checkpoint's text cannot be taken for what is
//! signed here, which begins with 64 bytes of a hash or of a signature.

use std::io::{self, Read};

use blake2::{Blake2b512, Digest as _};
use data_encoding::BASE64;
use ed25519_dalek::Signer as _;

use super::keys::SigningKey;
use crate::names::Digest;

/// The algorithms: of a key, and of a signature over the BLAKE2b-512 of a file.
const KEY: &[u8] = b"Ed";
const PREHASHED: &[u8] = b"ED";

/// The public key as one line, for `minisign -P`.
pub fn public_key(key: &SigningKey) -> String {
    let public = key.key().verifying_key();
    BASE64.encode(&[KEY, &id(key), public.as_bytes()].concat())
}

/// Signs a file. Returns the text of its `.minisig`. The signature covers `comment` too.
pub fn sign(key: &SigningKey, mut file: impl Read, comment: &str) -> io::Result<String> {
    let mut hash = Blake2b512::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    let signature = key.key().sign(&hash.finalize()).to_bytes();
    let global = key.key().sign(&[&signature, comment.as_bytes()].concat()).to_bytes();
    Ok(format!(
        "untrusted comment: signature by {}\n{}\ntrusted comment: {comment}\n{}\n",
        key.verifier().short(),
        BASE64.encode(&[PREHASHED, &id(key), &signature].concat()),
        BASE64.encode(&global)
    ))
}

/// What minisign tells keys apart by.
fn id(key: &SigningKey) -> [u8; 8] {
    let digest = Digest::of(key.key().verifying_key().as_bytes());
    let mut id = [0; 8];
    id.copy_from_slice(&digest.as_bytes()[..8]);
    id
}
