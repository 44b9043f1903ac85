//! A command that signs, for keys in an HSM or a KMS.

use std::process::Command;
use std::time::Duration;

use client::fed_command::output;
use data_encoding::BASE64;
use registry::transparency_log::{VerifierKey, sign_with};

/// The length of an Ed25519 signature.
const SIGNATURE_LENGTH: usize = 64;

/// The most bytes that are read of what a command prints.
const MAX_OUTPUT: u64 = 4096;

/// The environment variable with the name and id of the key.
const KEY_VARIABLE: &str = "SKILLMIRROR_KEY";

/// A program that signs what it reads.
#[derive(Debug, Clone)]
pub struct SigningCommand {
    /// The program and its arguments. There is at least the program.
    pub arguments: Vec<String>,
    /// The public keys. The command runs once for each.
    pub keys: Vec<VerifierKey>,
    /// How long it may take.
    pub timeout: Duration,
}

impl SigningCommand {
    /// Lets the command sign a text, and checks the signature. Returns its line of a note.
    pub fn sign(&self, key: &VerifierKey, text: &str) -> Result<String, String> {
        let (program, arguments) = self.arguments.split_first().ok_or("signing.command is empty")?;
        let failed = |why: &str| {
            format!("signing.command (`{program}`) {why}: nothing is signed with {}", key.short())
        };
        // A command that does not want the input prints a false signature.
        let mut command = Command::new(program);
        command.args(arguments).env(KEY_VARIABLE, key.short());
        let output = output(&mut command, text, MAX_OUTPUT, self.timeout);
        let signature = output.and_then(|output| signature(&output)).map_err(|why| failed(&why))?;
        sign_with(key, text, &signature).map_err(|_| failed("has printed a signature of another key or text"))
    }
}

/// The signature in an output: 64 bytes, or their base64.
fn signature(output: &[u8]) -> Result<Vec<u8>, String> {
    if output.len() == SIGNATURE_LENGTH {
        return Ok(output.to_vec());
    }
    let decoded = BASE64.decode(output.trim_ascii()).ok().filter(|it| it.len() == SIGNATURE_LENGTH);
    decoded.ok_or_else(|| "has printed neither 64 bytes nor their base64".into())
}
