//! The registries of a project, each opened once.

use std::collections::HashMap;

use crate::registry_choice::RegistryChoice;
use crate::{ClientError, RegistryAddress, Source};

/// Opens the registries that a lock file names, or one copy that is read instead of all of them.
pub struct Sources<'c> {
    copy: Option<&'c RegistryChoice>,
    open: HashMap<String, Source>,
}

impl<'c> Sources<'c> {
    /// Reads `copy` instead of the registries themselves, if it is given. The digests of the lock
    /// file and the trusted keys of each registry hold for the copy, too.
    pub fn new(copy: Option<&'c RegistryChoice>) -> Self {
        Self { copy, open: HashMap::new() }
    }

    /// Opens a registry. Sends a request only to choose among several copies.
    pub fn open(&mut self, registry: &RegistryAddress) -> Result<(), ClientError> {
        let key = registry.to_string();
        if !self.open.contains_key(&key) {
            let source = match self.copy {
                Some(copy) => copy.source()?.known_as(registry.clone()),
                None => Source::open(registry.clone()),
            };
            self.open.insert(key, source);
        }
        Ok(())
    }

    /// An open registry.
    pub fn get(&self, registry: &RegistryAddress) -> Result<&Source, ClientError> {
        self.open.get(&registry.to_string()).ok_or(ClientError::NoRegistry)
    }
}
