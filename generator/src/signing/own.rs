//! How a registry signs its own tree.

use std::error::Error;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use registry::public::PublicCatalog;
use registry::transparency_log::{
    Checkpoint, EpochStatement, LogIndex, LogName, SigningKey, VerifierKey, append_signatures,
};

use super::{SignedCheckpoint, SignedNotes, SignedStatement};

/// How a registry signs its own tree.
///
/// Keys in files sign while the tree is written. A command and witnesses may take long, so they work beside
/// the writer of the tree: it says what the tree shows, and writes their signatures in its next round.
pub struct OwnSigning {
    /// The keys in files.
    keys: Vec<SigningKey>,
    /// The keys of a command.
    of_command: Vec<VerifierKey>,
    has_witnesses: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    shown: Option<ShownLog>,
    /// The signatures of the command and the witnesses.
    notes: SignedNotes,
    /// Whether the tree lacks them.
    is_new: bool,
}

/// What a tree shows, to be signed.
#[derive(Debug, Clone)]
pub struct ShownLog {
    /// Its log.
    pub checkpoint: Checkpoint,
    /// How its epoch began, if a backup was restored.
    pub statement: Option<EpochStatement>,
}

impl OwnSigning {
    /// There is at least one key. All have one name.
    pub(super) fn new(keys: Vec<SigningKey>, of_command: Vec<VerifierKey>, has_witnesses: bool) -> Self {
        Self { keys, of_command, has_witnesses, state: Mutex::default(), changed: Condvar::new() }
    }

    fn verifiers(&self) -> impl Iterator<Item = &VerifierKey> {
        self.keys.iter().map(SigningKey::verifier).chain(&self.of_command)
    }

    fn name(&self) -> Option<&LogName> {
        self.verifiers().next().map(VerifierKey::name)
    }

    pub(super) fn signed_size(&self, log: &LogIndex) -> Option<u64> {
        match self.keys.is_empty() {
            true => self.state.lock().notes.of(log).map(|it| it.checkpoint.size),
            false => Some(log.size()),
        }
    }

    pub(super) fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        let state = self.state.lock();
        let signed = state.notes.of(log);
        if self.keys.is_empty() {
            return signed.map(|signed| signed.text.clone());
        }
        // It has more signatures.
        if let Some(signed) = signed.filter(|signed| signed.checkpoint.size == log.size()) {
            return Some(signed.text.clone());
        }
        Some(Checkpoint::of(self.name()?.clone(), log).sign(&self.keys))
    }

    pub(super) fn has_statement(&self, catalog: &PublicCatalog) -> bool {
        match self.keys.is_empty() {
            true => self.statement(catalog).is_some(),
            false => catalog.is_restored(),
        }
    }

    pub(super) fn statement(&self, catalog: &PublicCatalog) -> Option<String> {
        match self.keys.is_empty() {
            true => self.state.lock().notes.about(catalog),
            false => Some(catalog.epoch_statement(self.name()?)?.sign(&self.keys)),
        }
    }

    /// What a tree of this catalog shows.
    pub fn shown_log(&self, catalog: &PublicCatalog) -> Option<ShownLog> {
        let name = self.name()?;
        let checkpoint = Checkpoint::of(name.clone(), catalog.log());
        Some(ShownLog { checkpoint, statement: catalog.epoch_statement(name) })
    }

    /// Tells those who wait what the tree shows now.
    pub(super) fn show(&self, shown: ShownLog) {
        self.state.lock().shown = Some(shown);
        self.changed.notify_all();
    }

    /// Takes over what the command and the witnesses have signed of a tree before: its checkpoint and its
    /// statement.
    pub(super) fn load(&self, checkpoint: Option<String>, statement: Option<String>) {
        if self.of_command.is_empty() && !self.has_witnesses {
            return;
        }
        let checkpoint = checkpoint.and_then(|text| {
            let checkpoint = self.verify(|keys| Checkpoint::verify(text.as_bytes(), keys))?;
            Some(SignedCheckpoint { checkpoint, text })
        });
        let statement = statement.and_then(|text| {
            let statement = self.verify(|keys| EpochStatement::verify(text.as_bytes(), keys))?;
            Some(SignedStatement { statement, text })
        });
        self.state.lock().notes = SignedNotes { checkpoint, statement };
    }

    /// Checks a note. All keys in files must have signed it. Without those, one of the command is enough.
    fn verify<T, E: Error>(&self, check: impl Fn(&[VerifierKey]) -> Result<T, E>) -> Option<T> {
        let own = self.keys.iter().map(|key| check(std::slice::from_ref(key.verifier())));
        own.reduce(|one, other| one.and(other)).unwrap_or_else(|| check(&self.of_command)).ok()
    }

    /// Whether there are signatures that the tree lacks. They are then taken for written.
    pub(super) fn take_news(&self) -> bool {
        std::mem::take(&mut self.state.lock().is_new)
    }

    /// Waits until the tree shows a log that not all keys have signed.
    pub fn wait_for_unsigned(&self) -> ShownLog {
        let mut state = self.state.lock();
        loop {
            if let Some(shown) = state.shown.as_ref().filter(|shown| !self.is_signed(shown, &state)) {
                return shown.clone();
            }
            self.changed.wait(&mut state);
        }
    }

    /// Waits for a signed checkpoint of what the tree shows. `None` if there is no such one in this time.
    pub fn wait_for_signed(
        &self,
        timeout: Duration,
        is_wanted: impl Fn(&SignedCheckpoint) -> bool,
    ) -> Option<SignedCheckpoint> {
        let find = |state: &MutexGuard<'_, State>| {
            let shown = &state.shown.as_ref()?.checkpoint;
            let signed = state.notes.checkpoint.as_ref().filter(|signed| signed.checkpoint == *shown)?;
            is_wanted(signed).then(|| signed.clone())
        };
        let mut state = self.state.lock();
        loop {
            if let Some(signed) = find(&state) {
                return Some(signed);
            }
            if self.changed.wait_for(&mut state, timeout).timed_out() {
                return None;
            }
        }
    }

    /// Whether all keys have signed what a tree shows.
    pub fn has_signed(&self, shown: &ShownLog) -> bool {
        self.is_signed(shown, &self.state.lock())
    }

    fn is_signed(&self, shown: &ShownLog, State { notes, .. }: &State) -> bool {
        let is_by = |text: &str, key| Checkpoint::verify(text.as_bytes(), std::slice::from_ref(key)).is_ok();
        let statement = notes.statement.as_ref().map(|signed| &signed.statement);
        (shown.statement.is_none() || statement == shown.statement.as_ref())
            && notes.checkpoint.as_ref().is_some_and(|signed| {
                signed.checkpoint == shown.checkpoint && self.verifiers().all(|key| is_by(&signed.text, key))
            })
    }

    /// Hands signed notes to the writer of the tree, and to those who wait for them.
    pub fn put(&self, notes: SignedNotes) {
        let mut state = self.state.lock();
        (state.notes, state.is_new) = (notes, true);
        self.changed.notify_all();
    }

    /// The signed checkpoint that was handed in last.
    pub fn signed(&self) -> Option<SignedCheckpoint> {
        self.state.lock().notes.checkpoint.clone()
    }

    /// Adds the cosignature of a checkpoint, unless a newer one was signed meanwhile.
    pub fn add_cosignature(&self, checkpoint: &Checkpoint, line: &str) {
        let mut state = self.state.lock();
        let signed = state.notes.checkpoint.as_mut().filter(|signed| signed.checkpoint == *checkpoint);
        if let Some(signed) = signed {
            signed.text = append_signatures(&signed.text, line);
            state.is_new = true;
        }
    }
}
