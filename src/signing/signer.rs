//! Signs what keys in files cannot sign while the tree is written: with a command, and by witnesses.
//!
//! Both may take long, so they work beside the writer of the tree ([`OwnSigning`]).

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use generator::{OwnSigning, ShownLog, SignedCheckpoint, SignedNotes, SignedStatement, Signing};
use registry::Registry;
use registry::transparency_log::{EpochStatement, SigningKey, sign_note};

use super::command::SigningCommand;
use super::witness::Witness;
use crate::config::{Config, SigningSection, WitnessAddress};

/// The first and the longest pause after a failure of the command.
const BACKOFF: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(30)];

/// The pause before a witness that has failed is asked again.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// Signs the log of a registry.
#[derive(Clone)]
pub struct Signer {
    registry: Arc<Registry>,
    signing: Arc<OwnSigning>,
    keys: Vec<SigningKey>,
    command: Option<SigningCommand>,
    witnesses: Vec<WitnessAddress>,
}

impl Signer {
    /// Signs for `signing` what keys in files cannot sign. None if they sign everything.
    pub fn of(config: &Config, registry: &Arc<Registry>, signing: &Signing) -> Option<Self> {
        let Signing::Own(signing) = signing else { return None };
        let SigningSection { command, command_timeout, witnesses, .. } = &config.signing;
        let command = (!config.keys.of_command().is_empty()).then(|| SigningCommand {
            arguments: command.clone(),
            keys: config.keys.of_command().to_vec(),
            timeout: *command_timeout,
        });
        let is_needed = command.is_some() || !witnesses.is_empty();
        let (registry, signing) = (Arc::clone(registry), Arc::clone(signing));
        let (keys, witnesses) = (config.keys.signing().to_vec(), witnesses.clone());
        is_needed.then_some(Self { registry, signing, keys, command, witnesses })
    }

    /// Signs the log as it is now, for a tree that is written afterwards.
    pub fn sign_now(&self) -> Result<(), String> {
        let shown = self.signing.shown_log(&self.registry.public().read());
        match shown.filter(|shown| !self.signing.has_signed(shown)) {
            Some(shown) => self.sign(shown),
            None => Ok(()),
        }
    }

    /// Asks each witness that has not cosigned the signed checkpoint, once. A failure is logged.
    pub fn ask_witnesses(&self) {
        let Some(signed) = self.signing.signed() else { return };
        thread::scope(|scope| {
            for address in self.witnesses.iter().filter(|it| !it.key.has_cosigned(&signed.text)) {
                scope.spawn(|| {
                    let outcome = self.ask(&mut Witness::new(address.clone()), &signed);
                    log_outcome(address, outcome, &mut None);
                });
            }
        });
    }

    /// Signs in threads that end with the process. A failure is logged once, and tried again.
    pub fn start(self) {
        for address in self.witnesses.clone() {
            let signer = self.clone();
            thread::spawn(move || signer.keep_asking(address));
        }
        thread::spawn(move || self.keep_signing());
    }

    fn keep_signing(&self) {
        let [mut pause, longest] = BACKOFF;
        let mut failure: Option<String> = None;
        loop {
            match self.sign(self.signing.wait_for_unsigned()) {
                Ok(()) => {
                    if failure.take().is_some() {
                        tracing::info!("the history is signed again");
                    }
                    pause = BACKOFF[0];
                }
                Err(why) => {
                    if failure.as_ref() != Some(&why) {
                        tracing::error!(
                            why,
                            "the history is not signed; the last checkpoint stays, trying again"
                        );
                    }
                    failure = Some(why);
                    thread::sleep(pause);
                    pause = (pause * 2).min(longest);
                }
            }
        }
    }

    /// Asks one witness about each checkpoint. Each has a thread, so that a slow one delays nobody.
    fn keep_asking(&self, address: WitnessAddress) {
        let mut witness = Witness::new(address);
        let (mut failure, mut refused) = (None, None);
        loop {
            let key = &witness.address.key;
            let is_new = |signed: &SignedCheckpoint| {
                refused.as_ref() != Some(&signed.checkpoint) && !key.has_cosigned(&signed.text)
            };
            let Some(signed) = self.signing.wait_for_signed(RETRY_INTERVAL, is_new) else {
                refused = None;
                continue;
            };
            let outcome = self.ask(&mut witness, &signed);
            refused = outcome.is_err().then_some(signed.checkpoint);
            log_outcome(&witness.address, outcome, &mut failure);
        }
    }

    fn ask(&self, witness: &mut Witness, signed: &SignedCheckpoint) -> Result<(), String> {
        let public = self.registry.public();
        let line = witness.ask(signed, &|old, new| public.read().log().prove_consistency(old, new))?;
        self.signing.add_cosignature(&signed.checkpoint, &line);
        Ok(())
    }

    fn sign(&self, ShownLog { checkpoint, statement }: ShownLog) -> Result<(), String> {
        let signed = |statement: EpochStatement| {
            let text = self.sign_text(&statement.to_string())?;
            Ok::<_, String>(SignedStatement { statement, text })
        };
        let statement = statement.map(signed).transpose()?;
        let text = self.sign_text(&checkpoint.text())?;
        let checkpoint = Some(SignedCheckpoint { checkpoint, text });
        self.signing.put(SignedNotes { checkpoint, statement });
        Ok(())
    }

    /// Signs a text with each key. Returns the note.
    fn sign_text(&self, text: &str) -> Result<String, String> {
        let mut lines: String = self.keys.iter().map(|key| key.sign_line(text)).collect();
        if let Some(command) = &self.command {
            for key in &command.keys {
                lines += &command.sign(key, text)?;
            }
        }
        Ok(sign_note(text, &lines))
    }
}

/// Logs a failure of a witness once, and its end.
fn log_outcome(witness: &WitnessAddress, outcome: Result<(), String>, known: &mut Option<String>) {
    match &outcome {
        Err(why) if known.as_ref() != Some(why) => {
            tracing::warn!("the witness {witness} {why}; the checkpoint lacks its cosignature");
        }
        Ok(()) if known.is_some() => tracing::info!("the witness {witness} cosigns again"),
        _ => {}
    }
    *known = outcome.err();
}
