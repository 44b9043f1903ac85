//! Signing in the background: for `sign --watch`, and beside the writer of a registry's tree.

use std::thread;
use std::time::Duration;

use generator::LogReader;
use generator::tree::Tree;
use registry::with_causes;

use super::{Output, Signer, SignerParts};
use crate::config::Config;

/// The pause between two looks at a tree on this machine.
pub const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The longest pause after failures.
const MAX_BACKOFF: Duration = Duration::from_secs(30);

/// Signs until the process ends. A failure is logged once, and tried again with longer pauses. Calls
/// `report` after the first success.
pub fn keep_signing(mut signer: Signer, interval: Duration, report: impl Fn(&Signer)) {
    let (mut failure, mut pause, mut has_signed): (Option<String>, _, _) = (None, interval, false);
    loop {
        match signer.run() {
            Ok(_) => {
                if failure.take().is_some() {
                    tracing::info!("the history is signed again");
                }
                if !std::mem::replace(&mut has_signed, true) {
                    report(&signer);
                }
                pause = interval;
            }
            Err(why) => {
                let why = with_causes(&*why);
                if failure.as_ref() != Some(&why) {
                    tracing::error!(
                        why,
                        "the history is not signed; the last checkpoint stays, trying again"
                    );
                }
                failure = Some(why);
                pause = (pause * 2).min(MAX_BACKOFF.max(interval));
            }
        }
        thread::sleep(pause);
    }
}

/// Signs the tree of this registry in the background, if the writer of the tree cannot do all of
/// that: a command signs, or witnesses are asked. The thread ends with the process; everything it
/// writes is replaced as a whole.
pub fn sign_in_background(config: &Config, tree: &Tree) {
    let (keys, witnesses) = (config.signing_keys(), config.witnesses());
    if keys.command.is_none() && (witnesses.is_empty() || keys.here.is_empty()) {
        return;
    }
    let reader = LogReader::of(std::sync::Arc::new(tree.clone()));
    let output = Output::Tree(tree.clone());
    let witnesses = witnesses.to_vec();
    // The registry has its own history.
    let parts = SignerParts { reader, keys, output, record: None, witnesses, accepts_new_history: false };
    thread::spawn(move || keep_signing(Signer::new(parts), POLL_INTERVAL, |_| {}));
}
