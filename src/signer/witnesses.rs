//! All witnesses of a log. Each has a thread, so that a slow one delays nobody.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use generator::{LogProver, SignedCheckpoint};
use registry::transparency_log::{Checkpoint, WitnessKey};

use super::witness::{Witness, WitnessAddress};

/// The pause before a witness that has failed is asked again.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// The threads that ask.
pub struct Witnesses {
    witnesses: Vec<Asked>,
    answers: Receiver<Answer>,
}

struct Asked {
    name: String,
    key: WitnessKey,
    questions: Sender<SignedCheckpoint>,
    /// Whether an answer to the last question is missing.
    is_pending: bool,
    /// The last failure, which is logged once.
    failure: Option<String>,
}

struct Answer {
    witness: usize,
    checkpoint: Checkpoint,
    outcome: Result<String, String>,
}

impl Witnesses {
    /// Starts the threads. They end when the value is dropped.
    pub fn start(addresses: &[WitnessAddress], log: &LogProver) -> Self {
        let (sender, answers) = mpsc::channel();
        let start = |(index, address): (usize, &WitnessAddress)| {
            let (questions, asked) = mpsc::channel();
            let (witness, log, answers) = (Witness::new(address.clone()), log.clone(), sender.clone());
            std::thread::spawn(move || keep_asking(index, witness, &log, &asked, &answers));
            let (name, key) = (address.to_string(), address.key.clone());
            Asked { name, key, questions, is_pending: false, failure: None }
        };
        Self { witnesses: addresses.iter().enumerate().map(start).collect(), answers }
    }

    /// Asks the witnesses that have not cosigned a checkpoint. The newest question replaces those
    /// that a witness has not heard yet.
    pub fn ask(&mut self, signed: &SignedCheckpoint) {
        for witness in self.witnesses.iter_mut().filter(|witness| !witness.key.has_cosigned(&signed.text)) {
            // Its thread lives as long as this value.
            witness.is_pending = witness.questions.send(signed.clone()).is_ok();
        }
    }

    /// Whether a witness has not answered the last question.
    pub fn are_pending(&self) -> bool {
        self.witnesses.iter().any(|witness| witness.is_pending)
    }

    /// The cosignatures of a checkpoint that have come since the last call. Failures are logged
    /// once.
    pub fn take(&mut self, checkpoint: &Checkpoint) -> String {
        let mut lines = String::new();
        while let Ok(Answer { witness, checkpoint: of, outcome }) = self.answers.try_recv() {
            let witness = &mut self.witnesses[witness];
            witness.is_pending &= of != *checkpoint;
            let failure = match outcome {
                Ok(line) => {
                    lines += if of == *checkpoint { &line } else { "" };
                    None
                }
                Err(why) => Some(why),
            };
            let name = &witness.name;
            match &failure {
                Some(why) if witness.failure.as_ref() != Some(why) => {
                    tracing::warn!("the witness {name} {why}; the checkpoint lacks its cosignature");
                }
                None if witness.failure.is_some() => tracing::info!("the witness {name} cosigns again"),
                _ => {}
            }
            witness.failure = failure;
        }
        lines
    }
}

/// Asks one witness about the newest checkpoint, until it answers or there is a newer one.
fn keep_asking(
    witness: usize,
    mut asked: Witness,
    log: &LogProver,
    questions: &Receiver<SignedCheckpoint>,
    answers: &Sender<Answer>,
) {
    let mut next = questions.recv().ok();
    while let Some(first) = next {
        let signed = questions.try_iter().last().unwrap_or(first);
        let outcome = asked.ask(&signed, log);
        let has_failed = outcome.is_err();
        let answer = Answer { witness, checkpoint: signed.checkpoint.clone(), outcome };
        if answers.send(answer).is_err() {
            return;
        }
        next = match has_failed {
            false => questions.recv().ok(),
            true => match questions.recv_timeout(RETRY_INTERVAL) {
                Ok(newer) => Some(newer),
                Err(RecvTimeoutError::Timeout) => Some(signed),
                Err(RecvTimeoutError::Disconnected) => None,
            },
        };
    }
}
