//! Authorizes the reads of one registry: a request goes without a credential until the registry answers one with 401.

use std::sync::{Mutex, PoisonError};

use ureq::http::HeaderMap;

use crate::login::Reads;
use crate::{ClientError, Credentials, ReadCredential, RegistryAddress, Token};

/// The token for reads of the registry that the command names.
const READ_TOKEN: &str = "SKILLMIRROR_READ_TOKEN";
/// The registry that commands ask without an option.
const REGISTRY: &str = "CLI_REGISTRY";

/// The credential of one registry. It is looked for when the first request needs it.
pub struct ReadAccess {
    registry: RegistryAddress,
    /// Whether the user has named the registry for this command, so that the variable is for it.
    is_named: bool,
    state: Mutex<Option<State>>,
}

struct State {
    reads: Reads,
    /// Whether the credential is that of the file of logins, which can note that the registry asks for it.
    is_saved: bool,
    /// The headers of the last request that had some.
    headers: Option<HeaderMap>,
}

impl State {
    /// The file with the token, if it comes from one.
    fn file(&self) -> Option<String> {
        match &self.reads.credential {
            Some(ReadCredential::File(path)) => Some(path.display().to_string()),
            _ => None,
        }
    }
}

impl ReadAccess {
    /// Access with what is saved for exactly this registry.
    pub fn saved(registry: RegistryAddress) -> Self {
        Self { registry, is_named: false, state: Mutex::default() }
    }

    /// Access to a registry that the user has named for this command: with the variable `SKILLMIRROR_READ_TOKEN`, or
    /// else with what is saved.
    pub fn named(registry: RegistryAddress) -> Self {
        Self { is_named: true, ..Self::saved(registry) }
    }

    /// Access with this credential, whatever is saved.
    pub fn with(registry: RegistryAddress, credential: ReadCredential) -> Self {
        let reads = Reads { always: credential.is_for_every_request(), credential: Some(credential) };
        let state = Mutex::new(Some(State { reads, is_saved: false, headers: None }));
        Self { registry, is_named: false, state }
    }

    /// The registry.
    pub fn registry(&self) -> &RegistryAddress {
        &self.registry
    }

    /// The headers that a request has before anybody asks for them. A request with the token of a person has only
    /// those that every request has.
    pub(super) fn at_once(&self, has_token: bool) -> Result<Option<HeaderMap>, ClientError> {
        self.with_state(|state| match &state.reads.credential {
            Some(credential) if state.reads.always && (!has_token || credential.is_for_every_request()) => {
                self.headers(state).map(Some)
            }
            _ => Ok(None),
        })
    }

    /// The headers for another attempt, after one with these got a 401. None if it would get the same.
    pub(super) fn after_401(&self, sent: Option<&HeaderMap>) -> Result<Option<HeaderMap>, ClientError> {
        self.with_state(|state| {
            let Some(credential) = &state.reads.credential else {
                // There may be no credential because the file of logins cannot be read: then that is the error.
                return if self.may_send() { Credentials::load().map(|_| None) } else { Ok(None) };
            };
            if sent.is_some() && !credential.is_renewed() {
                return Ok(None);
            }
            // Unless another thread has new ones already.
            if sent.is_some() && state.headers.as_ref() == sent {
                state.headers = None;
            }
            Ok(Some(self.headers(state)?).filter(|headers| Some(headers) != sent))
        })
    }

    /// Notes that the registry asks for the credential and has accepted it.
    pub(super) fn note_accepted(&self) {
        let noted = self.with_state(|state| {
            if !std::mem::replace(&mut state.reads.always, true) && state.is_saved {
                Credentials::change(|logins| {
                    logins.always_authorize_reads(&self.registry);
                    Ok(())
                })?;
            }
            Ok(())
        });
        // Where the file cannot be written, each command is asked again.
        let _ = noted;
    }

    /// Whether the registry asks for the credential.
    pub fn is_asked(&self) -> bool {
        self.with_state(|state| Ok(state.reads.always)).unwrap_or_default()
    }

    /// The remedy for an answer that refuses a read. `was_sent` says whether the request had the credential.
    pub(super) fn advice(&self, was_sent: bool) -> String {
        let registry = &self.registry;
        if let (true, Ok(Some(file))) = (was_sent, self.with_state(|state| Ok(state.file()))) {
            return format!("{registry} refuses the token in {file}: replace it");
        }
        let login = format!("log in with `skillmirror login --registry {registry}`, or set {READ_TOKEN}");
        match was_sent {
            true => format!("{registry} refuses the credential for reads: {login}"),
            false if !self.may_send() => format!(
                "{registry} wants a sign-in for reads, but no credential is sent without encryption: use https"
            ),
            false => format!("{registry} wants a sign-in for reads: {login}"),
        }
    }

    fn may_send(&self) -> bool {
        !self.registry.is_unencrypted()
    }

    fn with_state<T>(
        &self,
        ask: impl FnOnce(&mut State) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        // A panic elsewhere leaves the value intact.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *state {
            Some(state) => ask(state),
            unknown => ask(unknown.insert(self.find()?)),
        }
    }

    /// Finds the credential: of the variable, or else the saved one. Errors: the variable is unusable.
    fn find(&self) -> Result<State, ClientError> {
        let (reads, is_saved) = match self.token_of_environment()? {
            _ if !self.may_send() => (Reads::default(), false),
            Some(token) => (Reads { always: false, credential: Some(ReadCredential::Token(token)) }, false),
            // An unusable file is reported if the registry asks for a credential.
            None => {
                (Credentials::load().map(|logins| logins.reads(&self.registry)).unwrap_or_default(), true)
            }
        };
        Ok(State { reads, is_saved, headers: None })
    }

    fn token_of_environment(&self) -> Result<Option<Token>, ClientError> {
        let variable = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let is_chosen = || {
            let chosen = variable(REGISTRY).unwrap_or_default();
            chosen.split(',').next().and_then(|first| first.parse().ok()).as_ref() == Some(&self.registry)
        };
        match variable(READ_TOKEN).filter(|text| !text.is_empty() && (self.is_named || is_chosen())) {
            // The error of a token is about one that somebody has typed.
            Some(text) => text.parse().map(Some).map_err(|_| {
                ClientError::Environment(format!("{READ_TOKEN} is no token: it must be one word"))
            }),
            None => Ok(None),
        }
    }

    /// The headers of the credential, which are made once.
    fn headers(&self, state: &mut State) -> Result<HeaderMap, ClientError> {
        let credential = state.reads.credential.as_ref();
        if let (None, Some(credential)) = (&state.headers, credential) {
            let made = credential.headers();
            let unusable = |why| ClientError::ReadCredential { registry: self.registry.to_string(), why };
            state.headers = Some(made.map_err(unusable)?);
        }
        Ok(state.headers.clone().unwrap_or_default())
    }
}
