//! The keys that sign: in files here, and behind a command.

use registry::transparency_log::{SigningKey, VerifierKey, sign_note};

use super::command::SigningCommand;

/// The keys that sign.
#[derive(Clone, Default)]
pub struct Keys {
    /// Those whose private half is here.
    pub here: Vec<SigningKey>,
    /// Those that a command signs with.
    pub command: Option<SigningCommand>,
}

impl Keys {
    /// The public keys.
    pub fn verifiers(&self) -> Vec<VerifierKey> {
        let here = self.here.iter().map(|key| key.verifier().clone());
        here.chain(self.command.iter().flat_map(|command| command.keys.iter().cloned())).collect()
    }

    /// Signs a text with each key. Returns the note.
    pub fn sign(&self, text: &str) -> Result<String, String> {
        let mut lines = String::new();
        for key in &self.here {
            lines += &key.sign_line(text);
        }
        if let Some(command) = &self.command {
            for key in &command.keys {
                lines += &command.sign(key, text)?;
            }
        }
        Ok(sign_note(text, &lines))
    }
}
